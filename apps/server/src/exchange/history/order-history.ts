import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { plain } from "../../kernel/database/plain-rows.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { type Page, readPage } from "../../kernel/pages.ts";
import { ascending, boundedWindow, limitWithin, openWindow, type TimeWindow } from "../../kernel/windows.ts";
import type { Order } from "../orders/order.ts";
import { orderOfRow } from "../orders/table-rows.ts";
import type { Projector } from "../projector/projector.ts";
import type { AlgoRow, OrderRow, ProjectionDb } from "../projector/tables.ts";
import type { PageQuery } from "./records.ts";

export interface HistoryParts {
  readonly db: ProjectionDb;
  readonly projector: Pick<Projector, "waitForAccount" | "waitForAll" | "pendingOrder" | "isSpilled">;
  readonly cursors: PageCursors;
  readonly clock: Clock;
  /** Throws `WindowTooOld` if a client asks for what was removed. */
  readonly assertCovers: (query: TimeWindow) => void;
}

export interface OrdersQuery extends TimeWindow {
  /** All markets without one. */
  readonly market?: number | undefined;
  /** From this id on; then the window is only bounded by the query. */
  readonly orderId?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ForcedOrdersQuery extends TimeWindow {
  readonly market?: number | undefined;
  readonly limit?: number | undefined;
}

export interface AmendmentsQuery extends TimeWindow {
  readonly market: number;
  readonly orderId?: number | undefined;
  readonly clientId?: string | undefined;
  readonly limit?: number | undefined;
}

export interface AmendmentRecord {
  readonly amendment: number;
  readonly order: number;
  readonly market: number;
  readonly clientId: string;
  /** `modified` by the owner, `reduce_only_excess` by the engine. */
  readonly reason: string;
  readonly ticksBefore: number;
  readonly ticksAfter: number;
  readonly lotsBefore: number;
  readonly lotsAfter: number;
  readonly time_ms: number;
}

/** Open and closed orders of an account that are still stored. */
export class OrderHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /**
   * One order by its id in its present state, even if the tables lag behind; undefined if the account has no such
   * order.
   */
  async byId(account: number, id: number): Promise<Order | undefined> {
    const { projector } = this.#parts;
    if (projector.isSpilled) await projector.waitForAccount(account);
    const pending = projector.pendingOrder(account, id);
    const stored = (await this.#own(account).where("order_id", "=", BigInt(id)).execute()).map(plain)[0];
    const known = stored ?? pending?.opened;
    if (known === undefined) return undefined;
    // The row may be newer than the pending changes, which were read before it.
    const isPending = pending !== undefined && pending.changes.command_number > known.command_number;
    return (await this.#orders([isPending ? { ...known, ...pending.changes } : known]))[0];
  }

  /** The latest order with this client id. */
  async byClientId(account: number, market: number, clientId: string): Promise<Order | undefined> {
    await this.#parts.projector.waitForAccount(account);
    const rows = await this.#own(account)
      .where("client_id", "=", clientId)
      .where(sql<boolean>`client_id <> ''`)
      .where("market", "=", market)
      .orderBy("order_id", "desc")
      .limit(1)
      .execute();
    return (await this.#orders(rows.map(plain)))[0];
  }

  /** Oldest first. */
  async list(account: number, query: OrdersQuery): Promise<Order[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const { market, orderId } = query;
    const window = orderId === undefined ? boundedWindow(query, this.#parts.clock.now()) : openWindow(query);
    const isFromStart = window.isFromStart || orderId !== undefined;
    const direction = isFromStart ? "asc" : "desc";
    let select = this.#own(account)
      .where("created_ms", ">=", BigInt(window.from_ms))
      .where("created_ms", "<=", BigInt(window.to_ms))
      .orderBy("created_ms", direction)
      .orderBy("order_id", direction)
      .limit(limitWithin(query.limit, 500, 1000));
    if (market !== undefined) select = select.where("market", "=", market);
    if (orderId !== undefined) {
      // Ids rise with time, so the first order from this id on, of any account, bounds the time from below.
      const begin = sql<bigint>`
        coalesce((select created_ms from exchange_order where order_id >= ${orderId} order by order_id limit 1), 0)`;
      select = select.where("order_id", ">=", BigInt(orderId)).where("created_ms", ">=", begin);
    }
    const rows = await select.execute();
    return ascending(await this.#orders(rows.map(plain)), isFromStart);
  }

  /** Orders that liquidated positions of the account, oldest first. */
  async forced(account: number, query: ForcedOrdersQuery): Promise<Order[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const window = boundedWindow(query, this.#parts.clock.now());
    const direction = window.isFromStart ? "asc" : "desc";
    let select = this.#own(account)
      .where(sql<boolean>`cause = 'liquidation'`)
      .where("created_ms", ">=", BigInt(window.from_ms))
      .where("created_ms", "<=", BigInt(window.to_ms))
      .orderBy("created_ms", direction)
      .orderBy("order_id", direction)
      .limit(limitWithin(query.limit, 50, 100));
    if (query.market !== undefined) select = select.where("market", "=", query.market);
    const rows = await select.execute();
    return ascending(await this.#orders(rows.map(plain)), window.isFromStart);
  }

  /** The modifications of an order, oldest first. */
  async amendments(account: number, query: AmendmentsQuery): Promise<AmendmentRecord[]> {
    this.#parts.assertCovers(query);
    const { market, clientId } = query;
    const named = clientId === undefined ? undefined : await this.byClientId(account, market, clientId);
    const id = query.orderId ?? named?.id;
    if (id === undefined) return [];
    await this.#parts.projector.waitForAccount(account);
    const { from_ms, to_ms } = openWindow(query);
    const rows = await this.#parts.db
      .selectFrom("exchange_order_amendment as a")
      .innerJoin("exchange_order as o", "o.order_id", "a.order_id")
      .selectAll("a")
      .select("o.client_id")
      .where("a.order_id", "=", BigInt(id))
      .where("a.account", "=", account)
      .where("a.market", "=", market)
      .where("a.time_ms", ">=", BigInt(from_ms))
      .where("a.time_ms", "<=", BigInt(to_ms))
      .orderBy("a.amendment")
      .limit(limitWithin(query.limit, 50, 100))
      .execute();
    return rows.map(plain).map((row) => ({
      amendment: row.amendment,
      order: row.order_id,
      market: row.market,
      clientId: row.client_id,
      reason: row.reason,
      ticksBefore: row.ticks_before,
      ticksAfter: row.ticks_after,
      lotsBefore: row.lots_before,
      lotsAfter: row.lots_after,
      time_ms: row.time_ms,
    }));
  }

  /** A page of all orders, by the time they were placed. */
  async page(account: number, query: PageQuery & { readonly status?: string | undefined }): Promise<Page<Order>> {
    this.#parts.assertCovers(query);
    const { projector, cursors } = this.#parts;
    const { market, status } = query;
    await projector.waitForAccount(account);
    const page = await readPage(cursors, query, {
      name: ["orders", account, market ?? -1, status ?? ""],
      order: { created_ms: "bigint", order_id: "bigint" },
      select: ({ from_ms, to_ms }) => {
        let all = this.#own(account)
          .where("created_ms", ">=", BigInt(from_ms))
          .where("created_ms", "<=", BigInt(to_ms));
        if (market !== undefined) all = all.where("market", "=", market);
        return status === undefined ? all : all.where("status", "=", status);
      },
    });
    return { ...page, rows: await this.#orders(page.rows) };
  }

  #own(account: number) {
    return this.#parts.db.selectFrom("exchange_order").selectAll().where("account", "=", account);
  }

  /** Adds the trigger to orders that conditional orders produced. */
  async #orders(rows: readonly OrderRow[]): Promise<Order[]> {
    const ids = rows.map((row) => row.conditional_id).filter((id) => id > 0);
    const sources = new Map<number, AlgoRow>();
    if (ids.length > 0) {
      const algos = await this.#parts.db
        .selectFrom("exchange_algo_order")
        .selectAll()
        .where(sql<boolean>`algo_id = any(${ids}::bigint[])`)
        .execute();
      for (const algo of algos.map(plain)) sources.set(algo.algo_id, algo);
    }
    return rows.map((row) => orderOfRow(row, sources.get(row.conditional_id)));
  }
}
