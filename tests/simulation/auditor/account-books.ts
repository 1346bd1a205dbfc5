import type { ReceivedEvent } from "../ground/stream.ts";
import { abs, ceilDivide, micros, notionalOf, quantityOf } from "./arithmetic.ts";
import type { Ledger } from "./complaints.ts";

/** FUT-15, in 1e-8, by tier. */
const MAKER_e8 = [20_000n, 18_000n, 14_000n, 10_000n, 5_000n, 0n];
const TAKER_e8 = [50_000n, 45_000n, 40_000n, 35_000n, 30_000n, 25_000n];
/** Lots that move outside the book cost no fee. */
const FREE_CAUSES = new Set(["takeover", "adl"]);

export interface Fill {
  readonly symbol: string;
  readonly trade: number;
  readonly orderId: number;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  /** 1e-8, without sign. */
  readonly quantity: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  readonly realised: bigint;
  readonly isMaker: boolean;
  readonly cause: string;
  readonly time_ms: number;
  /** The part of the fee that the bonus paid, from the list of trades. */
  feeFromBonus: bigint;
  /** FUT-15, from the mark in the list of trades. */
  isOffMarket: boolean;
}

interface OrderData {
  readonly conditional_id?: number;
  readonly order_id: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  readonly executed_quantity: string;
  readonly status: string;
  readonly time: number;
  readonly trade: {
    readonly id: number;
    readonly price: string;
    readonly quantity: string;
    readonly fee: string;
    readonly realized_pnl: string;
    readonly is_maker: boolean;
    readonly cause: string;
  } | null;
}

interface TierData {
  readonly kind: string;
  readonly tier: number;
}

interface BonusData {
  readonly kind: string;
  readonly amount: string;
}

export interface BalanceData {
  readonly principal: string;
  readonly bonus: string;
  readonly isolated_margin: string;
  readonly in_flight: string;
}

export interface Position {
  /** Signed, 1e-8. */
  quantity: bigint;
  /** Signed, micros. */
  cost: bigint;
}

export interface KnownOrder {
  readonly orderId: number;
  readonly clientId: string;
  readonly symbol: string;
  status: string;
  executed: bigint;
  filled: bigint;
}

/** One account as it follows from the private events that its owner received. */
export class AccountBooks {
  readonly name: string;
  readonly #ledger: Ledger;
  readonly positions = new Map<string, Position>();
  readonly fills: Fill[] = [];
  readonly orders = new Map<number, KnownOrder>();
  tier = 0;
  fees = 0n;
  realised = 0n;
  granted = 0n;
  returned = 0n;
  lastBalance: BalanceData | undefined;
  /** The number of events, by name. */
  readonly happened = new Map<string, number>();
  #read = 0;

  constructor(name: string, ledger: Ledger) {
    this.name = name;
    this.#ledger = ledger;
  }

  /** Reads further events. */
  read(events: readonly ReceivedEvent[]): void {
    for (; this.#read < events.length; this.#read += 1) {
      const { channel, data } = events[this.#read]!;
      if (channel === "orders") this.#onOrder(data as OrderData);
      else if (channel === "vip_tier") this.#onTier(data as TierData);
      else if (channel === "bonus") this.#onBonus(data as BonusData);
      else if (channel === "balances") this.lastBalance = data as BalanceData;
    }
  }

  /** The position just before a moment, then after each fill at that moment. */
  heldAt(symbol: string, time_ms: number): bigint[] {
    let held = 0n;
    const after: bigint[] = [];
    for (const fill of this.fills) {
      if (fill.symbol !== symbol || fill.time_ms > time_ms) continue;
      if (fill.time_ms === time_ms && after.length === 0) after.push(held);
      held += fill.side === "BUY" ? fill.quantity : -fill.quantity;
      if (fill.time_ms === time_ms) after.push(held);
    }
    return after.length === 0 ? [held] : after;
  }

  position(symbol: string): Position {
    let position = this.positions.get(symbol);
    if (position === undefined) {
      position = { quantity: 0n, cost: 0n };
      this.positions.set(symbol, position);
    }
    return position;
  }

  #onOrder(data: OrderData): void {
    if (data.conditional_id !== undefined) return;
    const { trade } = data;
    if (trade !== null && FREE_CAUSES.has(trade.cause)) {
      this.#onFill(data, trade);
      return;
    }
    let order = this.orders.get(data.order_id);
    if (order === undefined) {
      const { order_id: orderId, client_order_id: clientId, symbol } = data;
      order = { orderId, clientId, symbol, status: data.status, executed: 0n, filled: 0n };
      this.orders.set(orderId, order);
    }
    order.status = data.status;
    order.executed = quantityOf(data.executed_quantity);
    if (trade !== null) {
      order.filled += quantityOf(trade.quantity);
      this.#onFill(data, trade);
    }
    const what = `${this.name}: fills of order ${data.order_id} after ${data.status}`;
    this.#ledger.equal("order", order.filled, order.executed, what);
  }

  #onFill(data: OrderData, trade: NonNullable<OrderData["trade"]>): void {
    const quantity = quantityOf(trade.quantity);
    const fill: Fill = {
      symbol: data.symbol,
      trade: trade.id,
      orderId: data.order_id,
      side: data.side,
      price: trade.price,
      quantity,
      value: notionalOf(trade.price, quantity),
      fee: micros(trade.fee),
      realised: micros(trade.realized_pnl),
      isMaker: trade.is_maker,
      cause: trade.cause,
      time_ms: data.time,
      feeFromBonus: 0n,
      isOffMarket: false,
    };
    this.fills.push(fill);
    this.#count(`fill: ${fill.cause}`);
    this.fees += fill.fee;
    this.realised += fill.realised;
    this.#judgeFee(fill);
    this.#move(fill);
  }

  #judgeFee(fill: Fill): void {
    const rate = (fill.isMaker ? MAKER_e8 : TAKER_e8)[this.tier] ?? 0n;
    // A liquidated account pays the liquidation fee instead; the other side pays as usual.
    const isFree = FREE_CAUSES.has(fill.cause) || (fill.cause === "liquidation" && !fill.isMaker);
    const fee = isFree ? 0n : ceilDivide(fill.value * rate, 10n ** 8n);
    this.#ledger.equal("fee", fill.fee, fee, `${this.name}: the fee of ${nameOf(fill)} in tier ${this.tier}`);
  }

  /** Closed lots take their share of the cost, rounded up; the rest opens. */
  #move(fill: Fill): void {
    const position = this.position(fill.symbol);
    const signed = fill.side === "BUY" ? fill.quantity : -fill.quantity;
    const isAgainst = position.quantity !== 0n && position.quantity > 0n !== signed > 0n;
    const closed = isAgainst ? min(abs(position.quantity), fill.quantity) : 0n;
    const closedCost = closed === 0n ? 0n : ceilDivide(position.cost * closed, abs(position.quantity));
    const closedValue = notionalOf(fill.price, closed) * (signed > 0n ? 1n : -1n);
    const realised = -closedCost - closedValue;
    this.#ledger.equal("pnl", fill.realised, closed === 0n ? 0n : realised, `${this.name}: the PnL of ${nameOf(fill)}`);
    const value = signed > 0n ? fill.value : -fill.value;
    position.cost += value + fill.realised;
    position.quantity += signed;
    if (position.quantity === 0n) {
      this.#ledger.equal("pnl", position.cost, 0n, `${this.name}: what ${nameOf(fill)} leaves of the cost`);
    }
  }

  #count(name: string): void {
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
  }

  #onTier({ kind, tier }: TierData): void {
    this.#count(`tier: ${kind}`);
    if (kind === "upgrade_immediate" || kind === "downgrade_applied") this.tier = tier;
  }

  #onBonus({ kind, amount }: BonusData): void {
    this.#count(`bonus: ${kind}`);
    if (kind === "GRANT") this.granted += micros(amount);
    else if (kind === "RECALL" || kind === "EXPIRE") this.returned += micros(amount);
  }
}

export const nameOf = ({ symbol, trade, side }: Pick<Fill, "symbol" | "trade" | "side">) =>
  `${symbol} ${trade} ${side}`;

const min = (one: bigint, other: bigint) => (one < other ? one : other);
