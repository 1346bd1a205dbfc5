import type { Readiness } from "@bourse/api/client";

export const READINESS_WORDS: Readonly<Record<Readiness["status"], string>> = {
  ready: "Everything is running",
  degraded: "Running, with a fault",
  unavailable: "Not able to serve",
};

const CHECKS: Readonly<Record<string, string>> = {
  database: "Where everything but the engine's state is kept",
  chain: "The node that the contracts are reached through",
  "chain-events": "How far the contracts' events are applied",
  engine: "Matching, margin and positions",
  projector: "Writes what the engine did into the tables",
  prices: "An index for every market, from sources that agree",
  wallet: "Withdrawals on their way to the chain",
  payouts: "Payout batches on their way to the chain",
  jobs: "Background jobs",
};

export const meaningOfCheck = (name: string): string => CHECKS[name] ?? "";
