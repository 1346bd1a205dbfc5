import { type ConditionalType, type Side, TAKE_PROFIT, TRAILING_STOP } from "../contract/codes.ts";
import type { ConditionalTerms } from "../contract/commands.ts";
import { BUY } from "../side.ts";

/** A conditional order that has neither fired nor ended. */
export interface Conditional extends Required<ConditionalTerms> {
  readonly id: number;
  /** The account's symbol. */
  readonly position: number;
  /** The order it is attached to; 0 for none. */
  readonly parent: number;
  readonly created_ms: number;
  /** Attached orders sleep until the first fill of their parent. */
  isAsleep: boolean;
  /** Trailing stops: the best price seen; 0 before activation. */
  bestTicks: number;
  /** FUT-8: how often it was armed again after it had fired. */
  readonly tries: number;
}

/** Whether it fires at a price at or above its trigger; otherwise at or below. */
export function firesRising(side: Side, type: ConditionalType): boolean {
  return (side === BUY) !== (type === TAKE_PROFIT);
}

/** The conditional orders of one market that watch one price, in the order in which they fire. */
export class TriggerQueues {
  /** Lowest trigger first, then id. */
  readonly rising: Conditional[] = [];
  /** Highest trigger first, then id. */
  readonly falling: Conditional[] = [];
  /** By id. */
  readonly trailing: Conditional[] = [];

  get isEmpty(): boolean {
    return this.rising.length === 0 && this.falling.length === 0 && this.trailing.length === 0;
  }

  add(conditional: Conditional): void {
    const queue = this.#queueOf(conditional);
    queue.splice(indexIn(queue, conditional), 0, conditional);
  }

  remove(conditional: Conditional): void {
    const queue = this.#queueOf(conditional);
    queue.splice(indexIn(queue, conditional), 1);
  }

  #queueOf(conditional: Conditional): Conditional[] {
    if (conditional.type === TRAILING_STOP) return this.trailing;
    return firesRising(conditional.side, conditional.type) ? this.rising : this.falling;
  }
}

/** The index at which it is or belongs: the number of conditional orders before it. */
function indexIn(queue: readonly Conditional[], conditional: Conditional): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(queue[middle]!, conditional)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comesBefore(a: Conditional, b: Conditional): boolean {
  if (a.type === TRAILING_STOP || a.triggerTicks === b.triggerTicks) return a.id < b.id;
  return a.triggerTicks < b.triggerTicks === firesRising(a.side, a.type);
}

/** All conditional orders, by id and by account; those that do not sleep are also in the queues of their market. */
export class Conditionals {
  readonly #byId = new Map<number, Conditional>();
  readonly #byAccount = new Map<number, Map<number, Conditional>>();
  readonly #byParent = new Map<number, Conditional[]>();

  get(id: number): Conditional | undefined {
    return this.#byId.get(id);
  }

  get count(): number {
    return this.#byId.size;
  }

  all(): Iterable<Conditional> {
    return this.#byId.values();
  }

  /** By id: one that is armed again was added late. A copy, because the caller may remove orders while it iterates. */
  ofAccount(account: number): Conditional[] {
    return [...(this.#byAccount.get(account)?.values() ?? [])].sort((a, b) => a.id - b.id);
  }

  childrenOf(order: number): readonly Conditional[] {
    return [...(this.#byParent.get(order) ?? [])];
  }

  add(conditional: Conditional): void {
    this.#byId.set(conditional.id, conditional);
    const own = this.#byAccount.get(conditional.account);
    if (own === undefined) this.#byAccount.set(conditional.account, new Map([[conditional.id, conditional]]));
    else own.set(conditional.id, conditional);
    if (conditional.parent === 0) return;
    const siblings = this.#byParent.get(conditional.parent);
    if (siblings === undefined) this.#byParent.set(conditional.parent, [conditional]);
    else siblings.push(conditional);
  }

  remove(conditional: Conditional): void {
    this.#byId.delete(conditional.id);
    const own = this.#byAccount.get(conditional.account)!;
    own.delete(conditional.id);
    if (own.size === 0) this.#byAccount.delete(conditional.account);
    if (conditional.parent === 0) return;
    const left = this.#byParent.get(conditional.parent)!.filter((other) => other !== conditional);
    if (left.length === 0) this.#byParent.delete(conditional.parent);
    else this.#byParent.set(conditional.parent, left);
  }
}
