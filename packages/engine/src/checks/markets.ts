import { checkBook } from "../book/check-book.ts";
import { BookFault, MAX_TICKS } from "../book/limits.ts";
import { worstTicks } from "../rules/notional.ts";
import { BUY, SELL } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Findings } from "./findings.ts";

/** Section 1 of the rules: the largest value of the positions of all markets at their mark prices. */
const MAX_VALUE_micros = 4n * 10n ** 15n;

/** Checks books, and which entries a market lists. */
export function checkMarkets(state: State, { problems }: Findings): void {
  for (const market of state.markets) {
    const fault = faultOfBook(market);
    if (fault !== null) problems.push(fault);
    checkMark(market, problems);
    checkListed(state, market, problems);
  }
  const value = state.markets.reduce((sum, market) => sum + openValueOf(market), 0n);
  if (value > MAX_VALUE_micros) problems.push(`all positions are worth ${value} micros`);
  const symbols = new Set(state.markets.map(({ definition }) => definition.symbol));
  if (symbols.size !== state.markets.length) problems.push("two markets have one symbol");
  if (state.touched.count > 0) problems.push(`${state.touched.count} accounts are left to be closed off`);
  if (state.moved.count > 0) problems.push("markets are left whose conditional orders were not looked at");
}

function openValueOf({ openInterestLots, markTicks, definition }: MarketState): bigint {
  return BigInt(openInterestLots) * BigInt(markTicks) * BigInt(definition.unit_micros);
}

function faultOfBook({ book }: MarketState): string | null {
  try {
    checkBook(book);
    return null;
  } catch (error) {
    if (error instanceof BookFault) return error.message;
    throw error;
  }
}

/** Checks what follows from the mark price: the price band and the bound of market orders. */
function checkMark(market: MarketState, problems: string[]): void {
  const { definition, markTicks, bandTicks, boundTicks, band_e8, bound_e8 } = market;
  if (markTicks === 0) return;
  for (const side of [BUY, SELL] as const) {
    const band = worstTicks(side, markTicks, band_e8);
    const bound = Math.min(MAX_TICKS, worstTicks(side, markTicks, bound_e8));
    if (bandTicks[side] !== band || boundTicks[side] !== bound) {
      problems.push(
        `${definition.symbol} keeps the bounds ${bandTicks[side]} and ${boundTicks[side]}, not ${band} and ${bound}`,
      );
    }
  }
}

/**
 * A market lists its entries in the order in which they were made; funding, liquidation and ranking follow that order.
 */
function checkListed({ positions }: State, market: MarketState, problems: string[]): void {
  const made: number[] = [];
  for (let position = 1; position <= positions.count; position += 1) {
    if (positions.market(position) === market.number) made.push(position);
  }
  const isSame =
    made.length === market.positions.length && made.every((position, i) => position === market.positions[i]);
  if (!isSame)
    problems.push(`${market.definition.symbol} lists ${market.positions.length} symbols, ${made.length} are its own`);
}
