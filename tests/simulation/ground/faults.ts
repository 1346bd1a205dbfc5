import { setTimeout as sleep } from "node:timers/promises";

export const FAULTS = [
  "crash",
  "crash-moving-clock",
  "crash-starting",
  "restart",
  "database-fails",
  "database-slow",
  "commit-lost",
  "sync-fails",
  "write-fails",
  "chain-error",
  "chain-slow",
  "chain-reply-lost",
  "reorg",
  "request-lost",
  "reply-lost",
  "request-doubled",
  "socket-cut",
  "socket-slow",
] as const;
export type Fault = (typeof FAULTS)[number];

/** How many further calls of a port fail, and how. The driver arms it; calls use it up. */
export class Faults {
  readonly struck = new Map<Fault, number>();
  readonly #armed = new Map<Fault, number>();

  arm(fault: Fault, times: number): void {
    this.#armed.set(fault, (this.#armed.get(fault) ?? 0) + times);
  }

  isArmed(fault: Fault): boolean {
    return (this.#armed.get(fault) ?? 0) > 0;
  }

  disarm(): void {
    this.#armed.clear();
  }

  /** Whether the fault occurs now. */
  take(fault: Fault): boolean {
    const left = this.#armed.get(fault) ?? 0;
    if (left === 0) return false;
    this.#armed.set(fault, left - 1);
    this.count(fault);
    return true;
  }

  count(fault: Fault): void {
    this.struck.set(fault, (this.struck.get(fault) ?? 0) + 1);
  }

  async delay(fault: Fault, time_ms: number): Promise<void> {
    if (this.take(fault)) await sleep(time_ms);
  }
}
