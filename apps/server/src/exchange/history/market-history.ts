import { BUY } from "@bourse/engine";
import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { type Page, readPage } from "../../kernel/pages.ts";
import { ascending, limitWithin, openWindow, type TimeWindow } from "../../kernel/windows.ts";
import { type FundingRateRow, type KlineKind, type ProjectionDb, TRADES_KIND } from "../projector/tables.ts";
import type { HistoryParts } from "./order-history.ts";
import type { Kline, PageQuery, PublicTrade } from "./records.ts";

/** The largest that the column holds, far beyond any time. */
const LAST_HOUR = 2 ** 31 - 1;

export interface KlinesQuery extends TimeWindow {
  readonly market: number;
  /** Of INTERVALS. */
  readonly interval_ms: number;
  readonly kind?: KlineKind | undefined;
  readonly limit?: number | undefined;
}

export interface FundingRecord {
  readonly market: number;
  readonly rate_e8: number;
  readonly markTicks: number;
  /** The full hour of the settlement. */
  readonly time_ms: number;
}

const fundingRecord = (row: FundingRateRow): FundingRecord => ({
  market: row.market,
  rate_e8: row.rate_e8,
  markTicks: row.mark_ticks,
  time_ms: row.hour * HOUR_ms,
});

interface Stretch {
  readonly market: number;
  readonly kind: KlineKind;
  readonly interval_ms: number;
  /** Opening times of the first and the last kline. */
  readonly first_ms: number;
  readonly last_ms: number;
}

/** Klines of whole hours are summed up from hours, others from minutes. */
const storedFor = (interval_ms: number) => (interval_ms % HOUR_ms === 0 ? HOUR_ms : MINUTE_ms);

/** A kline without trades has the previous close as its price. */
function flatKline(open_ms: number, ticks: number): Kline {
  const prices = { openTicks: ticks, highTicks: ticks, lowTicks: ticks, closeTicks: ticks };
  return { open_ms, ...prices, lots: 0, quote_micros: 0n, trades: 0, takerBuyLots: 0, takerBuyQuote_micros: 0n };
}

/** Public history: trades, klines, funding. A caller that needs the latest events calls `upToDate` first. */
export class MarketHistory {
  readonly #db: ProjectionDb;
  readonly #projector: HistoryParts["projector"];
  readonly #now: () => number;
  readonly #cursors: PageCursors;
  readonly #assertCovers: HistoryParts["assertCovers"];

  constructor({ db, clock, cursors, projector, assertCovers }: HistoryParts) {
    this.#db = db;
    this.#projector = projector;
    this.#now = () => clock.now();
    this.#cursors = cursors;
    this.#assertCovers = assertCovers;
  }

  /** Resolves when the tables hold everything that has happened before the call. */
  upToDate(): Promise<void> {
    return this.#projector.waitForAll();
  }

  /** Trades between orders, oldest first: the latest, or those from an id on. */
  async trades(
    market: number,
    query: { readonly fromId?: number | undefined; readonly limit?: number | undefined },
  ): Promise<PublicTrade[]> {
    const isFromStart = query.fromId !== undefined;
    let select = this.#db
      .selectFrom("exchange_fill")
      .select(["trade", "side", "ticks", "lots", "quote_micros", "time_ms"])
      .where("market", "=", market)
      .where("is_maker", "=", false)
      .where("cause", "not in", ["takeover", "adl"])
      .orderBy("trade", isFromStart ? "asc" : "desc")
      .limit(limitWithin(query.limit, 500, 1000));
    if (query.fromId !== undefined) select = select.where("trade", ">=", BigInt(query.fromId));
    const rows = await select.execute();
    const trades = rows.map(plain).map(({ side, ...trade }) => ({ ...trade, isBuyerMaker: side !== BUY }));
    return ascending(trades, isFromStart);
  }

  /** A page of one market's settled funding rates, by hour. */
  async fundingPage(market: number, query: PageQuery): Promise<Page<FundingRecord>> {
    const page = await readPage(this.#cursors, query, {
      name: ["funding", market],
      order: { hour: "integer" },
      select: ({ from_ms, to_ms }) =>
        this.#db
          .selectFrom("exchange_funding_rate")
          .selectAll()
          .where("market", "=", market)
          .where("hour", ">=", Math.min(Math.ceil(from_ms / HOUR_ms), LAST_HOUR))
          .where("hour", "<=", Math.min(Math.floor(to_ms / HOUR_ms), LAST_HOUR)),
    });
    return { ...page, rows: page.rows.map(fundingRecord) };
  }

  /** Settled rates of one market or of all, oldest first; without a start the latest. */
  async fundingRates(
    query: TimeWindow & { readonly market?: number | undefined; readonly limit?: number | undefined },
  ): Promise<FundingRecord[]> {
    const window = openWindow(query);
    const direction = window.isFromStart ? "asc" : "desc";
    let select = this.#db
      .selectFrom("exchange_funding_rate")
      .selectAll()
      .where("hour", ">=", Math.min(Math.ceil(window.from_ms / HOUR_ms), LAST_HOUR))
      .where("hour", "<=", Math.min(Math.floor(window.to_ms / HOUR_ms), LAST_HOUR))
      .orderBy("hour", direction)
      .orderBy("market", direction)
      .limit(limitWithin(query.limit, 100, 1000));
    if (query.market !== undefined) select = select.where("market", "=", query.market);
    const rows = (await select.execute()).map(plain).map(fundingRecord);
    return ascending(rows, window.isFromStart);
  }

  /** Klines by opening time, oldest first, without gaps after the market's first kline; without a start the latest. */
  async klines(query: KlinesQuery): Promise<Kline[]> {
    const { market, interval_ms, kind = TRADES_KIND, start_ms } = query;
    if (interval_ms % MINUTE_ms !== 0) throw new RangeError(`no candles are made of ${interval_ms} ms`);
    // Only minutes are removed. A chart that asks for what was before an end gets what there is.
    if (storedFor(interval_ms) === MINUTE_ms) this.#assertCovers({ start_ms });
    const span_ms = (limitWithin(query.limit, 500, 1500) - 1) * interval_ms;
    const floored = (ms: number) => ms - (ms % interval_ms);
    const end_ms = floored(Math.min(query.end_ms ?? this.#now(), this.#now()));
    const wanted_ms = start_ms === undefined ? end_ms - span_ms : floored(start_ms + interval_ms - 1);
    const earliest_ms = await this.#earliest(market, kind, interval_ms);
    if (earliest_ms === undefined) return [];
    const first_ms = Math.max(wanted_ms, floored(earliest_ms));
    const last_ms = Math.min(end_ms, first_ms + span_ms);
    if (last_ms < first_ms) return [];
    const stretch = { market, kind, interval_ms, first_ms, last_ms };
    const found = await this.#stored(stretch);
    return this.#withoutGaps(stretch, found, await this.#closeBefore(stretch));
  }

  /** Hours are stored beside minutes, so that a kline is summed up from at most sixty rows. */
  async #stored({ market, kind, interval_ms, first_ms, last_ms }: Stretch): Promise<Kline[]> {
    const kept_ms = storedFor(interval_ms);
    const { rows } = await sql<{
      open_ms: bigint;
      open_ticks: number;
      high_ticks: number;
      low_ticks: number;
      close_ticks: number;
      lots: string;
      quote_micros: string;
      trades: string;
      taker_buy_lots: string;
      taker_buy_quote_micros: string;
    }>`
      select open_ms - open_ms % ${interval_ms}::bigint as open_ms,
             (array_agg(open_ticks order by exchange_kline.open_ms))[1] as open_ticks,
             max(high_ticks) as high_ticks,
             min(low_ticks) as low_ticks,
             (array_agg(close_ticks order by exchange_kline.open_ms desc))[1] as close_ticks,
             sum(lots) as lots,
             sum(quote_micros) as quote_micros,
             sum(trades) as trades,
             sum(taker_buy_lots) as taker_buy_lots,
             sum(taker_buy_quote_micros) as taker_buy_quote_micros
      from exchange_kline
      where market = ${market} and kind = ${kind} and interval_ms = ${kept_ms}
        and open_ms >= ${first_ms} and open_ms < ${last_ms + interval_ms}
      group by 1 order by 1`.execute(this.#db);
    return rows.map((row) => ({
      open_ms: Number(row.open_ms),
      openTicks: row.open_ticks,
      highTicks: row.high_ticks,
      lowTicks: row.low_ticks,
      closeTicks: row.close_ticks,
      lots: Number(row.lots),
      quote_micros: BigInt(row.quote_micros),
      trades: Number(row.trades),
      takerBuyLots: Number(row.taker_buy_lots),
      takerBuyQuote_micros: BigInt(row.taker_buy_quote_micros),
    }));
  }

  async #earliest(market: number, kind: KlineKind, interval_ms: number): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom("exchange_kline")
      .select("open_ms")
      .where("market", "=", market)
      .where("kind", "=", kind)
      .where("interval_ms", "=", storedFor(interval_ms))
      .orderBy("open_ms")
      .limit(1)
      .executeTakeFirst();
    return row && Number(row.open_ms);
  }

  async #closeBefore({ market, kind, interval_ms, first_ms }: Stretch): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom("exchange_kline")
      .select("close_ticks")
      .where("market", "=", market)
      .where("kind", "=", kind)
      .where("interval_ms", "=", storedFor(interval_ms))
      .where("open_ms", "<", BigInt(first_ms))
      .orderBy("open_ms", "desc")
      .limit(1)
      .executeTakeFirst();
    return row?.close_ticks;
  }

  #withoutGaps({ interval_ms, first_ms, last_ms }: Stretch, found: readonly Kline[], before: number | undefined) {
    const klines: Kline[] = [];
    let at = 0;
    let close = before;
    for (let open_ms = first_ms; open_ms <= last_ms; open_ms += interval_ms) {
      const kline = found[at];
      if (kline?.open_ms === open_ms) {
        klines.push(kline);
        close = kline.closeTicks;
        at += 1;
      } else if (close !== undefined) klines.push(flatKline(open_ms, close));
    }
    return klines;
  }
}
