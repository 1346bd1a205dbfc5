import { FUND_ACCOUNT, HALTED, NO_MARKET, TRADING } from "../contract/codes.ts";
import type {
  AddMarket,
  CommitWallet,
  OpenAccount,
  SetMarketRules,
  SetMarketStatus,
  SetPrice,
} from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import { isAccountNumber, isCode, isMarketNumber, isTicks, MAX_MARKETS } from "../contract/validation.ts";
import type { FairFund } from "../risk/fair-fund.ts";
import type { Liquidation } from "../risk/liquidation.ts";
import { buildMarket, findMarketProblems, type MarketDefinition } from "../rules/market.ts";
import { findRulesProblems, rulesOf } from "../rules/market-rules.ts";
import { clampTicks } from "../rules/notional.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import { EXCHANGE_LIMIT_micros } from "../trading/admission.ts";
import type { Triggers } from "../trading/triggers.ts";

const DONE = 0;

/** Handles the commands that open accounts, add markets and set their status and prices. */
export class MarketDesk {
  readonly #state: State;
  readonly #triggers: Triggers;
  readonly #liquidation: Liquidation;
  readonly #fund: FairFund;

  constructor(state: State, triggers: Triggers, liquidation: Liquidation, fund: FairFund) {
    this.#state = state;
    this.#triggers = triggers;
    this.#liquidation = liquidation;
    this.#fund = fund;
  }

  openAccount({ account, commitment = "" }: OpenAccount): number {
    const { accounts, events, rulesVersion } = this.#state;
    const next = accounts.count + 1;
    if (!isAccountNumber(account)) return this.#state.refuse(REASON.bad_field);
    if (account !== next) return this.#state.refuse(REASON.account_out_of_sequence, next, account);
    accounts.open();
    if (rulesVersion >= RULES_WITH_REFERENCES) accounts.setCommitment(account, commitment);
    events.emit("account_opened", { account });
    return DONE;
  }

  commitWallet({ account, commitment = "" }: CommitWallet): number {
    const { accounts, events, rulesVersion } = this.#state;
    const areFieldsFine = rulesVersion >= RULES_WITH_REFERENCES && isAccountNumber(account) && commitment !== "";
    if (!areFieldsFine) return this.#state.refuse(REASON.bad_field);
    const problem = this.#state.checkNames(account, NO_MARKET);
    if (problem !== DONE) return problem;
    if (accounts.commitment(account) !== "") return this.#state.refuse(REASON.wallet_known);
    accounts.setCommitment(account, commitment);
    events.emit("wallet_committed", { account });
    return DONE;
  }

  addMarket({ definition }: AddMarket): number {
    const { markets, events, pool, index, isFair } = this.#state;
    const known = hasShape(definition, isFair) ? knownOf(definition, isFair) : null;
    if (known === null || findMarketProblems(known).length > 0 || markets.length >= MAX_MARKETS) {
      return this.#state.refuse(REASON.bad_market);
    }
    const { symbol } = known;
    if (markets.some(({ definition }) => definition.symbol === symbol)) {
      return this.#state.refuse(REASON.duplicate_market);
    }
    const market = markets.length;
    markets.push(new MarketState(market, buildMarket(known), pool, index, isFair));
    events.emit("market_added", { market, symbol });
    return DONE;
  }

  setStatus({ market, status }: SetMarketStatus): number {
    const { events } = this.#state;
    if (!isCode(status, HALTED) || !isMarketNumber(market)) return this.#state.refuse(REASON.bad_field);
    const problem = this.#state.checkNames(FUND_ACCOUNT, market);
    if (problem !== DONE) return problem;
    const found = this.#state.markets[market]!;
    found.status = status;
    found.fund.isStopped = false;
    if (status === TRADING) this.#fund.resumed(found);
    events.emit("market_status_set", { market, status_code: status });
    return DONE;
  }

  setRules({ market, rules }: SetMarketRules): number {
    const isShape = typeof rules === "object" && rules !== null;
    if (!isShape || !isMarketNumber(market)) return this.#state.refuse(REASON.bad_field);
    const problem = this.#state.checkNames(FUND_ACCOUNT, market);
    if (problem !== DONE) return problem;
    const found = this.#state.markets[market]!;
    if (findRulesProblems(rules, found.definition.brackets).length > 0) return this.#state.refuse(REASON.bad_market);
    found.setRules(rulesOf(rules), true);
    this.#state.events.emit("market_rules_set", { market, ...found.rules });
    return DONE;
  }

  setPrice({ market, indexTicks, markTicks: askedTicks }: SetPrice): number {
    const { events, moved, time_ms, isFair } = this.#state;
    const areFieldsFine = isTicks(indexTicks) && isTicks(askedTicks) && isMarketNumber(market);
    if (!areFieldsFine) return this.#state.refuse(REASON.bad_field);
    const problem = this.#state.checkNames(FUND_ACCOUNT, market);
    if (problem !== DONE) return problem;
    const found = this.#state.markets[market]!;
    // FUT-13: whatever a server says, the mark stays near the index.
    const markTicks = isFair ? clampTicks(askedTicks, indexTicks, found.rules.markClamp_e8) : askedTicks;
    const value = this.#openInterestAt(found, markTicks);
    // A falling price is never refused: it can only bring the sum back into range.
    const isTooMuch = markTicks > found.markTicks && value > EXCHANGE_LIMIT_micros;
    if (isTooMuch) return this.#state.refuse(REASON.out_of_range, EXCHANGE_LIMIT_micros, value);
    found.setPrices(indexTicks, markTicks);
    if (isFair) found.indexWindow.note(Math.floor(time_ms / 1000), indexTicks);
    events.emit("price_set", { market, indexTicks, markTicks });
    moved.addOnce(found);
    this.#triggers.retry(found);
    this.#triggers.fireMoved();
    this.#liquidation.judge(found, true);
    return DONE;
  }

  /** The open interest of all markets at their mark prices, with `markTicks` as the mark price of `market`. */
  #openInterestAt(market: MarketState, markTicks: number): number {
    let sum = 0;
    for (const other of this.#state.markets) {
      const ticks = other === market ? markTicks : other.markTicks;
      sum += other.openInterestLots * ticks * other.definition.unit_micros;
    }
    return sum;
  }
}

/** The definition as these rules read it: before version 5 what it says about `rules` is an unknown number. */
function knownOf(definition: MarketDefinition, isFair: boolean): MarketDefinition {
  const { rules, ...others } = definition;
  return isFair && rules !== undefined ? { ...others, rules: rulesOf(rules) } : others;
}

/** Whether every field of a definition has the type that the rules expect. */
function hasShape(definition: MarketDefinition, isFair: boolean): boolean {
  if (typeof definition !== "object" || definition === null || typeof definition.symbol !== "string") return false;
  if (!Array.isArray(definition.brackets) || definition.brackets.length > 100) return false;
  const { symbol: _symbol, brackets, ...others } = definition;
  const { rules, ...known } = others;
  const isRules = rules === undefined || (typeof rules === "object" && rules !== null);
  if (isFair && !isRules) return false;
  const numbers = isFair ? known : others;
  // The spread turns holes of a sparse list into undefined; `every` alone would skip them.
  return (
    areNumbers(numbers) && [...brackets].every((row) => typeof row === "object" && row !== null && areNumbers(row))
  );
}

function areNumbers(fields: object): boolean {
  return Object.values(fields).every((value) => Number.isSafeInteger(value));
}
