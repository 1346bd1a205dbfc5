import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { assertKept, type TimeWindow } from "../../kernel/windows.ts";
import type { SampleRow } from "../statistics/tables.ts";
import type { MarketHistory } from "./market-history.ts";
import type { HistoryParts } from "./order-history.ts";

/** FUT-20: how far back clients can ask. */
export const STATISTICS_DAYS = 30;

export interface StatisticsQuery extends TimeWindow {
  readonly market: number;
  readonly period_ms: number;
  readonly limit: number;
}

/** What takers bought and sold in a period. */
export interface TakerVolume {
  readonly time_ms: number;
  readonly boughtLots: number;
  readonly soldLots: number;
}

/** The periods of a query: `limit` of them from its start on, or up to its end. Reading is bounded by them, however long the window. */
function periodsOf({ start_ms, end_ms, period_ms, limit }: StatisticsQuery, now_ms: number) {
  const end = Math.min(end_ms ?? now_ms, now_ms);
  const floored = (ms: number) => ms - (ms % period_ms);
  const from_ms = start_ms ?? Math.max(0, floored(end) - (limit - 1) * period_ms);
  const to_ms = start_ms === undefined ? end : Math.min(end, floored(start_ms + (limit + 1) * period_ms) - 1);
  return { from_ms, to_ms, first_ms: floored(from_ms) };
}

/** FUT-20: public statistics of markets. */
export class StatisticsHistory {
  readonly #parts: HistoryParts;
  readonly #markets: Pick<MarketHistory, "klines">;

  constructor(parts: HistoryParts, markets: Pick<MarketHistory, "klines">) {
    this.#parts = parts;
    this.#markets = markets;
  }

  /** The first sample of each period, oldest first. A period without samples is left out. */
  async samples(query: StatisticsQuery): Promise<SampleRow[]> {
    const { market, period_ms, limit } = query;
    const now_ms = this.#parts.clock.now();
    assertKept(query, STATISTICS_DAYS, now_ms);
    const { from_ms, to_ms, first_ms } = periodsOf(query, now_ms);
    const { rows } = await sql<SampleRow>`
      select sample.* from exchange_market_sample as sample
      join (
        select min(time_ms) as time_ms from exchange_market_sample
        where market = ${market} and time_ms between ${first_ms} and ${to_ms}
        group by time_ms / ${period_ms}::bigint
      ) as first_of_period using (time_ms)
      where sample.market = ${market} and sample.time_ms >= ${from_ms}
      order by sample.time_ms limit ${limit}`.execute(this.#parts.db);
    return rows.map((row) => plain(row) as SampleRow);
  }

  /** Periods that have ended and in which something was traded, oldest first. */
  async takerVolumes(query: StatisticsQuery): Promise<TakerVolume[]> {
    const { market, period_ms, start_ms, limit } = query;
    const now_ms = this.#parts.clock.now();
    assertKept(query, STATISTICS_DAYS, now_ms);
    const end_ms = Math.min(query.end_ms ?? now_ms, now_ms - period_ms);
    const klines = await this.#markets.klines({ market, interval_ms: period_ms, start_ms, end_ms, limit });
    return klines
      .filter(({ trades }) => trades > 0)
      .map(({ open_ms, lots, takerBuyLots }) => ({
        time_ms: open_ms,
        boughtLots: takerBuyLots,
        soldLots: lots - takerBuyLots,
      }));
  }
}
