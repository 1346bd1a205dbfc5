import type { WhatIf } from "@bourse/api";
import { sql } from "kysely";
import type { Caller } from "../active-brokers.ts";
import { type DayRange, dayAfter, daysOf } from "../days.ts";
import { amountText, ratioText, readRatio } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import type { BrokerDb } from "../tables.ts";

const USUAL_DAYS = 30;
const RATIO = "customer_rebate_ratio";

/** One day; `day` null: the whole range. */
interface SumsRow {
  readonly day: string | null;
  readonly customers: number;
  readonly fee_micros: bigint;
  readonly nominal_micros: bigint;
  readonly actual_customer_micros: bigint;
  readonly actual_share_micros: bigint;
  readonly other_customer_micros: bigint;
  readonly other_share_micros: bigint;
}

/**
 * BRK-10 and BRK-13 over the fees of the broker's own customers at their terms, once with the ratio of the customer's code and once
 * with the other ratio. As in a settlement, fees of a day and customer under equal rates and ratios are summed before these are
 * applied; `div` rounds down. Both ratios follow from the rate, so both give the same groups.
 */
export const whatIfQuery = (brokerId: string, { from, to }: DayRange, ratio_e6: number) => sql<SumsRow>`
  with fees as (
    select f.*, b.account, b.customer_ratio_e6 as ratio_e6
    from broker_bind b
    -- Customer by customer, so that the days of everybody else are not read.
    cross join lateral (
      select p.day, least(t.rate_e6, t.parent_rate_e6) as rate_e6,
        case when t.parent_broker_id is null then 0 else greatest(b.share_ratio_e6, t.bound_share_e6) end as share_e6,
        sum(p.counted_micros) as fee
      from broker_pre_settlement p
      join broker_terms t on t.terms_version = p.terms_version
      where p.account = b.account and p.day between ${from}::date and ${to}::date and p.counted_micros > 0
        and t.broker_id = ${brokerId} and t.account <> p.account
      group by 1, 2, 3
    ) as f
    where b.inviter_broker_id = ${brokerId} and b.code_type = 'direct'
  ),
  applied as (
    select day, account, share_e6, fee,
      div(fee * rate_e6, 1000000) as nominal,
      div(fee * least(ratio_e6, rate_e6), 1000000) as actual,
      div(fee * least(${ratio_e6}::int, rate_e6), 1000000) as other
    from fees
  )
  select day, count(distinct account)::int as customers,
    coalesce(sum(fee), 0)::bigint as fee_micros,
    coalesce(sum(nominal), 0)::bigint as nominal_micros,
    coalesce(sum(actual), 0)::bigint as actual_customer_micros,
    coalesce(sum(div((nominal - actual) * share_e6, 1000000)), 0)::bigint as actual_share_micros,
    coalesce(sum(other), 0)::bigint as other_customer_micros,
    coalesce(sum(div((nominal - other) * share_e6, 1000000)), 0)::bigint as other_share_micros
  from applied
  group by grouping sets ((day), ())`;

function figures(row: SumsRow | undefined, customer_micros: bigint, share_micros: bigint): WhatIf["actual"] {
  const nominal_micros = row?.nominal_micros ?? 0n;
  return {
    fee: amountText(row?.fee_micros ?? 0n),
    nominal: amountText(nominal_micros),
    customer_rebate: amountText(customer_micros),
    share: amountText(share_micros),
    kol_net: amountText(nominal_micros - customer_micros - share_micros),
  };
}

const bothOf = (row: SumsRow | undefined) => ({
  actual: figures(row, row?.actual_customer_micros ?? 0n, row?.actual_share_micros ?? 0n),
  hypothetical: figures(row, row?.other_customer_micros ?? 0n, row?.other_share_micros ?? 0n),
});

/** BRK-5: the lowest rate on the chain. */
async function effectiveRate(db: BrokerDb, { rate_e6, parent_broker_id }: Caller): Promise<number> {
  if (parent_broker_id === null) return rate_e6;
  const parent = await db
    .selectFrom("broker")
    .select("rate_e6")
    .where("id", "=", parent_broker_id)
    .executeTakeFirstOrThrow();
  return Math.min(rate_e6, parent.rate_e6);
}

/** BRK-17: the result of another customer ratio over the last `days` days, today included. */
export async function readWhatIf(
  db: BrokerDb,
  caller: Caller,
  query: { readonly customer_rebate_ratio?: string; readonly days?: number },
  today: string,
): Promise<WhatIf> {
  if (query.customer_rebate_ratio === undefined) throw refusals.fieldRequired(RATIO);
  const ratio_e6 = readRatio(RATIO, query.customer_rebate_ratio);
  const most_e6 = await effectiveRate(db, caller);
  if (ratio_e6 > most_e6) throw refusals.ratioExceedsRate(RATIO, ratioText(most_e6), ratioText(ratio_e6));
  const range = { from: dayAfter(today, 1 - (query.days ?? USUAL_DAYS)), to: today };
  const { rows } = await whatIfQuery(caller.id, range, ratio_e6).execute(db);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const whole = byDay.get(null);
  return {
    ...range,
    customer_rebate_ratio: ratioText(ratio_e6),
    customers: whole?.customers ?? 0,
    ...bothOf(whole),
    days: daysOf(range).map((date) => ({ date, ...bothOf(byDay.get(date)) })),
  };
}
