import type { Job } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";

const MEANINGS: Readonly<Record<string, string>> = {
  "wallet-sweep": "Forgets wallets that signed in a month ago and left nothing behind",
  "identity-sweep": "Removes expired nonces, sessions and failure counts",
  "audit-verify": "Recomputes the audit log's hash chain",
  funding: "Settles funding in every market",
  vip: "Moves the engine past midnight, so that fee tiers fall when due",
  "equity-snapshot": "Records the equity of each account",
  "market-samples": "Records open interest and who is long and short",
  downloads: "Makes files of histories that accounts have asked for",
  "risk-watch": "Checks the fund's losses and transfers far from the mark",
  "private-events": "Removes private events that are too old to be resumed from",
  "chain-sync": "Applies the contracts' events, sends withdrawals, continues payouts",
  settlement: "Settles the previous day of the broker program",
  "settlement-provisional": "Updates today's provisional rebates",
  "points-earn": "Points for earn positions held at midnight",
  season: "Advances seasons and takes snapshots",
  "points-refresh": "Computes the leaderboards",
  "bonus-expiry": "Ends expired bonuses, closes their positions, warns",
  "bonus-reconcile": "Compares the pool's ledger with the engine",
  "bonus-backing": "Pays what bonuses have consumed into the Vault",
  "bonus-risk": "Looks for linked wallets",
  "bonus-codes": "Marks expired bonus codes",
  "broker-codes": "Marks expired invite codes",
  "order-prune": "Removes old orders that ended without a fill",
  "history-retention": "Archives and removes history that is too old",
  "points-retention": "Archives and removes old lines of points",
  "outbox-prune": "Removes messages to the engine that were delivered a day ago",
};

export const meaningOfJob = (name: string): string => MEANINGS[name] ?? "";

const two = (text: string) => text.padStart(2, "0");
const each = (step: string, unit: string) => (step === "1" ? `every ${unit}` : `every ${step} ${unit}s`);

/** A schedule in words; an unusual one is shown as written. */
export function scheduleWords(schedule: string): string {
  const fields = schedule.trim().split(/\s+/);
  const [seconds, minute = "", hour = "", ...rest] = fields.length === 6 ? fields : ["0", ...fields];
  if (rest.some((field) => field !== "*")) return schedule;
  const stepOf = (field: string | undefined) =>
    /^\*\/(\d+)$/.exec(field ?? "")?.[1] ?? (field === "*" ? "1" : undefined);
  const isNumber = (field: string) => /^\d+$/.test(field);
  const secondStep = stepOf(seconds);
  if (secondStep !== undefined) return minute === "*" && hour === "*" ? each(secondStep, "second") : schedule;
  if (seconds !== "0") return schedule;
  const minuteStep = stepOf(minute);
  if (minuteStep !== undefined) return hour === "*" ? each(minuteStep, "minute") : schedule;
  if (!isNumber(minute)) return schedule;
  if (hour === "*") return minute === "0" ? "every full hour" : `hourly at :${two(minute)}`;
  return isNumber(hour) ? `daily at ${two(hour)}:${two(minute)} UTC` : schedule;
}

export interface JobState {
  readonly tone: Tone;
  readonly words: string;
}

export function stateOfJob(job: Pick<Job, "running" | "consecutive_failures" | "last_finished_at">): JobState {
  if (job.consecutive_failures > 0) {
    return {
      tone: "warn",
      words: job.consecutive_failures === 1 ? "failed once" : `failed ${job.consecutive_failures} times`,
    };
  }
  if (job.running) return { tone: "accent", words: "running" };
  return { tone: "neutral", words: job.last_finished_at === null ? "waits" : "ok" };
}

/** How long the last run took. */
export function tookMs({
  last_started_at,
  last_finished_at,
}: Pick<Job, "last_started_at" | "last_finished_at">): number | undefined {
  if (last_started_at === null || last_finished_at === null) return undefined;
  const took_ms = Date.parse(last_finished_at) - Date.parse(last_started_at);
  return took_ms >= 0 ? took_ms : undefined;
}
