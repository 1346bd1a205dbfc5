import { NO_SLOT } from "../book/order-pool.ts";
import { CONTRACT_PRICE, MARK_PRICE, TRAILING_STOP } from "../contract/codes.ts";
import { type Conditional, firesRising, type TriggerQueues } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_CHILDREN } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { nameOf } from "./entries.ts";
import type { Findings } from "./findings.ts";

/** Checks that each conditional order is listed by its entry, its account and its parent, and is in the right queue. */
export function checkConditionals(state: State, { problems }: Findings): void {
  const perSymbol = new Map<number, number>();
  const waiting = new Set(state.markets.flatMap(queuesOf));
  let awake = 0;
  for (const conditional of state.conditionals.all()) {
    perSymbol.set(conditional.position, (perSymbol.get(conditional.position) ?? 0) + 1);
    if (!conditional.isAsleep) awake += 1;
    for (const problem of problemsOf(state, conditional, waiting)) {
      problems.push(`conditional order ${conditional.id} ${problem}`);
    }
  }
  const { positions } = state;
  for (let position = 1; position <= positions.count; position += 1) {
    const real = perSymbol.get(position) ?? 0;
    if (positions.conditionals(position) === real) continue;
    problems.push(
      `${nameOf(state, position)} counts ${positions.conditionals(position)} conditional orders, not ${real}`,
    );
  }
  const queued = state.markets.reduce((sum, market) => sum + queuedIn(market, problems), 0);
  if (queued !== awake) problems.push(`${queued} conditional orders wait for a price, ${awake} are awake`);
}

function problemsOf(state: State, conditional: Conditional, waiting: ReadonlySet<Conditional>): string[] {
  const { positions, details, conditionals, expiries, lastOrderId } = state;
  const { id, account, market, position, clientId, parent } = conditional;
  const found: string[] = [];
  if (id > lastOrderId) found.push(`is numbered beyond the last id ${lastOrderId}`);
  const isItsOwn = positions.account(position) === account && positions.market(position) === market;
  if (!isItsOwn) found.push("does not belong to the symbol it names");
  if (conditionals.get(id) !== conditional) found.push("is not found by its id");
  if (!isInOrder(conditionals.ofAccount(account), conditional)) found.push("is out of order among its account's");
  if (clientId !== "" && details.idOfName(account, clientId) !== id) found.push("is not found by its client id");
  if (parent !== 0 && !conditionals.childrenOf(parent).includes(conditional)) found.push("is unknown to its parent");
  if (waiting.has(conditional) === conditional.isAsleep) {
    found.push(conditional.isAsleep ? "sleeps and waits for a price" : "is awake and waits for no price");
  }
  if ((expiries.endOf(id) ?? 0) !== conditional.goodTill_ms) found.push("does not end at its time");
  if (conditional.isAsleep && !hasUnfilledParent(state, conditional)) found.push("sleeps without an unfilled parent");
  return found;
}

function isInOrder(own: readonly Conditional[], conditional: Conditional): boolean {
  const at = own.indexOf(conditional);
  return at >= 0 && (at === 0 || own[at - 1]!.id < conditional.id);
}

/** An attached order sleeps while its parent rests without a fill. */
function hasUnfilledParent({ index, pool }: State, { parent, account }: Conditional): boolean {
  const slot = parent === 0 ? NO_SLOT : index.get(parent);
  if (slot === NO_SLOT || pool.account(slot) !== account) return false;
  return (pool.flags(slot) & ORDER_HAS_CHILDREN) !== 0 && pool.originalLots(slot) === pool.remainingLots(slot);
}

/** All conditional orders of a market that wait for a price. */
function queuesOf({ triggers, rearmed }: MarketState): Conditional[] {
  return [...rearmed, ...triggers.flatMap(({ rising, falling, trailing }) => [...rising, ...falling, ...trailing])];
}

/** How many wait in a market; checks that each queue is in firing order. */
function queuedIn({ triggers, rearmed, definition }: MarketState, problems: string[]): number {
  let count = rearmed.length;
  if (!isSortedBy(rearmed, () => 0) || rearmed.some(({ tries }) => tries === 0))
    problems.push(`conditional orders of ${definition.symbol} are armed again out of order or without a try`);
  for (const workingType of [CONTRACT_PRICE, MARK_PRICE]) {
    const queues: TriggerQueues = triggers[workingType];
    count += queues.rising.length + queues.falling.length + queues.trailing.length;
    const isInPlace = (conditional: Conditional, isTrailing: boolean, isRising: boolean): boolean =>
      conditional.workingType === workingType &&
      (conditional.type === TRAILING_STOP) === isTrailing &&
      (isTrailing || firesRising(conditional.side, conditional.type) === isRising);
    const isRight =
      queues.rising.every((conditional) => isInPlace(conditional, false, true)) &&
      queues.falling.every((conditional) => isInPlace(conditional, false, false)) &&
      queues.trailing.every((conditional) => isInPlace(conditional, true, false)) &&
      isSortedBy(queues.rising, (a, b) => a.triggerTicks - b.triggerTicks) &&
      isSortedBy(queues.falling, (a, b) => b.triggerTicks - a.triggerTicks) &&
      isSortedBy(queues.trailing, () => 0);
    if (!isRight)
      problems.push(
        `conditional orders of ${definition.symbol} by price ${workingType} are in the wrong queue or out of order`,
      );
  }
  return count;
}

function isSortedBy(queue: readonly Conditional[], compare: (a: Conditional, b: Conditional) => number): boolean {
  return queue.every((next, i) => {
    const before = queue[i - 1];
    return before === undefined || (compare(before, next) || before.id - next.id) < 0;
  });
}
