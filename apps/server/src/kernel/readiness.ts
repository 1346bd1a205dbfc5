import type { Readiness } from "@bourse/api";

export interface Check {
  readonly name: string;
  /** A failing vital check takes the server out of service; a failing other one only shows. */
  readonly isVital: boolean;
  /** Resolves with a few words on the state; rejects when something is wrong, the message saying what. */
  run(): Promise<string>;
}

const CHECK_TIMEOUT_MS = 2_000;

function withTimeout(promise: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks every part whether it can serve (RUN-7). */
export async function judgeReadiness(checks: readonly Check[]): Promise<Readiness> {
  const outcomes = await Promise.all(
    checks.map(async (check) => {
      try {
        return { check, ok: true, detail: await withTimeout(check.run()) };
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
