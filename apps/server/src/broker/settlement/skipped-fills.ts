import type { SkippedFills } from "@bourse/api";
import { sql } from "kysely";
import type { DayRange } from "../days.ts";
import type { BrokerDb } from "../tables.ts";
import { fillView } from "./explain.ts";
import type { FillRow } from "./explain-store.ts";

export const MAX_SKIPPED = 500;

/**
 * BRK-7: fills of the broker and its downlines whose fees do not count, or count only in part, newest first. Fills of a downline
 * under its own terms, as a KOL, are excluded.
 */
export async function readSkippedFills(
  db: BrokerDb,
  broker: { readonly id: string; readonly account: number },
  { from, to }: DayRange,
  limit: number,
): Promise<SkippedFills> {
  const { rows } = await sql<FillRow & { wallet: string }>`
    select skipped.*, coalesce(m.symbol, skipped.market::text) as symbol, downline.wallet
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
        and a.day between ${from}::date and ${to}::date
        and case when t.account = a.account and t.parent_broker_id is not null
          then t.parent_broker_id else t.broker_id end = ${broker.id}
      order by a.time_ms desc
      limit ${limit}
    ) as skipped
    left join exchange_market m on m.market = skipped.market
    order by skipped.time_ms desc, skipped.command_number desc, skipped.event_index desc
    limit ${limit}`.execute(db);
  return { fills: rows.map((row) => ({ downline_wallet: row.wallet, ...fillView(row) })) };
}
