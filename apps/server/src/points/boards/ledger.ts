import { createHmac } from "node:crypto";
import type { PointsLedger, PointsLedgerQuery } from "@bourse/api";
import { BUY } from "@bourse/engine";
import type { Selectable } from "kysely";
import { BadCursor, PageCursors } from "../../exchange/history/page-cursor.ts";
import { readPage } from "../../exchange/history/pages.ts";
import type { Plain } from "../../exchange/history/records.ts";
import type { Exchange } from "../../exchange/host/exchange.ts";
import { moneyText } from "../../exchange/units.ts";
import { refusals } from "../refusals.ts";
import type { PointsDb, PointsLineTable } from "../tables.ts";
import { pointsText } from "./lists.ts";

/** WIRE-8: a key of its own, so that no cursor passes for anything else made of the secret. */
const cursorKey = (secret: string) => createHmac("sha256", secret).update("points ledger cursor").digest();

export interface OwnLedgerOptions {
  readonly db: PointsDb;
  readonly exchange: Pick<Exchange, "engine">;
  /** Waits until everything that has happened to the wallet is written. */
  readonly written: (address: string) => Promise<void>;
  /** The same after a restart, so that a client can go on. */
  readonly secret: string;
}

/** PTS-6: every line of a wallet's points, with what it comes from. */
export class OwnLedger {
  readonly #options: OwnLedgerOptions;
  readonly #cursors: PageCursors;

  constructor(options: OwnLedgerOptions) {
    this.#options = options;
    this.#cursors = new PageCursors(cursorKey(options.secret));
  }

  async read(address: string, query: PointsLedgerQuery): Promise<PointsLedger> {
    const { limit, cursor, order, start_time: start_ms, end_time: end_ms } = query;
    if (start_ms !== undefined && end_ms !== undefined && start_ms > end_ms) {
      throw refusals.invalidField("start_time", "must not be after end_time");
    }
    await this.#options.written(address);
    try {
      const page = await readPage(
        this.#cursors,
        { limit, cursor, start_ms, end_ms, isDescending: order === "desc" },
        {
          name: ["points", address],
          order: { time_ms: "bigint", id: "bigint" },
          select: ({ from_ms, to_ms }) =>
            this.#options.db
              .selectFrom("points_line")
              .selectAll()
              .where("address", "=", address)
              .where("time_ms", ">=", BigInt(from_ms))
              .where("time_ms", "<=", BigInt(to_ms)),
        },
      );
      return { items: page.rows.map((row) => this.#view(row)), total: page.total, next_cursor: page.nextCursor };
    } catch (error) {
      if (error instanceof BadCursor) throw refusals.invalidCursor();
      throw error;
    }
  }

  #view(row: Plain<Selectable<PointsLineTable>>): PointsLedger["items"][number] {
    const { market, trade, side, subscription_id, invitee } = row;
    const symbol = market === null ? undefined : this.#options.exchange.engine.state.markets[market]?.terms.symbol;
    return {
      id: row.id,
      source: row.source,
      points: pointsText(row.points_micros),
      rule_version: row.rule_version,
      time: new Date(row.time_ms).toISOString(),
      ...(symbol === undefined ? {} : { symbol }),
      ...(trade === null ? {} : { trade_id: Number(trade) }),
      ...(side === null ? {} : { side: side === BUY ? ("BUY" as const) : ("SELL" as const) }),
      ...(subscription_id === null ? {} : { subscription_id }),
      ...(invitee === null ? {} : { invitee }),
      base: row.source === "referral" ? pointsText(row.base_micros) : moneyText(row.base_micros),
    };
  }
}
