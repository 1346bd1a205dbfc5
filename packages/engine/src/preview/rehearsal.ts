import { NO_SLOT } from "../book/order-pool.ts";
import { NO_TICKS } from "../book/price-levels.ts";
import { LIMIT } from "../contract/codes.ts";
import type { PlaceOrder } from "../contract/commands.ts";
import { Engine } from "../engine.ts";
import { definitionOf } from "../rules/market.ts";
import { lotsForQuote } from "../rules/notional.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";
import { BUY, type Side } from "../side.ts";
import { ACCOUNTS } from "../snapshot/state-tables.ts";
import { OWN_TERMS } from "../state/accounts.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import { ConditionalDesk } from "../trading/conditional-desk.ts";
import { Ledger } from "../trading/ledger.ts";
import { OpenOrders } from "../trading/open-orders.ts";

/** The account that asks, and the one that stands for everybody else. */
export const SELF = 1;
const OTHERS = 2;
/** As much as an account may have: whoever else is in the book can always trade. */
const OTHERS_PRINCIPAL_micros = 1e15;
/** So many orders of others are copied one by one; behind them what stands at one price counts as one order. */
const MAX_EXACT = 500;
/** Beyond so many a rehearsal gives up: somebody else waits for the same thread. */
const MAX_MAKERS = 2_000;

/** An order that nobody has placed. */
export type OrderDraft = Omit<PlaceOrder, "account" | "time_ms">;

/**
 * A small engine for one order: it holds the account with its symbols and open orders, and of the book what the order
 * would meet. The order is then placed there, by the engine's own rules, and the live engine is only read. The affairs of
 * others are left out: their orders in the book are taken to be good for all their lots, and no conditional order fires.
 */
export class Rehearsal {
  readonly engine = new Engine();
  /** The order's market there. */
  readonly market: MarketState;
  /** Whether the order would meet more orders than were copied: then it says nothing. */
  isCut = false;
  readonly #live: State;
  readonly #openOrders: OpenOrders;
  /** From the number of a live market to the one here. */
  readonly #markets = new Map<number, number>();
  /** From the live slots of own orders to their copies, until these are in the book. */
  readonly #own = new Map<number, number>();

  /** `account` is undefined where the wallet has none yet: it is then an empty one. */
  constructor(live: Engine, account: number | undefined, order: OrderDraft) {
    this.#live = live.state;
    const { state } = this.engine;
    this.#openOrders = new OpenOrders(state, new Ledger(state), new ConditionalDesk(state));
    state.time_ms = live.state.time_ms;
    state.day = live.state.day;
    state.lastOrderId = live.state.lastOrderId;
    state.accounts.open();
    state.accounts.open();
    state.accounts.setPrincipal(OTHERS, OTHERS_PRINCIPAL_micros);
    this.market = this.#copyMarket(order.market);
    if (account !== undefined) this.#copyAccount(account);
    this.#copyBook(order);
    this.#evenOut(order.market);
  }

  /** Places the order; `engine.events` and `engine.state` say what became of it. */
  place(order: OrderDraft): void {
    const { state } = this.engine;
    this.engine.apply({ ...order, market: this.market.number, account: SELF, time_ms: state.time_ms });
  }

  #copyMarket(number: number): MarketState {
    const known = this.#markets.get(number);
    const { state } = this.engine;
    if (known !== undefined) return state.markets[known]!;
    const source = this.#live.markets[number]!;
    this.engine.apply({ kind: "add_market", time_ms: state.time_ms, definition: definitionOf(source.terms) });
    const market = state.markets.at(-1)!;
    this.#markets.set(number, market.number);
    if (source.markTicks !== 0) market.setPrices(source.indexTicks, source.markTicks);
    market.lastTicks = source.lastTicks;
    market.status = source.status;
    return market;
  }

  #copyAccount(account: number): void {
    const from = this.#live.accounts;
    const to = this.engine.state.accounts;
    // Fees do not depend on terms, and the leader is not here.
    const own = { termsVersion: 0, termsLeader: OWN_TERMS };
    ACCOUNTS.restore(to, SELF, { ...ACCOUNTS.rowOf(from, account), ...own });
    const start = from.volumesAt(account);
    to.volumes.set(from.volumes.subarray(start, start + VOLUME_DAYS), to.volumesAt(SELF));
    to.setVolume14d(SELF, from.volume14d(account));
    const { positions } = this.#live;
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

  /** Not in the book yet: its place there is among the others'. */
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
    const flags = account === SELF ? from.flags(source) : 0;
    const slot = pool.take(from.id(source), account, market.number, from.side(source), from.ticks(source), lots, flags);
    pool.setPosition(slot, position);
    details.created(slot, 0);
    this.#openOrders.add(slot);
    return slot;
  }

  /** The other side of the book, as far as the order can reach, own orders in their places; then all other own ones. */
  #copyBook(order: OrderDraft): void {
    const { pool, markets } = this.#live;
    const { book } = markets[order.market]!;
    const side = (order.side ^ 1) as Side;
    const others = this.#symbolOfOthers();
    let makers = 0;
    // Orders of others side by side at one price, which become one.
    let first = NO_SLOT;
    let lots = 0;
    const closeRun = () => {
      if (lots > 0) this.market.book.rest(this.#copyOrder(first, OTHERS, others, this.market, lots));
      lots = 0;
    };
    let left = order.lots > 0 ? order.lots : this.#lotsOf(order, book.bestTicks(side));
    for (let slot = book.firstInLine(side); slot !== NO_SLOT && left > 0; slot = book.nextInLine(slot)) {
      // The best price is a reference, whether or not the order reaches it.
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
    const { number, positions, terms } = this.market;
    const { positions: symbols } = this.engine.state;
    const others = symbols.create(OTHERS, number, terms.defaultLeverage, OTHERS_PRINCIPAL_micros);
    positions.push(others);
    return others;
  }

  #lotsOf({ quote_micros }: OrderDraft, bestTicks: number): number {
    const ticks = bestTicks === NO_TICKS ? this.market.markTicks : bestTicks;
    return ticks === 0 ? 0 : lotsForQuote(quote_micros, ticks, this.market.terms.unit_micros);
  }

  /** What the market holds counts against its limit (FUT-9), also what was not copied. */
  #evenOut(number: number): void {
    const source = this.#live.markets[number]!;
    this.market.addOpenInterest(source.totalLots - this.market.totalLots);
  }
}
