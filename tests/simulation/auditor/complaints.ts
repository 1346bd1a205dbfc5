/** What the auditor checks; each complaint names one of these topics. */
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

/** Collects complaints, and counts checks: an audit without checks would find nothing. */
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
