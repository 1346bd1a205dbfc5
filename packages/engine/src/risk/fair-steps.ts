import { MAX_TICKS } from "../book/limits.ts";
import { CROSS, FUND_ACCOUNT } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { bankruptcyTicks, reductionLots } from "../rules/liquidation.ts";
import { worstTicks } from "../rules/notional.ts";
import { BUY, SELL, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";
import type { OrderDesk } from "../trading/order-desk.ts";
import { OrderRequest } from "../trading/order-request.ts";
import { type AccountMargin, bankruptcyOf } from "./account-margin.ts";
import type { Deleveraging } from "./deleveraging.ts";
import type { FairFund } from "./fair-fund.ts";
import { chargeLiquidationFee } from "./liquidation-fee.ts";
import { systemOrder } from "./system-order.ts";

const LIQUIDATION = CAUSES.indexOf("liquidation");
const BONUS_EXPIRY = CAUSES.indexOf("bonus_expiry");

/** FUT-12 by the rules of version 5: how one position of a case is reduced. */
export class FairSteps {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #deleveraging: Deleveraging;
  readonly #fund: FairFund;
  readonly #request = new OrderRequest();
  /** Of the current case. */
  #maintenance = 0;
  #balance = 0;
  /** The value that the last `#passOn` closed at the mark. */
  #closedAtMark_micros = 0;

  constructor(
    state: State,
    margin: AccountMargin,
    ledger: Ledger,
    desk: OrderDesk,
    deleveraging: Deleveraging,
    fund: FairFund,
  ) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
    this.#desk = desk;
    this.#deleveraging = deleveraging;
    this.#fund = fund;
  }

  /** The book near the index, patience, the fund, the other side. False if the rest waits for the next price. */
  step(position: number): boolean {
    const { positions, markets, accounts } = this.#state;
    const market = markets[positions.market(position)]!;
    const { brackets, unit_micros } = market.definition;
    const bankruptcy = this.#bankruptcy(market, position);
    const step = reductionLots(brackets, positions.lots(position), market.markTicks, unit_micros);
    const principalBefore = accounts.principal(positions.account(position));
    const filled = this.#offer(market, position, step, bankruptcy, LIQUIDATION);
    let charged_micros = filled === 0 ? 0 : this.#desk.executedQuote_micros;
    let left = step - filled;
    this.#compute(position);
    // Patience: what the book does not take is tried with the next price while the balance is half of maintenance.
    if (left > 0 && 2 * this.#balance < this.#maintenance) {
      left = this.#passOn(market, position, left, bankruptcy);
      charged_micros += this.#closedAtMark_micros;
    }
    if (charged_micros > 0) {
      this.#compute(position);
      chargeLiquidationFee(this.#state, this.#ledger, position, charged_micros, principalBefore, this.#balance);
    }
    return left === 0;
  }

  /**
   * BON-7: closes a position of an expired bonus: in the book near the index, then by the fund and the other side, at the
   * mark while the account is solvent: its principal is not the fund's.
   */
  sweep(position: number): void {
    const { positions, markets } = this.#state;
    const market = markets[positions.market(position)]!;
    const held = Math.abs(positions.lots(position));
    const bankruptcy = this.#bankruptcy(market, position);
    const left = held - this.#offer(market, position, held, bankruptcy, BONUS_EXPIRY);
    this.#compute(position);
    if (left > 0) this.#passOn(market, position, left, this.#balance >= 0 ? market.markTicks : bankruptcy);
  }

  /** FUT-12, FUT-23: to the fund at a price, the rest to the other side. Returns the lots that nobody took. */
  #passOn(market: MarketState, position: number, lots: number, ticks: number): number {
    const isPrice = ticks >= 1 && ticks <= MAX_TICKS;
    const isLong = this.#state.positions.lots(position) > 0;
    const taken = isPrice ? Math.min(lots, this.#fund.room(market, isLong, ticks)) : 0;
    if (taken > 0) {
      this.#deleveraging.takeOver(market, position, this.#desk.entryOf(FUND_ACCOUNT, market), taken, ticks);
      this.#compute(position);
    }
    this.#closedAtMark_micros = 0;
    const rest = lots - taken;
    if (rest === 0) return 0;
    if (this.#balance < 0) {
      return isPrice ? this.#deleveraging.deleverage(market, position, rest, ticks, "bankrupt") : rest;
    }
    const reason = market.fund.isCapped ? "fund_capped" : "fund_full";
    const left = this.#deleveraging.deleverage(market, position, rest, market.markTicks, reason);
    this.#closedAtMark_micros = (rest - left) * market.markTicks * market.definition.unit_micros;
    return left;
  }

  /** An IOC order at the bankruptcy price, or at the bound around the index if that is nearer. Returns what it filled. */
  #offer(market: MarketState, position: number, lots: number, bankruptcy: number, cause: number): number {
    const { positions } = this.#state;
    const side: Side = positions.lots(position) > 0 ? SELL : BUY;
    const bound = Math.min(MAX_TICKS, worstTicks(side, market.indexTicks, market.rules.liquidationBound_e8));
    const ticks = side === SELL ? Math.max(bankruptcy, bound) : Math.min(bankruptcy, bound);
    if (ticks < 1 || ticks > MAX_TICKS || !market.book.levels[side ^ 1]!.isMetAt(ticks)) return 0;
    const request = systemOrder(this.#request, market, positions.account(position), position, side, lots, ticks);
    request.cause = cause;
    this.#desk.accept(request);
    return this.#desk.executedLots;
  }

  #bankruptcy({ definition }: MarketState, position: number): number {
    const { positions } = this.#state;
    this.#compute(position);
    if (positions.mode(position) === CROSS) return bankruptcyOf(this.#state, this.#margin, position);
    const isolated = positions.isolated(position);
    return bankruptcyTicks(positions.lots(position), positions.cost(position), isolated, definition.unit_micros);
  }

  #compute(position: number): void {
    const { positions } = this.#state;
    if (positions.mode(position) !== CROSS) {
      this.#maintenance = this.#margin.maintenanceOf(position);
      this.#balance = this.#margin.isolatedBalance(position);
      return;
    }
    this.#margin.computeAll(positions.account(position));
    this.#maintenance = this.#margin.maintenance_micros;
    this.#balance = this.#margin.balance_micros;
  }
}
