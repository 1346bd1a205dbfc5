import type { Readiness } from "@bourse/api";
import { answerWithin } from "./wait.ts";

export interface Check {
  readonly name: string;
  /** A failing vital check takes the server out of service; other failures are only shown. */
  readonly isVital: boolean;
  /** Resolves with a short description of the state; rejects with the problem as its message. */
  run(): Promise<string>;
}

const CHECK_TIMEOUT_ms = 2_000;

/** Runs all checks (RUN-7). */
export async function judgeReadiness(checks: readonly Check[]): Promise<Readiness> {
  const outcomes = await Promise.all(
    checks.map(async (check) => {
      try {
        return { check, ok: true, detail: await answerWithin(check.run(), CHECK_TIMEOUT_ms) };
      } catch (error) {
        return { check, ok: false, detail: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  const failed = outcomes.filter((outcome) => !outcome.ok);
  const isUnavailable = failed.some((outcome) => outcome.check.isVital);
  return {
    status: isUnavailable ? "unavailable" : failed.length > 0 ? "degraded" : "ready",
    checks: Object.fromEntries(outcomes.map(({ check, ok, detail }) => [check.name, { ok, detail }])),
  };
}
