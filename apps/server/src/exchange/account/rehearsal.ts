import {
  BUY,
  Engine,
  FLAG_DOWNGRADE,
  FLAG_OPENED_ON_BONUS,
  LIMIT,
  lotsForQuote,
  type MarketState,
  NO_POSITION,
  NO_SLOT,
  NO_TICKS,
  ORDER_HAS_NAME,
  ORDER_REDUCE_ONLY,
  type PlaceOrder,
  type Side,
  VOLUME_DAYS,
} from "@bourse/engine";
import { definitionOf } from "../genesis.ts";
import type { Unstamped } from "../host/exchange.ts";

type State = Engine["state"];

/** The account that asks, and the one that stands for everybody else. */
export const SELF = 1;
const OTHERS = 2;
/** As much as an account may have: whoever else is in the book can always trade. */
const OTHERS_PRINCIPAL_micros = 1e15;
/** So many orders of others are copied one by one; behind them what stands at one price counts as one order. */
const MOST_EXACT = 500;
/** Beyond so many a rehearsal gives up: somebody else waits for the same thread. */
const MOST_MAKERS = 2_000;

export type OrderOfNobody = Omit<Unstamped<PlaceOrder>, "account">;

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
  /** From the number of a live market to the one here. */
  readonly #markets = new Map<number, number>();
  /** From the live slots of own orders to their copies, until these are in the book. */
  readonly #own = new Map<number, number>();

  /** `account` is undefined where the wallet has none yet: it is then an empty one. */
  constructor(live: Engine, account: number | undefined, order: OrderOfNobody) {
    this.#live = live.state;
    const { state } = this.engine;
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
  place(order: OrderOfNobody): void {
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
    to.setPrincipal(SELF, from.principal(account));
    to.setBonus(SELF, from.bonus(account));
    to.setInFlight(SELF, from.inFlight(account));
    to.setConsumed(SELF, from.consumed(account));
    to.setLocked(SELF, from.locked(account));
    to.setExpires(SELF, from.expires_ms(account));
    to.setTier(SELF, from.tier(account));
    to.setDiscount(SELF, from.discount_bps(account));
    to.setBonusState(SELF, from.bonusState(account));
    to.setBonusLeverage(SELF, from.bonusLeverage(account));
    for (const flag of [FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS])
      if (from.hasFlag(account, flag)) to.raiseFlag(SELF, flag);
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
    this.#hold(slot, position, market);
    return slot;
  }

  /** What the engine does when an order comes to rest: into its owner's list, its lots and value held. */
  #hold(slot: number, position: number, market: MarketState): void {
    const { pool, positions } = this.engine.state;
    const last = positions.lastOrder(position);
    pool.setOwnerPrevious(slot, last);
    if (last === NO_SLOT) positions.setFirstOrder(position, slot);
    else pool.setOwnerNext(last, slot);
    positions.setLastOrder(position, slot);
    positions.addOrders(position, 1);
    const lots = pool.remainingLots(slot);
    if ((pool.flags(slot) & ORDER_REDUCE_ONLY) !== 0) positions.addReduceOnlyLots(position, lots);
    else positions.addOpen(position, pool.side(slot), pool.ticks(slot) * lots * market.terms.unit_micros, lots);
  }

  /** The other side of the book, as far as the order can reach, own orders in their places; then all other own ones. */
  #copyBook(order: OrderOfNobody): void {
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
      if (own !== undefined || makers < MOST_EXACT || pool.ticks(slot) !== pool.ticks(first)) closeRun();
      if (own !== undefined) {
        this.#own.delete(slot);
        this.market.book.rest(own);
        continue;
      }
      if (lots === 0) {
        if (makers === MOST_MAKERS) {
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

  #isWithinReach({ type, side, ticks }: OrderOfNobody, makerTicks: number): boolean {
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

  #lotsOf({ quote_micros }: OrderOfNobody, bestTicks: number): number {
    const ticks = bestTicks === NO_TICKS ? this.market.markTicks : bestTicks;
    return ticks === 0 ? 0 : lotsForQuote(quote_micros, ticks, this.market.terms.unit_micros);
  }

  /** What the market holds counts against its limit (FUT-9), also what was not copied. */
  #evenOut(number: number): void {
    const source = this.#live.markets[number]!;
    this.market.addOpenInterest(source.totalLots - this.market.totalLots);
  }
}
