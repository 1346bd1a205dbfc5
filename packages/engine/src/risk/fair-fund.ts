import { MAX_TICKS } from "../book/limits.ts";
import { FUND_ACCOUNT, NO_MARKET, REDUCE_ONLY, TRADING } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { CEIL, FLOOR, mulDiv } from "../integers.ts";
import { dailyBrake, hourlyBrake } from "../rules/fund.ts";
import { isLiquidatable } from "../rules/margin.ts";
import { unwindDistance_e8 } from "../rules/market-rules.ts";
import { worstTicks } from "../rules/notional.ts";
import { ONE_e8, USDT_micros } from "../rules/units.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { UNTIL_RESUMED } from "../state/fund-record.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { OrderDesk } from "../trading/order-desk.ts";
import { OrderRequest } from "../trading/order-request.ts";
import { type AccountMargin, bankruptcyOf } from "./account-margin.ts";
import type { AdlReason, Deleveraging } from "./deleveraging.ts";
import { fundCap, fundEquity, fundLimitLots, fundOutflow, fundWorth, HOUR_ms } from "./fund-equity.ts";
import { systemOrder } from "./system-order.ts";

const FUND = CAUSES.indexOf("fund");

const LARGEST_STEP_micros = 25_000 * USDT_micros;
const SMALLEST_STEP_micros = 1_000 * USDT_micros;
/** The part of its position that the fund offers at once while the index is calm, and while it runs. */
const CALM_PART = 20;
const RUNNING_PART = 2;
const HALF_HOUR_ms = HOUR_ms / 2;

/** The fund by the rules of version 5: FUT-21 (what it takes, holds and unwinds) and FUT-22 (what it may lose). */
export class FairFund {
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

  /** FUT-21: the lots that it may take over at a price, on the long or the short side. */
  room(market: MarketState, isLong: boolean, ticks: number): number {
    const { accounts, positions } = this.#state;
    if (market.fund.isCapped || accounts.principal(FUND_ACCOUNT) <= 0) return 0;
    const held = positions.lots(positions.find(FUND_ACCOUNT, market.number));
    const byInventory = fundLimitLots(this.#state, market) - Math.max(0, isLong ? held : -held);
    const distance = isLong ? ticks - market.indexTicks : market.indexTicks - ticks;
    if (distance <= 0) return Math.max(0, byInventory);
    const left = fundCap(this.#state, market) - fundOutflow(this.#state, market);
    const byOutflow = mulDiv(left, 1, distance * market.definition.unit_micros, FLOOR);
    return Math.max(0, Math.min(byInventory, byOutflow));
  }

  /** After the positions of a market were judged. It unwinds with a price only, not with funding. */
  judge(market: MarketState, isPrice: boolean): void {
    this.#resume(market);
    this.#strike(market);
    const position = this.#state.positions.find(FUND_ACCOUNT, market.number);
    if (position === NO_POSITION || this.#state.positions.lots(position) === 0) return;
    if (isPrice && !market.fund.isCapped) {
      this.#unwind(market, position);
      this.#strike(market);
    }
    this.#handOver(market, position);
  }

  /** An admin resumes a market. After a brake the fund's losses so far no longer count. */
  resumed(market: MarketState): void {
    const { fund } = market;
    if (!fund.isCapped) return;
    if (fund.cappedUntil_ms === UNTIL_RESUMED) this.#state.fundHours.restart(fundEquity(this.#state));
    fund.cappedUntil_ms = 0;
    fund.worthAtStart_micros = fundWorth(this.#state, market);
  }

  #resume(market: MarketState): void {
    const { fund } = market;
    if (!fund.isCapped || this.#state.time_ms < fund.cappedUntil_ms) return;
    fund.cappedUntil_ms = 0;
    if (!fund.isStopped) return;
    fund.isStopped = false;
    market.status = TRADING;
    this.#state.events.emit("market_status_set", { market: market.number, status_code: TRADING });
  }

  /** FUT-22: the cap of the market, then the brakes of all of them. */
  #strike(market: MarketState): void {
    const { fundHours, time_ms, markets } = this.#state;
    const equity = fundEquity(this.#state);
    fundHours.note(equity);
    const outflow = fundOutflow(this.#state, market);
    if (!market.fund.isCapped && outflow >= fundCap(this.#state, market)) {
      const nextHour_ms = (fundHours.hour + 1) * HOUR_ms;
      this.#capMarket(market, Math.max(nextHour_ms, time_ms + HALF_HOUR_ms), equity);
    }
    const { start_micros, highest_micros } = fundHours;
    const total = start_micros - equity;
    const brake = hourlyBrake(start_micros);
    if (total < brake && highest_micros - equity < dailyBrake(highest_micros)) return;
    const rest = markets.filter(({ fund }) => fund.cappedUntil_ms !== UNTIL_RESUMED);
    if (rest.length === 0) return;
    this.#tell(NO_MARKET, total, brake, equity, UNTIL_RESUMED);
    for (const other of rest) this.#capMarket(other, UNTIL_RESUMED, equity);
  }

  #capMarket(market: MarketState, until_ms: number, equity: number): void {
    const { events } = this.#state;
    market.fund.cappedUntil_ms = until_ms;
    this.#tell(market.number, fundOutflow(this.#state, market), fundCap(this.#state, market), equity, until_ms);
    if (market.status !== TRADING) return;
    market.fund.isStopped = true;
    market.status = REDUCE_ONLY;
    events.emit("market_status_set", { market: market.number, status_code: REDUCE_ONLY });
  }

  #tell(market: number, outflow: number, cap: number, equity: number, until_ms: number): void {
    this.#state.events.emit("fund_capped", {
      market,
      outflow_micros: outflow,
      cap_micros: cap,
      equity_micros: equity,
      until_ms: until_ms === UNTIL_RESUMED ? 0 : until_ms,
    });
  }

  /** One IOC order a second for a part of the position, near the index; a running index widens the bound. */
  #unwind(market: MarketState, position: number): void {
    const second = Math.floor(this.#state.time_ms / 1000);
    if (market.fund.unwound_s === second) return;
    market.fund.unwound_s = second;
    const { rules, indexTicks } = market;
    const lots = this.#state.positions.lots(position);
    const side: Side = lots > 0 ? SELL : BUY;
    const run_e8 = mulDiv(market.indexWindow.range(second), ONE_e8, indexTicks, FLOOR);
    const bound = worstTicks(side, indexTicks, unwindDistance_e8(rules, run_e8));
    this.#margin.computeBalance(FUND_ACCOUNT);
    // Never worse than what the fund can pay.
    const bankruptcy = bankruptcyOf(this.#state, this.#margin, position);
    const ticks = lots > 0 ? Math.max(bound, bankruptcy) : Math.min(bound, bankruptcy, MAX_TICKS);
    if (ticks < 1 || ticks > MAX_TICKS || !market.book.levels[side ^ 1]!.isMetAt(ticks)) return;
    const part = run_e8 >= 2 * rules.unwindBound_e8 ? RUNNING_PART : CALM_PART;
    const step = stepLots(Math.abs(lots), part, indexTicks * market.definition.unit_micros);
    const request = systemOrder(this.#request, market, FUND_ACCOUNT, position, side, step, ticks);
    request.cause = FUND;
    this.#desk.accept(request);
  }

  /** FUT-21: gives to the other side what the fund must not keep, at the mark, or what it can still pay. */
  #handOver(market: MarketState, position: number): void {
    const held = Math.abs(this.#state.positions.lots(position));
    if (held === 0) return;
    this.#margin.computeAll(FUND_ACCOUNT);
    const balance = this.#margin.balance_micros;
    const isBroke = isLiquidatable(this.#margin.maintenance_micros, balance);
    const isOld = this.#state.time_ms - market.fund.since_ms >= HOUR_ms;
    const isAll = market.fund.isCapped || isBroke || isOld;
    const lots = isAll ? held : held - mulDiv(fundLimitLots(this.#state, market), 5, 4, FLOOR);
    if (lots <= 0) return;
    const ticks = balance >= 0 ? market.markTicks : bankruptcyOf(this.#state, this.#margin, position);
    if (ticks < 1 || ticks > MAX_TICKS) return;
    const byAge: AdlReason = isOld ? "fund_old" : "fund_full";
    const byBalance: AdlReason = isBroke ? "bankrupt" : byAge;
    this.#deleveraging.deleverage(market, position, lots, ticks, market.fund.isCapped ? "fund_capped" : byBalance);
  }
}

/** FUT-21: the lots of one order; `lot_micros` is the value of one. At least one lot. */
function stepLots(held: number, part: number, lot_micros: number): number {
  const largest = Math.max(1, mulDiv(LARGEST_STEP_micros, 1, lot_micros, FLOOR));
  const smallest = mulDiv(SMALLEST_STEP_micros, 1, lot_micros, CEIL);
  return Math.min(held, largest, Math.max(smallest, mulDiv(held, 1, part, CEIL)));
}
