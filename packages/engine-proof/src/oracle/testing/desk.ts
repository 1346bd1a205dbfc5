import {
  type Command,
  type EngineEvent,
  type EventKind,
  type EventOf,
  type MarketDefinition,
  NEWEST_RULES,
  type PlaceConditional,
  type PlaceOrder,
} from "@bourse/engine";
import { NaiveEngine } from "../model.ts";
import { BUY, IOC, LIMIT, MARKET, STOP, type World } from "../state.ts";

export const USDT = 1_000_000;

/** A command without the fields that the desk fills in. */
type Without<T, Names extends PropertyKey> = T extends unknown ? Omit<T, Names> : never;

/** A naive engine with helpers for tests: prices in ticks, amounts in USDT, no fees by default. */
export class Desk {
  readonly model: NaiveEngine;
  time_ms = 1_790_000_000_000;
  #number = 0;

  constructor(rulesVersion: number = NEWEST_RULES) {
    this.model = new NaiveEngine(rulesVersion);
  }

  get world(): World {
    return this.model.world;
  }

  run(command: Without<Command, "time_ms">): EngineEvent[] {
    return this.model.apply({ ...command, time_ms: this.time_ms } as Command);
  }

  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  market(definition: MarketDefinition, ticks: number): number {
    this.run({ kind: "add_market", definition });
    const market = this.world.markets.length - 1;
    this.price(ticks, market);
    return market;
  }

  account(usdt: number, discount_bps = 10_000): number {
    const account = this.world.accounts.length;
    this.run({ kind: "open_account", account });
    if (usdt > 0) this.run({ kind: "deposit", account, number: this.nextNumber(), amount_micros: usdt * USDT });
    this.run({ kind: "set_discount", account, number: this.nextNumber(), discount_bps });
    return account;
  }

  price(ticks: number, market = 0): EngineEvent[] {
    return this.run({ kind: "set_price", market, indexTicks: ticks, markTicks: ticks });
  }

  leverage(account: number, leverage: number, market = 0): EngineEvent[] {
    return this.run({ kind: "set_leverage", account, market, leverage });
  }

  /** By default a good-till-cancelled limit order. */
  order(fields: Partial<PlaceOrder> & Pick<PlaceOrder, "account" | "side" | "lots">): EngineEvent[] {
    const isMarketOrder = fields.ticks === undefined;
    return this.run({
      kind: "place_order",
      market: 0,
      type: isMarketOrder ? MARKET : LIMIT,
      timeInForce: isMarketOrder ? IOC : 0,
      ticks: 0,
      quote_micros: 0,
      isReduceOnly: false,
      selfTradePrevention: 0,
      clientId: "",
      maxSlippage_e8: -1,
      takeProfit: null,
      stopLoss: null,
      ...fields,
    });
  }

  /** By default a stop that places a market order. */
  conditional(fields: Partial<PlaceConditional> & Pick<PlaceConditional, "account" | "side" | "lots">): EngineEvent[] {
    return this.run({
      kind: "place_conditional",
      market: 0,
      type: STOP,
      ticks: 0,
      timeInForce: IOC,
      triggerTicks: 0,
      activateTicks: 0,
      callback_bps: 0,
      workingType: 1,
      isReduceOnly: false,
      isClosePosition: false,
      isPriceProtected: false,
      keepsId: false,
      selfTradePrevention: 0,
      clientId: "",
      ...fields,
    });
  }

  /** The two accounts trade with each other; the first is the taker. */
  trade(taker: number, maker: number, side: 0 | 1, lots: number, ticks: number, market = 0): EngineEvent[] {
    this.order({ account: maker, side: side === BUY ? 1 : 0, lots, ticks, market });
    return this.order({ account: taker, side, lots, ticks, market });
  }

  grant(account: number, usdt: number, maxLeverage = 50, days = 7): EngineEvent[] {
    const expires_ms = this.time_ms + days * 86_400_000;
    const amount_micros = usdt * USDT;
    return this.run({
      kind: "grant_bonus",
      account,
      number: this.nextNumber(),
      amount_micros,
      maxLeverage,
      expires_ms,
    });
  }

  principal(account: number): number {
    return Number(this.world.accounts[account]!.principal) / USDT;
  }
}

export function only<Kind extends EventKind>(events: readonly EngineEvent[], kind: Kind): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

export function kinds(events: readonly EngineEvent[]): string[] {
  return events.map((event) => event.kind);
}
