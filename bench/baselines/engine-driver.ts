import assert from "node:assert/strict";
import {
  type CancelOrder,
  Engine,
  IOC,
  GTC,
  LIMIT as LIMIT_ORDER,
  MAJOR_BRACKETS,
  MARKET as MARKET_ORDER,
  type MarketDefinition,
  type PlaceOrder,
  STP_NONE,
} from "../../packages/engine/src/index.ts";
import { Prng } from "../../packages/engine/src/book/testing/prng.ts";
import { CANCEL, LIMIT, MARKET, type Stream, type Tally } from "./order-book-stream.ts";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Bands and brackets wide enough for a stream that knows neither; the checks themselves are all made. */
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
const MARK_TICKS = 1_000_000;
const DEPOSIT_micros = 1e12;

/** The whole engine on the stream of the book's bench: every order has an account, margin, fees, positions and events. */
export class FullEngineDriver {
  readonly engine = new Engine();
  readonly #stream: Stream;
  /** By operation: whose order it is. */
  readonly #accounts: Int32Array;
  /** By the stream's order id: the id that the engine gives it, which is the number of orders before it plus one. */
  readonly #engineIds: Int32Array;
  /** By the stream's order id. */
  readonly #owners: Int32Array;
  #number = 0;
  trades = 0;
  events = 0;

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

  constructor(stream: Stream, accounts: number) {
    this.#stream = stream;
    this.#accounts = new Int32Array(stream.length);
    this.#engineIds = new Int32Array(stream.length + 1);
    this.#owners = new Int32Array(stream.length + 1);
    const random = new Prng(7);
    let orders = 0;
    for (let i = 0; i < stream.length; i++) {
      const account = 1 + random.below(accounts);
      this.#accounts[i] = account;
      if (stream.kinds[i] === CANCEL) continue;
      orders += 1;
      this.#engineIds[stream.ids[i]!] = orders;
      this.#owners[stream.ids[i]!] = account;
    }
    this.#open(accounts);
  }

  run(from: number, to: number): void {
    const { kinds, sides, ticks, lots, ids } = this.#stream;
    const { engine } = this;
    const place = this.#place;
    const cancel = this.#cancel;
    for (let i = from; i < to; i++) {
      const kind = kinds[i]!;
      if (kind === CANCEL) {
        cancel.order = this.#engineIds[ids[i]!]!;
        cancel.account = this.#owners[ids[i]!]!;
        engine.apply(cancel);
      } else {
        place.account = this.#accounts[i]!;
        place.side = sides[i] as 0 | 1;
        place.type = kind === MARKET ? MARKET_ORDER : LIMIT_ORDER;
        place.timeInForce = kind === LIMIT ? GTC : IOC;
        place.ticks = kind === MARKET ? 0 : ticks[i]!;
        place.lots = lots[i]!;
        engine.apply(place);
      }
      this.events += engine.events.count;
    }
  }

  tally(): Tally {
    const market = this.engine.state.markets[0]!;
    return {
      trades: market.trades,
      tradedLots: Number.NaN,
      restingLots: market.book.bids.lots + market.book.asks.lots,
    };
  }

  #open(accounts: number): void {
    const { engine } = this;
    engine.apply({ kind: "add_market", time_ms: 1, definition: DEFINITION });
    engine.apply({ kind: "set_price", time_ms: 1, market: 0, indexTicks: MARK_TICKS, markTicks: MARK_TICKS });
    for (let account = 1; account <= accounts; account++) {
      engine.apply({ kind: "open_account", time_ms: 1, account });
      this.#number += 1;
      engine.apply({ kind: "deposit", time_ms: 1, number: this.#number, account, amount_micros: DEPOSIT_micros });
      assert.equal(engine.events.decode()[0]!.kind, "deposited");
    }
  }
}
