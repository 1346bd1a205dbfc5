import { NO_SLOT } from "../book/order-pool.ts";
import { CROSS, FUND_ACCOUNT } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { FLOOR, mulDiv } from "../integers.ts";
import { BUY, SELL, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { OpenOrders } from "../trading/open-orders.ts";
import { NO_FEE, type Settlement, signedLots } from "../trading/settlement.ts";
import { type AccountMargin, valueAtMark } from "./account-margin.ts";

const TAKEOVER = CAUSES.indexOf("takeover");
const ADL = CAUSES.indexOf("adl");

/** Ratios and leverages above these rank equally, which keeps a score within range. */
const MAX_PROFIT_e8 = 1e10;
const MAX_LEVERAGE = 1_000;
/** FUT-23: times the cost. The whole of an account may lose any multiple of what one position cost. */
const LEAST_PROFIT = -100;

/** FUT-23. */
export type AdlReason = "fund_full" | "fund_capped" | "fund_old" | "bankrupt";

/** Moves lots outside the book: to the fund by takeover, or to the positions of the other side (FUT-12). */
export class Deleveraging {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #settlement: Settlement;
  readonly #orders: OpenOrders;

  constructor(state: State, margin: AccountMargin, settlement: Settlement, orders: OpenOrders) {
    this.#state = state;
    this.#margin = margin;
    this.#settlement = settlement;
    this.#orders = orders;
  }

  takeOver(market: MarketState, position: number, fundPosition: number, lots: number, ticks: number): void {
    this.#transfer(market, position, fundPosition, lots, ticks, TAKEOVER);
  }

  /**
   * Moves lots (without sign) of a position to the other side at a price; returns how many lots no position could take.
   */
  deleverage(market: MarketState, position: number, lots: number, ticks: number, reason: AdlReason): number {
    let left = lots;
    for (const other of this.#rank(market, position)) {
      if (left === 0) return 0;
      const taken = Math.min(left, this.#bearableLots(market, other, ticks));
      if (taken === 0) continue;
      this.#transfer(market, position, other, taken, ticks, ADL);
      if (market.isFair) this.#tell(market, other, taken, ticks, reason);
      left -= taken;
    }
    return left;
  }

  /** FUT-12: profit × leverage, for the rank of a position among those of its side. */
  scoreOf(market: MarketState, position: number): number {
    const { positions } = this.#state;
    const cost = positions.cost(position);
    const own = valueAtMark(market, positions.lots(position)) - cost;
    const profit =
      market.isFair && positions.mode(position) === CROSS
        ? Math.max(Math.min(own, this.#wholeOf(position)), LEAST_PROFIT * Math.max(1, Math.abs(cost)))
        : own;
    const profit_e8 = mulDiv(profit, 1e8, Math.max(1, Math.abs(cost)), FLOOR);
    return Math.min(profit_e8, MAX_PROFIT_e8) * Math.min(positions.leverage(position), MAX_LEVERAGE);
  }

  /** FUT-23: the unrealised PnL of the account's cross entries; the leg of a hedge is ranked by the whole. */
  #wholeOf(position: number): number {
    this.#margin.computeBalance(this.#state.positions.account(position));
    return this.#margin.unrealised_micros;
  }

  #tell(market: MarketState, position: number, lots: number, ticks: number, reason: AdlReason): void {
    const { number, markTicks, indexTicks } = market;
    const account = this.#state.positions.account(position);
    this.#state.events.emit("adl", { account, market: number, lots, ticks, markTicks, indexTicks, reason });
  }

  /** The positions of the other side, highest score first, then in the order in which their entries were made. */
  #rank(market: MarketState, position: number): number[] {
    const { positions } = this.#state;
    const isLong = positions.lots(position) > 0;
    const ranked: { readonly position: number; readonly score: number }[] = [];
    for (const other of market.positions) {
      const lots = positions.lots(other);
      const isOpposite = isLong ? lots < 0 : lots > 0;
      if (!isOpposite || positions.account(other) === FUND_ACCOUNT) continue;
      ranked.push({ position: other, score: this.scoreOf(market, other) });
    }
    ranked.sort((a, b) => b.score - a.score || a.position - b.position);
    return ranked.map((entry) => entry.position);
  }

  /** The lots that a position can close at a price without taking its account below zero. */
  #bearableLots(market: MarketState, position: number, ticks: number): number {
    const { positions } = this.#state;
    const lots = positions.lots(position);
    const unit = market.definition.unit_micros;
    if (positions.mode(position) !== CROSS) {
      const atPrice = positions.isolated(position) + lots * ticks * unit - positions.cost(position);
      return atPrice >= 0 ? Math.abs(lots) : 0;
    }
    this.#margin.computeBalance(positions.account(position));
    const balance = this.#margin.balance_micros;
    // An account below zero keeps its position: closed at the mark price, its loss would be covered by no account.
    if (balance < 0) return 0;
    // A short closes by buying, at a disadvantage above the mark price.
    const distance = lots < 0 ? ticks - market.markTicks : market.markTicks - ticks;
    if (distance <= 0) return Math.abs(lots);
    return Math.min(Math.abs(lots), mulDiv(balance, 1, distance * unit, FLOOR));
  }

  #transfer(market: MarketState, from: number, to: number, lots: number, ticks: number, cause: number): void {
    const side: Side = this.#state.positions.lots(from) > 0 ? SELL : BUY;
    market.trades += 1;
    this.#settle(market, from, side, lots, ticks, cause);
    this.#settle(market, to, (side ^ 1) as Side, lots, ticks, cause);
    this.#orders.trimReduceOnly(from);
    this.#orders.trimReduceOnly(to);
  }

  #settle(market: MarketState, position: number, side: Side, lots: number, ticks: number, cause: number): void {
    const { events, positions } = this.#state;
    const account = positions.account(position);
    const isOffMarket = ticks > market.fairTicks[BUY] || ticks < market.fairTicks[SELL];
    const mark = market.isFair ? market.markTicks : 0;
    events.fillTrade(market.trades, market.number, cause, ticks, lots, 0, mark, isOffMarket ? 1 : 0);
    events.fillOrder(account, 0, side, 0, 0, 0);
    this.#settlement.settle(market, position, NO_SLOT, signedLots(side, lots), ticks, NO_FEE);
  }
}
