import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { type Page, readPage } from "../../kernel/pages.ts";
import { ascending, boundedWindow, limitWithin, openWindow, type TimeWindow } from "../../kernel/windows.ts";
import type { FillRow } from "../projector/tables.ts";
import type { HistoryParts } from "./order-history.ts";
import type { FillRecord, PageQuery } from "./records.ts";

interface TradeList extends TimeWindow {
  readonly orderId?: number | undefined;
  readonly limit?: number | undefined;
}

/** Ids of trades count within their market, so that a list from one on is of one market. */
export type TradesQuery = TradeList &
  (
    | { readonly market: number; readonly fromId?: number | undefined }
    | { readonly market?: undefined; readonly fromId?: undefined }
  );

function fillRecord(row: FillRow): FillRecord {
  return {
    trade: row.trade,
    market: row.market,
    side: row.side,
    order: row.order_id,
    isMaker: row.is_maker,
    cause: row.cause,
    ticks: row.ticks,
    lots: row.lots,
    quote_micros: row.quote_micros,
    fee_micros: row.fee_micros,
    feeFromBonus_micros: row.fee_from_bonus_micros,
    realised_micros: row.realised_micros,
    lossFromBonus_micros: row.loss_from_bonus_micros,
    isSelfTrade: row.is_self_trade,
    markTicks: row.mark_ticks,
    isOffMarket: row.is_off_market ?? false,
    time_ms: row.time_ms,
  };
}

/** Fills of an account. */
export class TradeHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Oldest first, of all markets without one. With an order or a first trade, the window is only bounded by the query. */
  async list(account: number, query: TradesQuery): Promise<FillRecord[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const { market, orderId, fromId } = query;
    const isNamed = orderId !== undefined || fromId !== undefined;
    const window = isNamed ? openWindow(query) : boundedWindow(query, this.#parts.clock.now());
    const isFromStart = window.isFromStart || fromId !== undefined;
    const direction = isFromStart ? "asc" : "desc";
    let select = this.#own(account)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("time_ms", direction)
      .limit(limitWithin(query.limit, 500, 1000));
    // The order of the index by market, or of that of all markets.
    if (market === undefined) select = select.orderBy("market", direction);
    else select = select.where("market", "=", market);
    select = select.orderBy("trade", direction).orderBy("side", direction);
    if (orderId !== undefined)
      select = select.where("order_id", "=", BigInt(orderId)).where(sql<boolean>`order_id > 0`);
    if (fromId !== undefined) {
      // Trade ids of a market rise with time, so the first trade from this id on bounds the time from below.
      const begin = sql<bigint>`coalesce((
        select time_ms from exchange_fill where market = ${market} and trade >= ${fromId} order by trade limit 1), 0)`;
      select = select.where("trade", ">=", BigInt(fromId)).where("time_ms", ">=", begin);
    }
    const rows = await select.execute();
    return ascending(rows.map(plain).map(fillRecord), isFromStart);
  }

  /** Fills without an order: takeovers and auto-deleveraging of the account's positions. */
  async forced(
    account: number,
    query: TimeWindow & { readonly market?: number | undefined; readonly limit?: number | undefined },
  ): Promise<FillRecord[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const window = boundedWindow(query, this.#parts.clock.now());
    const direction = window.isFromStart ? "asc" : "desc";
    let select = this.#own(account)
      .where(sql<boolean>`cause in ('takeover', 'adl')`)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("time_ms", direction)
      .orderBy("market", direction)
      .orderBy("trade", direction)
      .limit(limitWithin(query.limit, 50, 100));
    if (query.market !== undefined) select = select.where("market", "=", query.market);
    const rows = await select.execute();
    return ascending(rows.map(plain).map(fillRecord), window.isFromStart);
  }

  /** A page of all fills, by time. */
  async page(account: number, query: PageQuery): Promise<Page<FillRecord>> {
    this.#parts.assertCovers(query);
    const { projector, cursors } = this.#parts;
    const { market } = query;
    await projector.waitForAccount(account);
    const page = await readPage(cursors, query, {
      name: ["trades", account, market ?? -1],
      order: { time_ms: "bigint", market: "integer", trade: "bigint", side: "smallint" },
      select: ({ from_ms, to_ms }) => {
        const all = this.#own(account).where("time_ms", ">=", BigInt(from_ms)).where("time_ms", "<=", BigInt(to_ms));
        return market === undefined ? all : all.where("market", "=", market);
      },
    });
    return { ...page, rows: page.rows.map(fillRecord) };
  }

  #own(account: number) {
    return this.#parts.db.selectFrom("exchange_fill").selectAll().where("account", "=", account);
  }
}
