import { MAX_TICKS } from "../book/limits.ts";
import { FUND_ACCOUNT } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { maintenanceMargin } from "../rules/brackets.ts";
import { isLiquidatable } from "../rules/margin.ts";
import { BUY, SELL, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { OrderDesk } from "../trading/order-desk.ts";
import { OrderRequest } from "../trading/order-request.ts";
import { type AccountMargin, bankruptcyOf, valueAtMark } from "./account-margin.ts";
import type { Deleveraging } from "./deleveraging.ts";
import { systemOrder } from "./system-order.ts";

const FUND = CAUSES.indexOf("fund");

/** The insurance fund (FUT-12) before rules version 5: takes positions over while it can carry them, and closes them again. */
export class Fund {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #desk: OrderDesk;
  readonly #deleveraging: Deleveraging;
  readonly #request = new OrderRequest();

  constructor(state: State, margin: AccountMargin, desk: OrderDesk, deleveraging: Deleveraging) {
    this.#state = state;
    this.#margin = margin;
    this.#desk = desk;
    this.#deleveraging = deleveraging;
  }

  symbolIn(market: MarketState): number {
    return this.#desk.entryOf(FUND_ACCOUNT, market);
  }

  /** Whether the fund has money and could carry these signed lots at a price: balance ≥ maintenance afterwards. */
  canTakeOver(market: MarketState, lots: number, ticks: number): boolean {
    const { accounts, positions } = this.#state;
    if (accounts.principal(FUND_ACCOUNT) <= 0) return false;
    this.#margin.computeAll(FUND_ACCOUNT);
    const position = positions.find(FUND_ACCOUNT, market.number);
    const gain = lots * (market.markTicks - ticks) * market.definition.unit_micros;
    const notional = Math.abs(valueAtMark(market, positions.lots(position) + lots));
    const { brackets } = market.definition;
    const own = notional === 0 ? 0 : maintenanceMargin(brackets, notional);
    const maintenance = this.#margin.maintenance_micros - this.#margin.maintenanceOf(position) + own;
    return this.#margin.balance_micros + gain >= maintenance;
  }

  judge(market: MarketState): void {
    const { positions } = this.#state;
    const position = positions.find(FUND_ACCOUNT, market.number);
    if (position === NO_POSITION || positions.lots(position) === 0) return;
    this.#offer(market, position);
    while (positions.lots(position) !== 0 && this.#giveAway(market, position)) {
      // Continues while the fund cannot carry the rest and the other side takes part of it.
    }
  }

  /** Auto-deleverages everything that the fund holds, if it cannot carry it. Returns whether any lots moved. */
  #giveAway(market: MarketState, position: number): boolean {
    this.#margin.computeAll(FUND_ACCOUNT);
    const balance = this.#margin.balance_micros;
    if (!isLiquidatable(this.#margin.maintenance_micros, balance)) return false;
    const ticks = balance >= 0 ? market.markTicks : bankruptcyOf(this.#state, this.#margin, position);
    if (ticks < 1 || ticks > MAX_TICKS) return false;
    const lots = Math.abs(this.#state.positions.lots(position));
    return this.#deleveraging.deleverage(market, position, lots, ticks, "bankrupt") < lots;
  }

  /** Offers the whole position to the book, up to the bound of market orders and to what the fund can pay. */
  #offer(market: MarketState, position: number): void {
    const lots = this.#state.positions.lots(position);
    const side: Side = lots > 0 ? SELL : BUY;
    const bound = market.boundTicks[side];
    this.#margin.computeBalance(FUND_ACCOUNT);
    const bankruptcy = bankruptcyOf(this.#state, this.#margin, position);
    const ticks = lots > 0 ? Math.max(bound, bankruptcy) : Math.min(bound, bankruptcy);
    if (ticks < 1 || ticks > MAX_TICKS || !market.book.levels[side ^ 1]!.isMetAt(ticks)) return;
    const request = systemOrder(this.#request, market, FUND_ACCOUNT, position, side, Math.abs(lots), ticks);
    request.cause = FUND;
    this.#desk.accept(request);
  }
}
