import { sql } from "kysely";
import type { BrokerTx } from "../tables.ts";
import { columns, SUMS } from "./columns.ts";

const TOTALS = ["records", ...SUMS, "share_income_micros", "volume_micros"] as const;

/** T11: the volume traded under each broker's terms, whether or not its fees count; a sub-KOL's own trades are its parent's. */
const volumes = (period: string) => sql`
  select case when t.account = p.account then coalesce(t.parent_broker_id, t.broker_id) else t.broker_id end,
    0, 0, 0, 0, 0, 0, 0, sum(p.volume_micros)
  from broker_pre_settlement p
  join broker_terms t on t.terms_version = p.terms_version and t.kind = 'broker'
  where p.day = ${period}::date and p.volume_micros > 0
  group by 1`;

/**
 * Updates `broker_day_total` of a day to its records, and `broker_total` by the difference. A parent's share is income of the
 * parent and part of no sum of records, so that nothing counts twice (BRK-11).
 */
export async function rebuildDayTotals(tx: BrokerTx, period: string): Promise<void> {
  await sql`
    with fresh as (
      select broker_id, ${columns(TOTALS, (name) => `sum(${name})::bigint as ${name}`)}
      from (
        select broker_id, count(*) as records, ${columns(SUMS, (name) => `sum(${name}) as ${name}`)},
          0 as share_income_micros, 0 as volume_micros
        from rebate_record where period = ${period}::date and kind = 'broker' group by broker_id
        union all
        select parent_broker_id, 0, 0, 0, 0, 0, 0, sum(share_micros), 0
        from rebate_record where period = ${period}::date and parent_broker_id is not null group by parent_broker_id
        union all
        ${volumes(period)}
      ) as incomes
      group by broker_id
    ),
    change as materialized (
      select coalesce(fresh.broker_id, kept.broker_id) as broker_id, fresh.broker_id is null as is_gone,
        ${columns(TOTALS, (name) => `coalesce(fresh.${name}, 0) as ${name}`)},
        ${columns(TOTALS, (name) => `coalesce(fresh.${name}, 0) - coalesce(kept.${name}, 0) as more_${name}`)}
      from fresh
      full join (select * from broker_day_total where period = ${period}::date) as kept using (broker_id)
      where (${columns(TOTALS, (name) => `fresh.${name}`)}) is distinct from (${columns(TOTALS, (name) => `kept.${name}`)})
    ),
    gone as (
      delete from broker_day_total
      where period = ${period}::date and broker_id in (select broker_id from change where is_gone)
    ),
    totals as (
      insert into broker_total (broker_id, ${columns(TOTALS, (name) => name)})
      select broker_id, ${columns(TOTALS, (name) => `more_${name}`)} from change order by broker_id
      on conflict (broker_id) do update set
        ${columns(TOTALS, (name) => `${name} = broker_total.${name} + excluded.${name}`)}
    )
    insert into broker_day_total (period, broker_id, ${columns(TOTALS, (name) => name)})
    select ${period}::date, broker_id, ${columns(TOTALS, (name) => name)} from change where not is_gone
    on conflict (broker_id, period) do update set ${columns(TOTALS, (name) => `${name} = excluded.${name}`)}`.execute(
    tx,
  );
}

const ADD_TO_DOWNLINES = sql`
  on conflict (broker_id, downline_account) do update set
    ${columns(SUMS, (name) => `${name} = broker_downline_total.${name} + excluded.${name}`)}`;

/** Adds the changes of a settlement to a day that is already rolled up, before its records are written. */
export async function addToDownlineTotals(tx: BrokerTx): Promise<void> {
  await sql`
    insert into broker_downline_total (broker_id, downline_account, ${columns(SUMS, (name) => name)})
    select any_broker_id, any_account, ${columns(SUMS, (name) => `sum(more_${name})::bigint`)}
    from rebate_change where any_kind = 'broker'
    group by any_broker_id, any_account
    having (${columns(SUMS, (name) => `sum(more_${name})`)}) <> (0, 0, 0, 0, 0)
    ${ADD_TO_DOWNLINES}`.execute(tx);
}

/** Takes the records of a day that are in no batch out of `broker_downline_total`, before they are removed. */
export async function takeFromDownlineTotals(tx: BrokerTx, period: string): Promise<void> {
  await sql`
    insert into broker_downline_total (broker_id, downline_account, ${columns(SUMS, (name) => name)})
    select broker_id, downline_account, ${columns(SUMS, (name) => `-sum(${name})::bigint`)}
    from rebate_record where period = ${period}::date and kind = 'broker' and not is_locked
      and exists (select from rebate_period as day where day.period = rebate_record.period and day.is_rolled_up)
    group by broker_id, downline_account
    ${ADD_TO_DOWNLINES}`.execute(tx);
}

/** Adds a closed day's records to `broker_downline_total`, once: the flag is set in the same transaction. */
export async function rollUp(tx: BrokerTx, period: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("rebate_period")
    .set({ is_rolled_up: true })
    .where("period", "=", period)
    .where("status", "=", "closed")
    .where("is_rolled_up", "=", false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`
    insert into broker_downline_total (broker_id, downline_account, ${columns(SUMS, (name) => name)})
    select broker_id, downline_account, ${columns(SUMS, (name) => `sum(${name})::bigint`)}
    from rebate_record where period = ${period}::date and kind = 'broker'
    group by broker_id, downline_account
    ${ADD_TO_DOWNLINES}`.execute(tx);
  return true;
}
