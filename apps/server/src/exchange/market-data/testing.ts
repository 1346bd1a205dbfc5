import {
  BUY,
  type Command,
  type ConditionalType,
  definitionOf,
  Engine,
  FIRST_MARKETS,
  GTC,
  IOC,
  LIMIT,
  MARKET,
  NO_MARKET,
  type OrderTerms,
  PLAIN_ORDER,
  type PlaceConditional,
  type PlaceOrder,
  SCOPE_BOTH,
  SELL,
} from "@bourse/engine";
import { ManualClock } from "../../kernel/clock.ts";
import type { Applied, Exchange, Unstamped } from "../host/exchange.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";

export const TEST_START_ms = Date.UTC(2026, 5, 1, 12);
export const BTC = 0;
/** 60,000.0 in ticks of 0.1. */
export const BTC_TICKS = 600_000;
const USDT_micros = 1_000_000;

interface OrderOptions extends OrderTerms {
  readonly market?: number;
  readonly ticks?: number;
  readonly timeInForce?: PlaceOrder["timeInForce"];
  readonly isReduceOnly?: boolean;
  readonly clientId?: string;
}

/** An exchange in memory with the first markets and their prices, used in ticks and lots. */
export class ExchangeForTests {
  readonly clock = new ManualClock(TEST_START_ms);
  readonly engine = new Engine();
  readonly exchange: Exchange;
  #number = 0;

  constructor() {
    this.exchange = createMemoryExchange({ engine: this.engine, clock: this.clock, maxCommandsWaiting: 100_000 });
  }

  async begin(): Promise<this> {
    for (const market of FIRST_MARKETS) await this.submit({ kind: "add_market", definition: definitionOf(market) });
    await this.price(BTC_TICKS);
    return this;
  }

  submit(command: Unstamped): Promise<Applied> {
    return this.exchange.submit(command);
  }

  /** Opens an account with money in whole USDT. */
  async trader(usdt = 1_000_000): Promise<number> {
    const account = this.engine.state.accounts.count + 1;
    await this.submit({ kind: "open_account", account });
    await this.deposit(account, usdt);
    return account;
  }

  deposit(account: number, usdt: number): Promise<Applied> {
    return this.outside({ kind: "deposit", account, amount_micros: usdt * USDT_micros });
  }

  outside(command: object): Promise<Applied> {
    this.#number += 1;
    return this.submit({ ...command, number: this.#number } as unknown as Unstamped<Command>);
  }

  price(ticks: number, market = BTC): Promise<Applied> {
    return this.submit({ kind: "set_price", market, indexTicks: ticks, markTicks: ticks });
  }

  buy(account: number, lots: number, options: OrderOptions = {}): Promise<Applied> {
    return this.submit(orderOf(account, BUY, lots, options));
  }

  sell(account: number, lots: number, options: OrderOptions = {}): Promise<Applied> {
    return this.submit(orderOf(account, SELL, lots, options));
  }

  conditional(account: number, type: ConditionalType, options: Partial<PlaceConditional>): Promise<Applied> {
    return this.submit({
      kind: "place_conditional",
      account,
      market: BTC,
      side: SELL,
      type,
      ticks: 0,
      timeInForce: IOC,
      lots: 1,
      triggerTicks: 0,
      activateTicks: 0,
      callback_bps: 0,
      workingType: 0,
      isReduceOnly: false,
      isClosePosition: false,
      isPriceProtected: false,
      keepsId: false,
      selfTradePrevention: 0,
      clientId: "",
      ...options,
    });
  }

  /** Cancels all orders and conditional orders. */
  async clear(): Promise<void> {
    for (let account = 1; account <= this.engine.state.accounts.count; account += 1) {
      await this.submit({ kind: "cancel_all", account, market: NO_MARKET, scope: SCOPE_BOTH });
    }
  }

  cancel(account: number, order: number): Promise<Applied> {
    return this.submit({ kind: "cancel_order", account, order, clientId: "", scope: SCOPE_BOTH });
  }
}

function orderOf(
  account: number,
  side: typeof BUY | typeof SELL,
  lots: number,
  options: OrderOptions,
): Unstamped<PlaceOrder> {
  const { market = BTC, ticks = 0, isReduceOnly = false, clientId = "", goodTill_ms = 0, priceMatch = 0 } = options;
  const isMarket = ticks === 0 && priceMatch === 0;
  return {
    ...PLAIN_ORDER,
    account,
    market,
    side,
    type: isMarket ? MARKET : LIMIT,
    timeInForce: isMarket ? IOC : (options.timeInForce ?? GTC),
    ticks,
    lots,
    isReduceOnly,
    clientId,
    goodTill_ms,
    priceMatch,
  };
}
