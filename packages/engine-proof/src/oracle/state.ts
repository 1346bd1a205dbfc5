import type {
  ConditionalType,
  EngineEvent,
  EventOf,
  MarginMode,
  OrderType,
  PriceMatch,
  Reason,
  SelfTradePrevention,
  Side,
  TimeInForce,
  WorkingType,
} from "@bourse/engine";
import { min, type OracleBracket, type OracleRules, toNumber } from "./arithmetic.ts";

/** The model's own copies of the contract's codes: it shares only types with the engine. */
export const BUY = 0;
export const SELL = 1;
export const LIMIT = 0;
export const MARKET = 1;
export const GTC = 0;
export const IOC = 1;
export const FOK = 2;
export const GTX = 3;
export const STP_EXPIRE_MAKER = 0;
export const STP_EXPIRE_TAKER = 1;
export const STP_EXPIRE_BOTH = 2;
export const STP_NONE = 3;
export const STOP = 0;
export const TAKE_PROFIT = 1;
export const TRAILING_STOP = 2;
export const CONTRACT_PRICE = 0;
export const MARK_PRICE = 1;
export const CROSS = 0;
export const ISOLATED = 1;
export const TRADING = 0;
export const REDUCE_ONLY = 1;
export const HALTED = 2;
export const ALL_CROSS = -1;
export const FUND = 0;

export type Cause = EventOf<"fill">["cause"];
export type Status = EventOf<"order_closed">["status"];
export type BonusState = EventOf<"bonus_state_set">["state"];

/** Prices in ticks, quantities in lots, money in micros: all `bigint`. Ids, codes and times are `number`. */
export interface OracleMarket {
  readonly number: number;
  readonly symbol: string;
  readonly unit: bigint;
  readonly minNotional: bigint;
  readonly maxNotional: bigint;
  readonly percentPrice_e8: bigint;
  readonly marketBound_e8: bigint;
  readonly liquidationFee_e8: bigint;
  readonly defaultLeverage: bigint;
  readonly maxOpenOrders: bigint;
  readonly maxConditionalOrders: bigint;
  readonly brackets: readonly OracleBracket[];
  status: number;
  /** From rules version 5 on. */
  rules: OracleRules;
  /** 0 before the first price, like `last`. */
  index: bigint;
  /** Every index since version 5, with its second. */
  indexes: { readonly second: number; readonly ticks: bigint }[];
  readonly fund: FundInMarket;
  mark: bigint;
  last: bigint;
  lastHour: number;
  lastTrade: number;
}

/** FUT-21, FUT-22: the fund in one market. */
export interface FundInMarket {
  realised: bigint;
  worthAtStart: bigint;
  since_ms: number;
  unwound_s: number;
  cappedUntil_ms: number;
  isStopped: boolean;
}

export interface OracleAccount {
  readonly number: number;
  principal: bigint;
  inFlight: bigint;
  bonus: bigint;
  locked: bigint;
  consumed: bigint;
  bonusState: BonusState;
  grantLeverage: bigint;
  expires_ms: number;
  hasOpenedOnBonus: boolean;
  tier: number;
  isDowngradeScheduled: boolean;
  discount_bps: bigint;
  termsVersion: number;
  /** The account whose version its fills carry: itself or its leader. */
  termsLeader: number;
  /** By number of the UTC day. */
  readonly volumes: Map<number, bigint>;
  isMarginCalled: boolean;
  /** BON-7, from version 5 on: of a running bonus, or what is left owing. */
  fair: FairBonus | null;
  /** VLT-3: every gain from an account with a bonus, with its hour. */
  readonly gains: { readonly hour: number; readonly amount: bigint }[];
}

export interface FairBonus {
  readonly grant: bigint;
  slip: bigint;
  own: bigint;
  owed: bigint;
}

/** An entry of an account. */
export interface Holding {
  readonly account: number;
  readonly market: number;
  lots: bigint;
  cost: bigint;
  leverage: bigint;
  mode: MarginMode;
  isolated: bigint;
  /** Of the isolated position. */
  isMarginCalled: boolean;
}

export interface Order {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly conditional: number;
  readonly cause: Cause;
  readonly clientId: string;
  /** FUT-25: when it ends; 0 for never. */
  readonly goodTill_ms: number;
  /** FUT-26: a code; 0 if it named its price. */
  priceMatch: PriceMatch;
  /** The worst price at which it matches: for a MARKET order its bound. */
  ticks: bigint;
  lots: bigint;
  executed: bigint;
  quote: bigint;
  /** Its rank in time. */
  queue: number;
}

export interface Conditional {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: ConditionalType;
  readonly ticks: bigint;
  readonly timeInForce: TimeInForce;
  readonly lots: bigint;
  readonly triggerTicks: bigint;
  readonly activateTicks: bigint;
  readonly callback_bps: bigint;
  readonly workingType: WorkingType;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  readonly keepsId: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly parent: number;
  readonly clientId: string;
  readonly goodTill_ms: number;
  readonly priceMatch: PriceMatch;
  /** False for an attached order before its parent's first fill and for a trailing stop before its activation. */
  isActive: boolean;
  /** Trailing stops: the best price since the activation. */
  best: bigint;
  /** FUT-8: how often it was armed again. */
  readonly tries: number;
}

export interface Refusal {
  readonly reason: Reason;
  readonly limit: number;
  readonly actual: number;
}

export function refuse(reason: Reason, limit = 0n, actual = 0n): Refusal {
  return { reason, limit: toNumber(limit), actual: toNumber(actual) };
}

/** The whole state in plain lists, and what the current command has reported and touched so far. */
export class World {
  time_ms = 0;
  lastNumber = 0;
  rulesVersion: number;
  /** LOG-1: of the wallets, by account. */
  readonly commitments = new Map<number, string>();
  lastOrderId = 0;
  lastQueue = 0;
  readonly markets: OracleMarket[] = [];
  /** By number; the first is the insurance fund. */
  readonly accounts: OracleAccount[] = [newAccount(FUND)];
  /** In the order of their creation. */
  readonly holdings: Holding[] = [];
  /** Those that rest in a book. */
  orders: Order[] = [];
  conditionals: Conditional[] = [];
  /** FUT-22: the hour, the fund's equity at its start and every equity seen since version 5. */
  fundHour = 0;
  fundStart = 0n;
  equities: { readonly hour: number; readonly equity: bigint }[] = [];
  feeAccount = 0n;
  deposits = 0n;
  withdrawals = 0n;
  payouts = 0n;
  seeds = 0n;
  granted = 0n;
  returned = 0n;

  constructor(rulesVersion: number) {
    this.rulesVersion = rulesVersion;
  }

  events: EngineEvent[] = [];
  /** Accounts in the order of the first touch. */
  touched: number[] = [];
  /** Those of them whose orders, positions or transfers changed. */
  readonly relocked = new Set<number>();
  /** Markets with trades whose conditional orders have not been checked yet, in the order of their first trade. */
  traded: number[] = [];

  /** Whether the rules of version 5 hold. */
  get isFair(): boolean {
    return this.rulesVersion >= 5;
  }

  /** Whether the rules of version 6 hold. */
  get hasOrderTerms(): boolean {
    return this.rulesVersion >= 6;
  }

  /** The right side of INV-1. */
  get inside(): bigint {
    return this.deposits - this.withdrawals - this.payouts + this.seeds + this.granted - this.returned;
  }

  get fund(): OracleAccount {
    return this.accounts[FUND]!;
  }

  startCommand(): void {
    this.events = [];
    this.touched = [];
    this.relocked.clear();
    this.traded = [];
  }

  say(event: EngineEvent): void {
    this.events.push(event);
  }

  touch(account: number): void {
    this.relocked.add(account);
    this.touchMoney(account);
  }

  touchMoney(account: number): void {
    if (!this.touched.includes(account)) this.touched.push(account);
  }

  setTraded(market: number): void {
    if (!this.traded.includes(market)) this.traded.push(market);
  }

  nextOrderId(): number {
    this.lastOrderId += 1;
    return this.lastOrderId;
  }

  nextQueue(): number {
    this.lastQueue += 1;
    return this.lastQueue;
  }

  holdingsOf(account: number): Holding[] {
    return this.holdings.filter((holding) => holding.account === account);
  }

  findHolding(account: number, market: number): Holding | undefined {
    return this.holdings.find((holding) => holding.account === account && holding.market === market);
  }

  /** The existing entry, or a new one that is not in the list yet. */
  holdingOrNew(account: number, market: number): Holding {
    const found = this.findHolding(account, market);
    if (found !== undefined) return found;
    const owner = this.accounts[account]!;
    const byDefault = this.markets[market]!.defaultLeverage;
    const leverage = owner.bonus > 0n ? min(byDefault, owner.grantLeverage) : byDefault;
    return { account, market, lots: 0n, cost: 0n, leverage, mode: CROSS, isolated: 0n, isMarginCalled: false };
  }

  createHolding(account: number, market: number): Holding {
    const holding = this.holdingOrNew(account, market);
    if (!this.holdings.includes(holding)) this.holdings.push(holding);
    return holding;
  }

  /** Self-trades are not allowed in an isolated entry: NONE counts as EXPIRE_MAKER there. */
  preventionOf(account: number, market: number, asked: SelfTradePrevention): SelfTradePrevention {
    const isIsolated = this.holdingOrNew(account, market).mode === ISOLATED;
    return isIsolated && asked === STP_NONE ? STP_EXPIRE_MAKER : asked;
  }

  /** Resting orders of an account in a market, oldest first: a modified order counts as new. */
  ordersOf(account: number, market: number): Order[] {
    return this.orders
      .filter((order) => order.account === account && order.market === market)
      .sort((one, other) => one.queue - other.queue);
  }

  /** By id. */
  conditionalsOf(account: number): Conditional[] {
    return this.conditionals
      .filter((conditional) => conditional.account === account)
      .sort((one, other) => one.id - other.id);
  }
}

export function newAccount(number: number): OracleAccount {
  return {
    number,
    principal: 0n,
    inFlight: 0n,
    bonus: 0n,
    locked: 0n,
    consumed: 0n,
    bonusState: "none",
    grantLeverage: 0n,
    expires_ms: 0,
    hasOpenedOnBonus: false,
    tier: 0,
    isDowngradeScheduled: false,
    discount_bps: 0n,
    termsVersion: 0,
    termsLeader: number,
    volumes: new Map(),
    isMarginCalled: false,
    fair: null,
    gains: [],
  };
}

export function remaining(order: Order): bigint {
  return order.lots - order.executed;
}

/** Lots with the sign of their side. */
export function signed(side: Side, lots: bigint): bigint {
  return side === BUY ? lots : -lots;
}

export function opposite(side: Side): Side {
  return side === BUY ? SELL : BUY;
}

export function isAgainst(side: Side, position: bigint): boolean {
  return side === BUY ? position < 0n : position > 0n;
}

export function isRunning(state: BonusState): boolean {
  return state === "active" || state === "frozen" || state === "expired_pending";
}
