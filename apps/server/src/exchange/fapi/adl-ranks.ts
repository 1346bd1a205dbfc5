import { type Engine, FLOOR, FUND_ACCOUNT, mulDiv } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { MarketState } from "./markets.ts";

const FRESH_ms = 1_000;
const QUANTILES = 5;
/** The engine's bounds: positions beyond them rank equally. */
const MAX_PROFIT_e8 = 1e10;
const MAX_LEVERAGE = 1_000;

interface Ranking {
  readonly computed_ms: number;
  /** Scores of the long positions, then of the short ones, ascending. */
  readonly scores: readonly [Float64Array, Float64Array];
}

/** FUT-12: how soon a position would be deleveraged, 0 to 4 (first). Computed at most once a second. */
export class AdlRanks {
  readonly #state: Engine["state"];
  readonly #clock: Clock;
  readonly #rankings = new Map<number, Ranking>();

  constructor(engine: Engine, clock: Clock) {
    this.#state = engine.state;
    this.#clock = clock;
  }

  quantileOf(market: MarketState, position: number): number {
    const lots = this.#state.positions.lots(position);
    if (lots === 0) return 0;
    const scores = this.#rankingOf(market).scores[lots > 0 ? 0 : 1];
    if (scores.length === 0) return 0;
    const own = this.#scoreOf(market, position);
    const below = countBelow(scores, own);
    return Math.min(QUANTILES - 1, Math.floor(((below + 1) * QUANTILES - 1) / scores.length));
  }

  #rankingOf(market: MarketState): Ranking {
    const now_ms = this.#clock.now();
    const known = this.#rankings.get(market.number);
    if (known !== undefined && now_ms - known.computed_ms < FRESH_ms) return known;
    const long: number[] = [];
    const short: number[] = [];
    const { positions } = this.#state;
    for (const position of market.positions) {
      const lots = positions.lots(position);
      if (lots === 0 || positions.account(position) === FUND_ACCOUNT) continue;
      (lots > 0 ? long : short).push(this.#scoreOf(market, position));
    }
    const ranking: Ranking = {
      computed_ms: now_ms,
      scores: [Float64Array.from(long).sort(), Float64Array.from(short).sort()],
    };
    this.#rankings.set(market.number, ranking);
    return ranking;
  }

  #scoreOf({ markTicks, definition }: MarketState, position: number): number {
    const { positions } = this.#state;
    const cost = positions.cost(position);
    const profit = markTicks * definition.unit_micros * positions.lots(position) - cost;
    const profit_e8 = mulDiv(profit, 1e8, Math.max(1, Math.abs(cost)), FLOOR);
    return Math.min(profit_e8, MAX_PROFIT_e8) * Math.min(positions.leverage(position), MAX_LEVERAGE);
  }
}

function countBelow(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
