import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { ascending, boundedWindow, limitWithin, type TimeWindow } from "../../kernel/windows.ts";
import type { ConditionalOrder, OrderName, OrderStatus } from "../orders/order.ts";
import { conditionalOfRow } from "../orders/table-rows.ts";
import type { ProjectionDb } from "../projector/tables.ts";
import type { HistoryParts } from "./order-history.ts";

export interface AlgoOrdersQuery extends TimeWindow {
  readonly market: number;
  /** From this id on. */
  readonly algoId?: number | undefined;
  readonly limit?: number | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

/** Conditional orders joined with the orders that they produced. */
function ownAlgos(db: ProjectionDb, account: number) {
  return db
    .selectFrom("exchange_algo_order as a")
    .leftJoin("exchange_order as o", (join) =>
      join.onRef("o.order_id", "=", "a.actual_order_id").on("a.actual_order_id", ">", 0n),
    )
    .selectAll("a")
    .select([
      "o.order_id as produced_id",
      "o.type as produced_type",
      "o.lots as produced_lots",
      "o.executed_lots as produced_executed_lots",
      "o.quote_micros as produced_quote_micros",
      "o.status as produced_status",
    ])
    .where("a.account", "=", account);
}

type AlgoSelection = Awaited<ReturnType<ReturnType<typeof ownAlgos>["execute"]>>[number];

function algoOfRow(row: AlgoSelection): ConditionalOrder {
  if (row.produced_id === null) return conditionalOfRow(plain(row), null);
  return conditionalOfRow(plain(row), {
    id: Number(row.produced_id),
    type: row.produced_type ?? 0,
    lots: Number(row.produced_lots),
    executedLots: Number(row.produced_executed_lots),
    quote_micros: Number(row.produced_quote_micros),
    status: row.produced_status as OrderStatus,
  });
}

/** Conditional orders with their own ids, open and ended. */
export class AlgoHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** By id, or the latest one with a client id. */
  async find(account: number, name: OrderName): Promise<ConditionalOrder | undefined> {
    await this.#parts.projector.waitForAccount(account);
    const own = ownAlgos(this.#parts.db, account).orderBy("a.algo_id", "desc").limit(1);
    const select =
      "id" in name
        ? own.where("a.algo_id", "=", BigInt(name.id))
        : own.where("a.client_id", "=", name.clientId).where(sql<boolean>`a.client_id <> ''`);
    const row = await select.executeTakeFirst();
    return row && algoOfRow(row);
  }

  /** At most seven days, oldest first. */
  async list(account: number, query: AlgoOrdersQuery): Promise<ConditionalOrder[]> {
    this.#parts.assertCovers(query);
    await this.#parts.projector.waitForAccount(account);
    const { market, algoId, page = 1 } = query;
    const limit = limitWithin(query.limit, 500, 1000);
    const window = boundedWindow(query, this.#parts.clock.now());
    const isFromStart = window.isFromStart || algoId !== undefined;
    const direction = isFromStart ? "asc" : "desc";
    let select = ownAlgos(this.#parts.db, account)
      .where("a.market", "=", market)
      .where("a.created_ms", ">=", BigInt(window.from_ms))
      .where("a.created_ms", "<=", BigInt(window.to_ms))
      .orderBy("a.created_ms", direction)
      .orderBy("a.algo_id", direction)
      .limit(limit)
      .offset((page - 1) * limit);
    if (algoId !== undefined) select = select.where("a.algo_id", ">=", BigInt(algoId));
    return ascending((await select.execute()).map(algoOfRow), isFromStart);
  }
}
