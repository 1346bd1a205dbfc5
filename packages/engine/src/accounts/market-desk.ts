import { HALTED } from "../contract/codes.ts";
import type { AddMarket, OpenAccount, SetMarketStatus, SetPrice } from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import { isCode, isTicks } from "../contract/validation.ts";
import type { Liquidation } from "../risk/liquidation.ts";
import { buildMarket, findMarketProblems, type MarketDefinition } from "../rules/market.ts";
import { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import { MARKET_LIMIT_micros } from "../trading/admission.ts";
import type { Triggers } from "../trading/triggers.ts";

const DONE = 0;
const MOST_ACCOUNTS = 2 ** 24 - 1;
const MOST_MARKETS = 4_096;

/** What exists: accounts, markets, their prices. */
export class MarketDesk {
  readonly #state: State;
  readonly #triggers: Triggers;
  readonly #liquidation: Liquidation;

  constructor(state: State, triggers: Triggers, liquidation: Liquidation) {
    this.#state = state;
    this.#triggers = triggers;
    this.#liquidation = liquidation;
  }

  openAccount({ account }: OpenAccount): number {
    const { accounts, events } = this.#state;
    if (account !== accounts.count + 1 || account > MOST_ACCOUNTS) {
      return this.#state.refuse(REASON.account_out_of_sequence);
    }
    accounts.open();
    events.emit("account_opened", { account });
    return DONE;
  }

  addMarket({ definition }: AddMarket): number {
    const { markets, events, pool, index } = this.#state;
    if (!hasShape(definition) || findMarketProblems(definition).length > 0 || markets.length >= MOST_MARKETS) {
      return this.#state.refuse(REASON.bad_market);
    }
    const { symbol } = definition;
    if (markets.some(({ terms }) => terms.symbol === symbol)) {
      return this.#state.refuse(REASON.duplicate_market);
    }
    const market = markets.length;
    markets.push(new MarketState(market, buildMarket(definition), pool, index));
    events.emit("market_added", { market, symbol });
    return DONE;
  }

  setStatus({ market, status }: SetMarketStatus): number {
    const { events } = this.#state;
    if (!isCode(status, HALTED)) return this.#state.refuse(REASON.bad_field);
    const found = this.#state.marketOf(market);
    if (found === undefined) return this.#state.refuse(REASON.unknown_market);
    found.status = status;
    events.emit("market_status_set", { market, status_code: status });
    return DONE;
  }

  setPrice({ market, indexTicks, markTicks }: SetPrice): number {
    const { events, moved } = this.#state;
    if (!isTicks(indexTicks) || !isTicks(markTicks)) return this.#state.refuse(REASON.bad_field);
    const found = this.#state.marketOf(market);
    if (found === undefined) return this.#state.refuse(REASON.unknown_market);
    const total = found.totalLots * markTicks * found.terms.unit_micros;
    if (total > MARKET_LIMIT_micros) return this.#state.refuse(REASON.out_of_range, MARKET_LIMIT_micros, total);
    found.indexTicks = indexTicks;
    found.markTicks = markTicks;
    events.emit("price_set", { market, indexTicks, markTicks });
    moved.push(found);
    this.#triggers.fireMoved();
    this.#liquidation.judge(found);
    return DONE;
  }
}

/** Whether everything in a definition is of the kind that the rules can look at. */
function hasShape(definition: MarketDefinition): boolean {
  if (typeof definition !== "object" || definition === null || typeof definition.symbol !== "string") return false;
  if (!Array.isArray(definition.brackets) || definition.brackets.length > 100) return false;
  const { symbol: _symbol, brackets, ...terms } = definition;
  return areNumbers(terms) && brackets.every((row) => typeof row === "object" && row !== null && areNumbers(row));
}

function areNumbers(fields: object): boolean {
  return Object.values(fields).every((value) => Number.isSafeInteger(value));
}
