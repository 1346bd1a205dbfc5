import { NO_SLOT } from "../book/order-pool.ts";
import { NO_TICKS } from "../book/price-levels.ts";
import { FUND_ACCOUNT, LIMIT } from "../contract/codes.ts";
import type { PlaceOrder } from "../contract/commands.ts";
import { Engine } from "../engine.ts";
import { fundEquity } from "../risk/fund-equity.ts";
import { definitionOf } from "../rules/market.ts";
import { lotsForQuote } from "../rules/notional.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";
import { BUY, type Side } from "../side.ts";
import { ACCOUNTS } from "../snapshot/state-tables.ts";
import { OWN_TERMS } from "../state/accounts.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_END, ORDER_HAS_NAME } from "../state/order-details.ts";
import { NO_POSITION } from "../state/positions.ts";
import { State } from "../state/state.ts";
import { ConditionalDesk } from "../trading/conditional-desk.ts";
import { Ledger } from "../trading/ledger.ts";
import { OpenOrders } from "../trading/open-orders.ts";

/** The account of the preview, and the one that stands for all others. */
export const SELF = 1;
const OTHERS = 2;
/** The largest principal of an account, so that the other orders of the book can always trade. */
const OTHERS_PRINCIPAL_micros = 1e15;
/**
 * This many orders of other accounts are copied one by one; behind them, the orders at one price are merged into one.
 */
const MAX_EXACT = 500;
/** The largest number of makers of a rehearsal: other requests wait for the same thread. */
const MAX_MAKERS = 2_000;

/** An order that is not placed. */
export type OrderDraft = Omit<PlaceOrder, "account" | "time_ms">;

/**
 * A small engine for one order: it contains the account with its entries and open orders, and the part of the book that
 * the order would meet. The order is placed there, by the engine's own rules; the live engine is only read. The state
 * of other accounts is left out: their resting orders are assumed to fill all their lots, and no conditional order
 * fires.
 */
export class Rehearsal {
  readonly engine: Engine;
  /** The order's market in the small engine. */
  readonly market: MarketState;
  /** Whether the order would meet more orders than were copied: then there is no result. */
  isCut = false;
  readonly #live: State;
  readonly #openOrders: OpenOrders;
  /** From the number of a live market to its number here. */
  readonly #markets = new Map<number, number>();
  /** From the live slots of the account's own orders to their copies, until these are in the book. */
  readonly #own = new Map<number, number>();

  /** An undefined `account` stands for an empty one. */
  constructor(live: Engine, account: number | undefined, order: OrderDraft) {
    this.#live = live.state;
    this.engine = new Engine(new State(live.state.rulesVersion));
    const { state } = this.engine;
    this.#openOrders = new OpenOrders(state, new Ledger(state), new ConditionalDesk(state));
    state.time_ms = live.state.time_ms;
    state.day = live.state.day;
    state.lastOrderId = live.state.lastOrderId;
    state.accounts.open();
    state.accounts.open();
    state.accounts.setPrincipal(OTHERS, OTHERS_PRINCIPAL_micros);
    // FUT-10: the fund's equity, without its positions.
    state.accounts.setPrincipal(FUND_ACCOUNT, fundEquity(live.state));
    this.market = this.#copyMarket(order.market);
    if (account !== undefined) this.#copyAccount(account);
    this.#copyBook(order);
    this.#evenOut(order.market);
  }

  /** Places the order; `engine.events` and `engine.state` have the result. */
  place(order: OrderDraft): void {
    const { state } = this.engine;
    this.engine.apply({ ...order, market: this.market.number, account: SELF, time_ms: state.time_ms });
  }

  #copyMarket(number: number): MarketState {
    const known = this.#markets.get(number);
    const { state } = this.engine;
    if (known !== undefined) return state.markets[known]!;
    const source = this.#live.markets[number]!;
    this.engine.apply({ kind: "add_market", time_ms: state.time_ms, definition: definitionOf(source.definition) });
    const market = state.markets.at(-1)!;
    this.#markets.set(number, market.number);
    market.rules = source.rules;
    const now_s = Math.floor(state.time_ms / 1000);
    for (const { second, highest, lowest } of source.indexWindow.seconds(now_s)) {
      market.indexWindow.restore(second, highest, lowest);
    }
    if (source.markTicks !== 0) market.setPrices(source.indexTicks, source.markTicks);
    market.lastTicks = source.lastTicks;
    market.status = source.status;
    return market;
  }

  #copyAccount(account: number): void {
    const from = this.#live.accounts;
    const to = this.engine.state.accounts;
    // Fees do not depend on terms, and the leader is not copied.
    const own = { termsVersion: 0, termsLeader: OWN_TERMS };
    ACCOUNTS.restore(to, SELF, { ...ACCOUNTS.rowOf(from, account), ...own });
    const start = from.volumesAt(account);
    to.volumes.set(from.volumes.subarray(start, start + VOLUME_DAYS), to.volumesAt(SELF));
    to.setVolume14d(SELF, from.volume14d(account));
    const { positions, fairness } = this.#live;
    const bonus = fairness.bonuses.get(account);
    if (bonus !== undefined) this.engine.state.fairness.bonuses.set(SELF, { ...bonus });
    for (let at = from.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) this.#copySymbol(at);
    for (const { clientId, id } of this.#live.conditionals.ofAccount(account)) {
      this.engine.state.details.addName(SELF, clientId, id);
    }
  }

  #copySymbol(source: number): void {
    const from = this.#live.positions;
    const { accounts, positions: to } = this.engine.state;
    const market = this.#copyMarket(from.market(source));
    const position = to.create(SELF, market.number, from.leverage(source), from.maxNotional(source));
    market.positions.push(position);
    to.setHolding(position, from.lots(source), from.cost(source));
    to.setIsolated(position, from.isolated(source));
    to.setMode(position, from.mode(source));
    to.addConditionals(position, from.conditionals(source));
    if (from.lots(source) !== 0) accounts.addOpenPositions(SELF, 1);
    for (let slot = from.firstOrder(source); slot !== NO_SLOT; slot = this.#live.pool.ownerNext(slot)) {
      this.#copyOwnOrder(slot, position, market);
    }
  }

  /** The copy is not in the book yet: `#copyBook` inserts it at its rank among the others. */
  #copyOwnOrder(source: number, position: number, market: MarketState): void {
    const { pool, details } = this.engine.state;
    const { pool: from } = this.#live;
    const slot = this.#copyOrder(source, SELF, position, market, from.remainingLots(source));
    pool.setOriginalLots(slot, from.originalLots(source));
    pool.addQuote(slot, from.quote_micros(source));
    if ((pool.flags(slot) & ORDER_HAS_NAME) !== 0) {
      const clientId = this.#live.details.clientId(source);
      details.setClientId(slot, clientId);
      details.addName(SELF, clientId, pool.id(slot));
    }
    this.#own.set(source, slot);
  }

  #copyOrder(source: number, account: number, position: number, market: MarketState, lots: number): number {
    const from = this.#live.pool;
    const { pool, details } = this.engine.state;
    // Nothing ends in a rehearsal, whose time stands still.
    const flags = account === SELF ? from.flags(source) & ~ORDER_HAS_END : 0;
    const slot = pool.take(from.id(source), account, market.number, from.side(source), from.ticks(source), lots, flags);
    pool.setPosition(slot, position);
    details.created(slot, 0, 0, 0);
    this.#openOrders.add(slot);
    return slot;
  }

  /**
   * Copies the other side of the book as far as the order can reach, own orders at their ranks; then the remaining own
   * orders.
   */
  #copyBook(order: OrderDraft): void {
    const { pool, markets } = this.#live;
    const { book } = markets[order.market]!;
    const side = (order.side ^ 1) as Side;
    const others = this.#symbolOfOthers();
    let makers = 0;
    // Neighbouring orders of other accounts at one price, which are merged into one.
    let first = NO_SLOT;
    let lots = 0;
    const closeRun = () => {
      if (lots > 0) this.market.book.rest(this.#copyOrder(first, OTHERS, others, this.market, lots));
      lots = 0;
    };
    let left = order.lots > 0 ? order.lots : this.#lotsOf(order, book.bestTicks(side));
    for (let slot = book.firstInLine(side); slot !== NO_SLOT && left > 0; slot = book.nextInLine(slot)) {
      // The best price is the reference price, even if the order does not reach it.
      if (makers > 0 && !this.#isWithinReach(order, pool.ticks(slot))) break;
      const own = this.#own.get(slot);
      if (own !== undefined || makers < MAX_EXACT || pool.ticks(slot) !== pool.ticks(first)) closeRun();
      if (own !== undefined) {
        this.#own.delete(slot);
        this.market.book.rest(own);
        continue;
      }
      if (lots === 0) {
        if (makers === MAX_MAKERS) {
          this.isCut = true;
          break;
        }
        makers += 1;
        first = slot;
      }
      lots += pool.remainingLots(slot);
      left -= pool.remainingLots(slot);
    }
    closeRun();
    const here = this.engine.state;
    for (const own of this.#own.values()) here.markets[here.pool.market(own)]!.book.rest(own);
  }

  #isWithinReach({ type, side, ticks }: OrderDraft, makerTicks: number): boolean {
    const reach = type === LIMIT ? ticks : this.market.boundTicks[side];
    return side === BUY ? makerTicks <= reach : makerTicks >= reach;
  }

  #symbolOfOthers(): number {
    const { number, positions, definition } = this.market;
    const { positions: symbols } = this.engine.state;
    const others = symbols.create(OTHERS, number, definition.defaultLeverage, OTHERS_PRINCIPAL_micros);
    positions.push(others);
    return others;
  }

  #lotsOf({ quote_micros }: OrderDraft, bestTicks: number): number {
    const ticks = bestTicks === NO_TICKS ? this.market.markTicks : bestTicks;
    return ticks === 0 ? 0 : lotsForQuote(quote_micros, ticks, this.market.definition.unit_micros);
  }

  /** The market's limit (FUT-9) counts everything that it holds, so what was not copied is added. */
  #evenOut(number: number): void {
    const source = this.#live.markets[number]!;
    this.market.addOpenInterest(source.openInterestLots - this.market.openInterestLots);
    this.market.restingElsewhere = source.totalLots - this.market.totalLots;
  }
}
