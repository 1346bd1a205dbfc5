import assert from "node:assert/strict";
import type { EngineEvent, EventKind, EventOf } from "@bourse/engine";

/** The events of one command, and what tests read from them. */
export class Answer {
  readonly events: readonly EngineEvent[];

  constructor(events: readonly EngineEvent[]) {
    this.events = events;
  }

  get kinds(): EventKind[] {
    return this.events.map(({ kind }) => kind);
  }

  all<Kind extends EventKind>(kind: Kind): EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  /** The only event of a kind. */
  one<Kind extends EventKind>(kind: Kind): EventOf<Kind> {
    const found = this.all(kind);
    assert.equal(found.length, 1, `one ${kind} among ${this.kinds.join(", ")}`);
    return found[0]!;
  }

  /** Why the command was refused; "" if it was done. */
  get refusal(): string {
    const first = this.events[0];
    return first?.kind === "refused" ? first.reason : "";
  }

  /** The limit and the actual value of a refusal. */
  get bounds(): [number, number] {
    const { limit, actual } = this.one("refused");
    return [limit, actual];
  }

  /** The id of the order that the command opened. */
  get order(): number {
    const first = this.all("order_opened")[0];
    assert.ok(first !== undefined, `an order among ${JSON.stringify(this.events)}`);
    return first.order;
  }

  /** The id of the conditional order that the command opened. */
  get conditional(): number {
    const first = this.all("conditional_opened")[0];
    assert.ok(first !== undefined, `a conditional order among ${JSON.stringify(this.events)}`);
    return first.conditional;
  }

  /** Trades as [price in ticks, lots], read from the taker's fills. */
  get trades(): [number, number][] {
    return this.all("fill")
      .filter(({ isMaker }) => isMaker === 0)
      .map(({ ticks, lots }) => [ticks, lots]);
  }

  /** How orders ended, as [id, status, reason]. */
  get closed(): [number, string, string][] {
    return this.all("order_closed").map(({ order, status, reason }) => [order, status, reason]);
  }

  get closedConditionals(): [number, string, string][] {
    return this.all("conditional_closed").map(({ conditional, status, reason }) => [conditional, status, reason]);
  }

  /** Lines of the bonus ledger as [line, amount]. */
  get lines(): [string, number][] {
    return this.all("bonus_line").map(({ line, amount_micros }) => [line, amount_micros]);
  }
}
