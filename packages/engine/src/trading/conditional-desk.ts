import type { Reason } from "../contract/reasons.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { State } from "../state/state.ts";

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
    if (!conditional.isAsleep) this.#queuesOf(conditional).add(conditional);
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
    const { conditionals, positions, details } = this.#state;
    conditionals.remove(conditional);
    positions.addConditionals(conditional.position, -1);
    details.dropName(conditional.account, conditional.clientId);
    if (!conditional.isAsleep) this.#queuesOf(conditional).remove(conditional);
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

  #queuesOf(conditional: Conditional) {
    return this.#state.markets[conditional.market]!.triggers[conditional.workingType];
  }
}
