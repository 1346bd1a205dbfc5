import type { SkippedFills } from "@bourse/api";
import { type RawBuilder, sql } from "kysely";
import type { PageCursors, Position } from "../../kernel/page-cursor.ts";
import { type PageRequest, pageOf, pageReply } from "../../kernel/pages.ts";
import type { DayRange } from "../days.ts";
import type { BrokerDb } from "../tables.ts";
import { fillView } from "./explain.ts";
import type { FillRow } from "./explain-store.ts";

interface SkippedList {
  readonly broker: { readonly id: string };
  readonly range: DayRange;
  /** The days as asked for: without them the range moves with today, and a cursor remains valid. */
  readonly asked: Partial<DayRange>;
}

interface SkippedRow extends FillRow {
  readonly wallet: string;
  readonly command_number: bigint;
  readonly event_index: number;
}

/** The two sides of a trade are one event. */
const NEWEST_FIRST = sql`order by time_ms desc, command_number desc, event_index desc, side desc`;

/**
 * BRK-7: fills of the broker and its downlines whose fees do not count, or count only in part, newest first. Fills of a downline
 * under its own terms, as a KOL, are excluded.
 */
export async function readSkippedFills(
  { db, cursors }: { readonly db: BrokerDb; readonly cursors: PageCursors },
  { broker, range: { from, to }, asked }: SkippedList,
  request: PageRequest,
): Promise<SkippedFills> {
  /** `part` orders and limits the fills of each downline on its own, so that a page reads no more of any. */
  const skipped = (columns: RawBuilder<unknown>, where: RawBuilder<unknown>, part: RawBuilder<unknown>) => sql`
    select ${columns}
    from (
      select account, wallet_address as wallet from broker_bind where inviter_broker_id = ${broker.id}
      union all
      select account, wallet_address from broker where id = ${broker.id}
    ) as downline
    cross join lateral (
      select a.*
      from broker_accrual a
      join broker_terms t on t.terms_version = a.terms_version and t.kind = 'broker'
      where a.account = downline.account and a.reason is not null
        and a.day between ${from}::date and ${to}::date ${where}
        and case when t.account = a.account and t.parent_broker_id is not null
          then t.parent_broker_id else t.broker_id end = ${broker.id}
      ${part}
    ) as skipped`;
  const page = await pageOf<SkippedRow>(cursors, request, {
    name: ["skipped-fills", broker.id, asked.from ?? "", asked.to ?? ""],
    async read(after, limit) {
      const part = sql`${NEWEST_FIRST} limit ${limit}`;
      const columns = sql`skipped.*, coalesce(m.symbol, skipped.market::text) as symbol, downline.wallet`;
      const { rows } = await sql<SkippedRow>`
        ${skipped(columns, after === undefined ? sql`` : before(after), part)}
        left join exchange_market m on m.market = skipped.market
        ${part}`.execute(db);
      return rows;
    },
    async count() {
      const counted = sql<{ count: bigint }>`${skipped(sql`count(*) as count`, sql``, sql``)}`;
      return Number((await counted.execute(db)).rows[0]?.count ?? 0);
    },
    positionOf: (row) => [Number(row.time_ms), Number(row.command_number), row.event_index, row.side],
  });
  return pageReply(page, (row) => ({ downline_wallet: row.wallet, ...fillView(row) }), "fills");
}

const before = ([time_ms, command_number, event_index, side]: Position) => sql`
  and (a.time_ms, a.command_number, a.event_index, a.side)
    < (${time_ms}::bigint, ${command_number}::bigint, ${event_index}::integer, ${side}::smallint)`;
