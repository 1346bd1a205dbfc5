import { plain } from "../../kernel/database/plain-rows.ts";
import { WEEK_ms } from "../../kernel/dates.ts";
import { type Page, readPage } from "../../kernel/pages.ts";
import { ascending, boundedWindow, limitWithin, openWindow, type TimeWindow } from "../../kernel/windows.ts";
import type { IncomeType } from "../projector/incomes.ts";
import type { IncomeRow } from "../projector/tables.ts";
import type { HistoryParts } from "./order-history.ts";
import type { IncomeRecord, PageQuery } from "./records.ts";

export interface IncomeQuery extends TimeWindow {
  readonly market?: number | undefined;
  readonly type?: IncomeType | undefined;
  readonly limit?: number | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export type ListQuery = Pick<PageQuery, "start_ms" | "end_ms" | "limit">;

export interface EquityPoint {
  readonly time_ms: number;
  /** Includes isolated margin. */
  readonly principal_micros: number;
  readonly bonus_micros: number;
  readonly unrealised_micros: number;
  readonly equity_micros: number;
}

export interface BonusLineRecord {
  readonly line: string;
  readonly amount_micros: number;
  readonly bonus_micros: number;
  readonly locked_micros: number;
  readonly consumed_micros: number;
  readonly time_ms: number;
}

export interface TierChangeRecord {
  readonly change: string;
  readonly tier: number;
  readonly previousTier: number;
  readonly volume14d_micros: number;
  readonly time_ms: number;
}

export interface MarginMoveRecord {
  readonly market: number;
  /** Positive: into the position. */
  readonly amount_micros: number;
  readonly isolated_micros: number;
  readonly time_ms: number;
}

function incomeRecord(row: IncomeRow): IncomeRecord {
  return {
    id: row.income_id,
    type: row.income_type,
    market: row.market,
    amount_micros: row.amount_micros,
    trade: row.trade,
    info: row.info,
    time_ms: row.time_ms,
  };
}

/** Income, equity, bonus lines, VIP tiers and margin moves of an account. */
export class MoneyHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Oldest first; without a start the latest of the last seven days. */
  async income(account: number, query: IncomeQuery): Promise<IncomeRecord[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const { market, type, page = 1 } = query;
    const isOpen = query.start_ms !== undefined;
    const window = isOpen ? openWindow(query) : boundedWindow(query, this.#parts.clock.now(), WEEK_ms);
    const direction = window.isFromStart ? "asc" : "desc";
    const limit = limitWithin(query.limit, 100, 1000);
    let select = this.#parts.db
      .selectFrom("exchange_income")
      .selectAll()
      .where("account", "=", account)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("time_ms", direction)
      .orderBy("income_id", direction)
      .limit(limit)
      .offset((page - 1) * limit);
    if (type !== undefined) select = select.where("income_type", "=", type);
    if (market !== undefined) select = select.where("market", "=", market);
    const rows = (await select.execute()).map(plain).map(incomeRecord);
    return ascending(rows, window.isFromStart);
  }

  /** A page of all income, by time. */
  async incomePage(
    account: number,
    query: PageQuery & { readonly type?: IncomeType | undefined },
  ): Promise<Page<IncomeRecord>> {
    this.#parts.assertCovers(query);
    const { db, projector, cursors } = this.#parts;
    const { market, type } = query;
    await projector.waitForAccount(account);
    const page = await readPage(cursors, query, {
      name: ["income", account, market ?? -1, type ?? ""],
      order: { time_ms: "bigint", income_id: "bigint" },
      select: ({ from_ms, to_ms }) => {
        let all = db
          .selectFrom("exchange_income")
          .selectAll()
          .where("account", "=", account)
          .where("time_ms", ">=", BigInt(from_ms))
          .where("time_ms", "<=", BigInt(to_ms));
        if (type !== undefined) all = all.where("income_type", "=", type);
        return market === undefined ? all : all.where("market", "=", market);
      },
    });
    return { ...page, rows: page.rows.map(incomeRecord) };
  }

  /** A page of hourly equity. */
  async equityPage(account: number, query: PageQuery): Promise<Page<EquityPoint>> {
    this.#parts.assertCovers(query);
    const { db, cursors } = this.#parts;
    const page = await readPage(cursors, query, {
      name: ["equity", account],
      order: { time_ms: "bigint" },
      select: ({ from_ms, to_ms }) =>
        db
          .selectFrom("exchange_equity")
          .selectAll()
          .where("account", "=", account)
          .where("time_ms", ">=", BigInt(from_ms))
          .where("time_ms", "<=", BigInt(to_ms)),
    });
    const rows = page.rows.map(({ account: _, ...row }) => ({
      ...row,
      equity_micros: row.principal_micros + row.bonus_micros + row.unrealised_micros,
    }));
    return { ...page, rows };
  }

  /** The account's bonus lines, oldest first. */
  async bonusLines(account: number, query: ListQuery): Promise<BonusLineRecord[]> {
    await this.#parts.projector.waitForAccount(account);
    const window = openWindow(query);
    const direction = window.isFromStart ? "asc" : "desc";
    const rows = await this.#parts.db
      .selectFrom("exchange_bonus_line")
      .select(["line", "amount_micros", "bonus_micros", "locked_micros", "consumed_micros", "time_ms"])
      .where("account", "=", account)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("command_number", direction)
      .orderBy("event_index", direction)
      .limit(limitWithin(query.limit, 100, 1000))
      .execute();
    return ascending(rows.map(plain), window.isFromStart);
  }

  /** The latest changes of the VIP tier, oldest first. */
  async tierChanges(account: number, limit?: number): Promise<TierChangeRecord[]> {
    await this.#parts.projector.waitForAccount(account);
    const rows = await this.#parts.db
      .selectFrom("exchange_tier_change")
      .selectAll()
      .where("account", "=", account)
      .orderBy("command_number", "desc")
      .orderBy("event_index", "desc")
      .limit(limitWithin(limit, 100, 1000))
      .execute();
    const records = rows.map(plain).map((row) => ({
      change: row.change,
      tier: row.tier,
      previousTier: row.previous_tier,
      volume14d_micros: row.volume_14d_micros,
      time_ms: row.time_ms,
    }));
    return records.reverse();
  }

  /** Margin that the owner moved into and out of isolated positions, oldest first. */
  async marginMoves(account: number, query: ListQuery & { readonly market: number }): Promise<MarginMoveRecord[]> {
    await this.#parts.projector.waitForAccount(account);
    const window = openWindow(query);
    const rows = await this.#parts.db
      .selectFrom("exchange_margin_move")
      .select(["market", "amount_micros", "isolated_micros", "time_ms"])
      .where("account", "=", account)
      .where("market", "=", query.market)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("command_number", window.isFromStart ? "asc" : "desc")
      .limit(limitWithin(query.limit, 500, 1000))
      .execute();
    return ascending(rows.map(plain), window.isFromStart);
  }
}
