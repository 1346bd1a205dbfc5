import type { Reason } from "../contract/reasons.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";

/** FUT-8. */
const MAX_TRIES = 60;

/** Opens, wakes and closes conditional orders. `Triggers` fires them. */
export class ConditionalDesk {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  open(conditional: Conditional): void {
    const { conditionals, positions, details, events } = this.#state;
    conditionals.add(conditional);
    positions.addConditionals(conditional.position, 1);
    details.addName(conditional.account, conditional.clientId, conditional.id);
    if (!conditional.isAsleep) this.enqueue(conditional);
    events.emit("conditional_opened", { ...conditional, conditional: conditional.id });
  }

  close(conditional: Conditional, status: "CANCELED" | "EXPIRED" | "REJECTED", reason: Reason): void {
    this.takeOut(conditional);
    this.#state.events.emit("conditional_closed", {
      conditional: conditional.id,
      account: conditional.account,
      market: conditional.market,
      status,
      reason,
    });
  }

  /** Removes it without an event. */
  takeOut(conditional: Conditional): void {
    const { conditionals, positions, details, expiries } = this.#state;
    conditionals.remove(conditional);
    if (conditional.goodTill_ms !== 0) expiries.remove(conditional.id);
    positions.addConditionals(conditional.position, -1);
    details.dropName(conditional.account, conditional.clientId);
    if (conditional.tries > 0) {
      const market = this.#marketOf(conditional);
      market.rearmed = market.rearmed.filter((other) => other !== conditional);
    } else if (!conditional.isAsleep) this.#queuesOf(conditional).remove(conditional);
  }

  /** FUT-8: what has fired, was taken out and left lots is open again, under its id. */
  rearm(fired: Conditional, lots: number): void {
    const { conditionals, positions, details, events } = this.#state;
    const { id, account, market } = fired;
    const tries = fired.tries + 1;
    if (tries > MAX_TRIES) {
      const reason = "tries_used";
      events.emit("conditional_closed", { conditional: id, account, market, status: "EXPIRED", reason });
      return;
    }
    // Its siblings have ended with the first try.
    const rearmed = { ...fired, lots: fired.isClosePosition ? 0 : lots, tries, parent: 0 };
    conditionals.add(rearmed);
    positions.addConditionals(rearmed.position, 1);
    details.addName(account, rearmed.clientId, id);
    this.enqueue(rearmed);
    events.emit("conditional_rearmed", { conditional: id, account, market, lots: rearmed.lots, tries });
  }

  /** Adds one that is not asleep to those that wait for a price, and for their end. */
  enqueue(conditional: Conditional): void {
    if (conditional.goodTill_ms !== 0) this.#state.expiries.add(conditional.id, conditional.goodTill_ms);
    if (conditional.tries === 0) {
      this.#queuesOf(conditional).add(conditional);
      return;
    }
    const market = this.#marketOf(conditional);
    market.rearmed = [...market.rearmed, conditional].sort((a, b) => a.id - b.id);
  }

  closeChildren(order: number): void {
    for (const child of this.#state.conditionals.childrenOf(order)) this.close(child, "CANCELED", "parent_closed");
  }

  /** The parent has its first fill. */
  wakeChildren(order: number): void {
    for (const child of this.#state.conditionals.childrenOf(order)) {
      child.isAsleep = false;
      this.#queuesOf(child).add(child);
      this.activated(child);
    }
  }

  activated({ id, account, market }: Conditional): void {
    this.#state.events.emit("conditional_activated", { conditional: id, account, market });
  }

  #marketOf({ market }: Conditional): MarketState {
    return this.#state.markets[market]!;
  }

  #queuesOf(conditional: Conditional) {
    return this.#marketOf(conditional).triggers[conditional.workingType];
  }
}
