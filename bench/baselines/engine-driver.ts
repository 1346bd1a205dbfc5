import assert from "node:assert/strict";
import { Prng } from "../../packages/engine/src/book/testing/prng.ts";
import {
  type CancelOrder,
  defaultRules,
  Engine,
  EVENT_KINDS,
  GTC,
  IOC,
  LIMIT as LIMIT_ORDER,
  MAJOR_BRACKETS,
  MARKET as MARKET_ORDER,
  type MarketDefinition,
  type MarketRules,
  NEWEST_RULES,
  type PlaceOrder,
  RULES_WITH_FAIR_MARKETS,
  STP_NONE,
  State,
} from "../../packages/engine/src/index.ts";
import { CANCEL, LIMIT, MARKET, type Stream } from "./order-book-stream.ts";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Bands and brackets are wide enough for a stream that ignores them; all checks still run. */
const DEFINITION: MarketDefinition = {
  symbol: "BENCHUSDT",
  tickSize_e8: 1_000_000,
  lotSize_e8: 10_000,
  minNotional_micros: 1,
  maxNotional_micros: 1e13,
  percentPrice_e8: 90_000_000,
  marketBound_e8: 90_000_000,
  liquidationFee_e8: 500_000,
  defaultLeverage: 20,
  maxOpenOrders: 200,
  maxConditionalOrders: 100,
  brackets: MAJOR_BRACKETS,
};
const WIDE_e8 = 90_000_000;
/** From version 5 on the bounds are these. All prices are fair, so that every version counts the same volumes. */
const WIDE_RULES: MarketRules = {
  ...defaultRules(MAJOR_BRACKETS),
  priceBand_e8: WIDE_e8,
  marketBound_e8: WIDE_e8,
  fairBound_e8: WIDE_e8,
};
/** Behind any open interest of the stream. */
const FUND_micros = 1e13;
const MARK_TICKS = 1_000_000;
/** Ten thousand USDT each. */
const DEPOSIT_micros = 1e10;
const REFUSED = EVENT_KINDS.indexOf("refused");

/** The whole engine on the stream of the book's bench: every order has an account, margin, fees, positions and events. */
export class FullEngineDriver {
  readonly engine: Engine;
  readonly #stream: Stream;
  /** By operation: the account of the order, and the engine's id of the order that a cancel names. */
  readonly #owners: Int32Array;
  readonly #targets: Int32Array;
  readonly accounts: number;
  events = 0;
  refusals = 0;

  readonly #place: Mutable<PlaceOrder> = {
    kind: "place_order",
    time_ms: 1,
    account: 0,
    market: 0,
    side: 0,
    type: LIMIT_ORDER,
    timeInForce: GTC,
    ticks: 0,
    lots: 0,
    quote_micros: 0,
    isReduceOnly: false,
    selfTradePrevention: STP_NONE,
    clientId: "",
    maxSlippage_e8: -1,
    takeProfit: null,
    stopLoss: null,
  };
  readonly #cancel: Mutable<CancelOrder> = {
    kind: "cancel_order",
    time_ms: 1,
    account: 0,
    order: 0,
    clientId: "",
    scope: 1,
  };

  constructor(stream: Stream, accounts: number, rulesVersion: number = NEWEST_RULES) {
    this.engine = new Engine(new State(rulesVersion));
    this.#stream = stream;
    this.accounts = accounts;
    this.#owners = new Int32Array(stream.length);
    this.#targets = new Int32Array(stream.length);
    const random = new Prng(7);
    // By the stream's order id: its account, and the id that the engine assigns, which counts the orders.
    const ownerOf = new Int32Array(stream.length + 1);
    const engineId = new Int32Array(stream.length + 1);
    let orders = 0;
    for (let i = 0; i < stream.length; i++) {
      const id = stream.ids[i]!;
      if (stream.kinds[i] !== CANCEL) {
        orders += 1;
        engineId[id] = orders;
        ownerOf[id] = 1 + random.below(accounts);
      }
      this.#owners[i] = ownerOf[id]!;
      this.#targets[i] = engineId[id]!;
    }
    this.#open(accounts);
  }

  get trades(): number {
    return this.engine.state.markets[0]!.trades;
  }

  get restingLots(): number {
    const { bids, asks } = this.engine.state.markets[0]!.book;
    return bids.lots + asks.lots;
  }

  /** Moves the mark price by some ticks, so that every position of the market is checked for liquidation. */
  setMark(ticks: number): void {
    const markTicks = MARK_TICKS + ticks;
    this.engine.apply({ kind: "set_price", time_ms: 1, market: 0, indexTicks: markTicks, markTicks });
  }

  run(from: number, to: number): void {
    const { kinds, sides, ticks, lots } = this.#stream;
    const { engine } = this;
    const owners = this.#owners;
    const targets = this.#targets;
    const place = this.#place;
    const cancel = this.#cancel;
    for (let i = from; i < to; i++) {
      const kind = kinds[i]!;
      if (kind === CANCEL) {
        cancel.order = targets[i]!;
        cancel.account = owners[i]!;
        engine.apply(cancel);
      } else {
        place.account = owners[i]!;
        place.side = sides[i] as 0 | 1;
        place.type = kind === MARKET ? MARKET_ORDER : LIMIT_ORDER;
        place.timeInForce = kind === LIMIT ? GTC : IOC;
        place.ticks = kind === MARKET ? 0 : ticks[i]!;
        place.lots = lots[i]!;
        engine.apply(place);
      }
      this.events += engine.events.count;
      if (engine.events.data[0] === REFUSED) this.refusals += 1;
    }
  }

  #open(accounts: number): void {
    const { engine } = this;
    const isFair = engine.state.rulesVersion >= RULES_WITH_FAIR_MARKETS;
    const definition = isFair ? { ...DEFINITION, rules: WIDE_RULES } : DEFINITION;
    engine.apply({ kind: "add_market", time_ms: 1, definition });
    engine.apply({ kind: "set_price", time_ms: 1, market: 0, indexTicks: MARK_TICKS, markTicks: MARK_TICKS });
    for (let account = 1; account <= accounts; account++) {
      engine.apply({ kind: "open_account", time_ms: 1, account });
      engine.apply({ kind: "deposit", time_ms: 1, number: account, account, amount_micros: DEPOSIT_micros });
      assert.equal(engine.events.decode()[0]!.kind, "deposited");
    }
    engine.apply({ kind: "seed_fund", time_ms: 1, number: accounts + 1, amount_micros: FUND_micros });
  }
}
