import { NO_SLOT } from "../book/order-pool.ts";
import { FUND_ACCOUNT } from "../contract/codes.ts";
import { BUY, SELL } from "../side.ts";
import { ORDER_HAS_NAME, ORDER_REDUCE_ONLY } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { nameOf } from "./entries.ts";
import type { Findings } from "./findings.ts";

/** What the resting orders of an entry hold, computed from the orders. */
interface Held {
  orders: number;
  readonly value: [bigint, bigint];
  readonly lots: [bigint, bigint];
  readonly reduceOnlyLots: [bigint, bigint];
}

/** Checks resting orders against the sums kept per entry and against the lists of their owners. */
export function checkOrders(state: State, { problems }: Findings): void {
  const held = new Map<number, Held>();
  let resting = 0;
  for (const { book } of state.markets) {
    book.forEachResting((slot) => {
      resting += 1;
      addTo(state, held, slot);
      checkOrder(state, slot, problems);
    });
  }
  const { pool, positions } = state;
  if (pool.taken !== resting) problems.push(`${pool.taken} orders are in memory, ${resting} rest in the books`);
  for (let position = 1; position <= positions.count; position += 1) {
    checkHolds(state, position, held.get(position) ?? nothing(), problems);
    checkOwnerList(state, position, held.get(position)?.orders ?? 0, problems);
  }
}

function nothing(): Held {
  return { orders: 0, value: [0n, 0n], lots: [0n, 0n], reduceOnlyLots: [0n, 0n] };
}

function addTo({ pool, markets }: State, held: Map<number, Held>, slot: number): void {
  const position = pool.position(slot);
  const sums = held.get(position) ?? nothing();
  held.set(position, sums);
  const side = pool.side(slot) === BUY ? BUY : SELL;
  const lots = BigInt(pool.remainingLots(slot));
  sums.orders += 1;
  if ((pool.flags(slot) & ORDER_REDUCE_ONLY) !== 0) {
    sums.reduceOnlyLots[side] += lots;
    return;
  }
  sums.lots[side] += lots;
  sums.value[side] += lots * BigInt(pool.ticks(slot)) * BigInt(markets[pool.market(slot)]!.definition.unit_micros);
}

function checkOrder(
  { pool, positions, details, expiries, lastOrderId }: State,
  slot: number,
  problems: string[],
): void {
  const id = pool.id(slot);
  const account = pool.account(slot);
  const position = pool.position(slot);
  if (id > lastOrderId) problems.push(`order ${id} is numbered beyond the last id ${lastOrderId}`);
  const isItsOwn = positions.account(position) === account && positions.market(position) === pool.market(slot);
  if (!isItsOwn || account === FUND_ACCOUNT) problems.push(`order ${id} does not belong to the symbol it names`);
  const executed = pool.originalLots(slot) - pool.remainingLots(slot);
  if ((executed === 0) !== (pool.quote_micros(slot) === 0)) {
    problems.push(`order ${id} has executed ${executed} lots for ${pool.quote_micros(slot)}`);
  }
  const goodTill_ms = details.goodTill_ms(slot);
  const end = expiries.endOf(id) ?? 0;
  if (end !== goodTill_ms) problems.push(`order ${id} ends at ${end}, not at ${goodTill_ms}`);
  if ((pool.flags(slot) & ORDER_HAS_NAME) === 0) return;
  const named = details.idOfName(account, details.clientId(slot));
  if (named !== id) problems.push(`the client id of order ${id} leads to ${named}`);
}

function checkHolds(state: State, position: number, held: Held, problems: string[]): void {
  const { positions } = state;
  const wrong = (what: string, kept: number, real: bigint | number): void => {
    if (BigInt(kept) !== BigInt(real)) problems.push(`${nameOf(state, position)} keeps ${kept} ${what}, not ${real}`);
  };
  for (const side of [BUY, SELL] as const) {
    wrong(`of open value on side ${side}`, positions.openValue(position, side), held.value[side]);
    wrong(`open lots on side ${side}`, positions.openLots(position, side), held.lots[side]);
    // FUT-6: reduce-only orders are on the side that reduces the position, and hold no more lots than it.
    const against = BigInt(Math.max(0, side === BUY ? 0 - positions.lots(position) : positions.lots(position)));
    if (held.reduceOnlyLots[side] > against) {
      const lots = held.reduceOnlyLots[side];
      problems.push(
        `FUT-6: ${nameOf(state, position)} has ${lots} reduce-only lots on side ${side}, ${against} to reduce`,
      );
    }
  }
  wrong("reduce-only lots", positions.reduceOnlyLots(position), held.reduceOnlyLots[BUY] + held.reduceOnlyLots[SELL]);
  wrong("open orders", positions.orders(position), held.orders);
}

/** Checks the list from the oldest to the newest and back; each order in it rests. */
function checkOwnerList(state: State, position: number, orders: number, problems: string[]): void {
  const { pool, positions, markets } = state;
  let count = 0;
  let previous = NO_SLOT;
  for (let slot = positions.firstOrder(position); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
    count += 1;
    const isResting = pool.isTaken(slot) && markets[pool.market(slot)]?.book.find(pool.id(slot)) === slot;
    const isLinked = pool.position(slot) === position && pool.ownerPrevious(slot) === previous;
    if (!isResting || !isLinked || count > orders) {
      problems.push(`${nameOf(state, position)} has a broken list of orders at slot ${slot}`);
      return;
    }
    previous = slot;
  }
  if (count !== orders || positions.lastOrder(position) !== previous) {
    problems.push(`${nameOf(state, position)} lists ${count} open orders of ${orders}`);
  }
}
