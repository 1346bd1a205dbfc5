import { CROSS, FUND_ACCOUNT } from "../contract/codes.ts";
import type { ApplyFunding } from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import { isMarketNumber, isWhole } from "../contract/validation.ts";
import { fundingPayment } from "../rules/funding.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";
import type { Liquidation } from "./liquidation.ts";

const DONE = 0;

/** FUT-14: an hour's funding of a market. */
export class Funding {
  readonly #state: State;
  readonly #ledger: Ledger;
  readonly #liquidation: Liquidation;

  constructor(state: State, ledger: Ledger, liquidation: Liquidation) {
    this.#state = state;
    this.#ledger = ledger;
    this.#liquidation = liquidation;
  }

  apply(command: ApplyFunding): number {
    const { accounts, events } = this.#state;
    const { rate_e8, hour } = command;
    const isTimed = isWhole(hour, 0, Number.MAX_SAFE_INTEGER) && isMarketNumber(command.market);
    if (!isTimed || !isWhole(rate_e8, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
      return this.#state.refuse(REASON.bad_field);
    }
    const problem = this.#state.checkNames(FUND_ACCOUNT, command.market);
    if (problem !== DONE) return problem;
    const market = this.#state.markets[command.market]!;
    if (hour <= market.fundingHour) return this.#state.refuse(REASON.window_passed, market.fundingHour, hour);
    const cap_e8 = market.definition.fundingCap_e8;
    if (Math.abs(rate_e8) > cap_e8) return this.#state.refuse(REASON.out_of_range, cap_e8, rate_e8);
    market.fundingHour = hour;
    let residue_micros = 0;
    for (const position of market.positions) residue_micros += this.#settle(market, position, rate_e8);
    accounts.addPrincipal(FUND_ACCOUNT, residue_micros);
    if (market.isFair) market.fund.realised_micros += residue_micros;
    events.emit("funding_settled", {
      market: market.number,
      hour,
      rate_e8,
      markTicks: market.markTicks,
      residue_micros,
      fund_micros: accounts.principal(FUND_ACCOUNT),
    });
    this.#liquidation.judge(market, false);
    return DONE;
  }

  /** Returns what the position paid; negative if it received. */
  #settle(market: MarketState, position: number, rate_e8: number): number {
    const { accounts, positions, events } = this.#state;
    const lots = positions.lots(position);
    const amount = lots === 0 ? 0 : fundingPayment(lots, market.markTicks, market.definition.unit_micros, rate_e8);
    if (amount === 0) return 0;
    const account = positions.account(position);
    let fromBonus = 0;
    if (positions.mode(position) !== CROSS) positions.addIsolated(position, -amount);
    else if (amount > 0) fromBonus = this.#ledger.charge(account, amount);
    else accounts.addPrincipal(account, -amount);
    if (account === FUND_ACCOUNT && market.isFair) market.fund.realised_micros -= amount;
    events.emit("funding_paid", {
      account,
      market: market.number,
      lots,
      amount_micros: amount,
      fromBonus_micros: fromBonus,
      principal_micros: accounts.principal(account),
      bonus_micros: accounts.bonus(account),
      isolated_micros: positions.isolated(position),
    });
    this.#ledger.touchMoney(account);
    this.#ledger.bonusLine(account, "CONSUME_FUNDING", fromBonus);
    return amount;
  }
}
