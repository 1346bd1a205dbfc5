/** What the auditor looks at, by the name that a complaint carries. */
export const TOPICS = [
  "stream",
  "acknowledged",
  "order",
  "fill",
  "fee",
  "pnl",
  "balance",
  "position",
  "income",
  "funding",
  "deposit",
  "withdrawal",
  "chain",
  "INV-1",
  "INV-2",
  "INV-3",
  "INV-4",
  "INV-5",
  "INV-6",
  "INV-7",
  "INV-8",
  "settlement",
  "payout",
  "bonus",
  "earn",
  "points",
  "health",
] as const;
export type Topic = (typeof TOPICS)[number];

export interface Complaint {
  readonly topic: Topic;
  readonly text: string;
}

/** Collects what does not hold, and counts what was looked at: an audit that looks at nothing finds nothing. */
export class Ledger {
  readonly complaints: Complaint[] = [];
  readonly checks = new Map<Topic, number>();

  check(topic: Topic, holds: boolean, text: () => string): boolean {
    this.checks.set(topic, (this.checks.get(topic) ?? 0) + 1);
    if (!holds) this.complaints.push({ topic, text: text() });
    return holds;
  }

  equal<T extends bigint | string | number | boolean>(topic: Topic, actual: T, expected: T, what: string): boolean {
    return this.check(topic, actual === expected, () => `${what}: ${String(actual)}, should be ${String(expected)}`);
  }
}
