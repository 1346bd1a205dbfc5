import { createHmac } from "node:crypto";
import type { PointsLedger, PointsLedgerQuery } from "@bourse/api";
import { BUY } from "@bourse/engine";
import type { Selectable } from "kysely";
import type { Exchange } from "../../exchange/index.ts";
import type { Plain } from "../../kernel/database/plain-rows.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { pageReply, readPage } from "../../kernel/pages.ts";
import { moneyText } from "../../kernel/units.ts";
import { refusals } from "../refusals.ts";
import type { PointsDb, PointsLineTable } from "../tables.ts";
import { pointsText } from "./lists.ts";

/** WIRE-8: a separate key, so that a cursor is not valid as anything else derived from the secret. */
const cursorKey = (secret: string) => createHmac("sha256", secret).update("points ledger cursor").digest();

export interface OwnLedgerOptions {
  readonly db: PointsDb;
  readonly exchange: Pick<Exchange, "engine">;
  /** Waits until all events of the wallet are written. */
  readonly written: (address: string) => Promise<void>;
  /** Must survive a restart, so that clients can continue their pages. */
  readonly secret: string;
  /** Lines from before may have been removed (LOG-8). */
  readonly keptFrom: () => Promise<number>;
}

/** PTS-6: the lines of a wallet's points, with their sources. */
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
    if ((start_ms ?? end_ms ?? Number.POSITIVE_INFINITY) < (await this.#options.keptFrom())) throw refusals.removed();
    await this.#options.written(address);
    const part = { limit, cursor, start_ms, end_ms, isDescending: order === "desc" };
    const page = await readPage(this.#cursors, part, {
      name: ["points", address],
      order: { time_ms: "bigint", id: "bigint" },
      select: ({ from_ms, to_ms }) =>
        this.#options.db
          .selectFrom("points_line")
          .selectAll()
          .where("address", "=", address)
          .where("time_ms", ">=", BigInt(from_ms))
          .where("time_ms", "<=", BigInt(to_ms)),
    });
    return pageReply(page, (row) => this.#view(row));
  }

  #view(row: Plain<Selectable<PointsLineTable>>): PointsLedger["items"][number] {
    const { market, trade, side, subscription_id, invitee } = row;
    const symbol = market === null ? undefined : this.#options.exchange.engine.state.markets[market]?.definition.symbol;
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
