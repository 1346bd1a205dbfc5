import type { BrokerPerformance } from "@bourse/api";
import { sql } from "kysely";
import type { Caller } from "../active-brokers.ts";
import { type DayRange, daysOf } from "../days.ts";
import { amountText } from "../ratios.ts";
import type { BrokerDb } from "../tables.ts";
import { readDayTotals } from "./trend.ts";

/** `day` null: the whole range. */
interface DayCount {
  readonly day: string | null;
  readonly count: number;
}

export const signUpsQuery = (brokerId: string, { from, to }: DayRange) => sql<DayCount>`
  select (bind_time at time zone 'UTC')::date as day, count(*)::int as count
  from broker_bind
  where inviter_broker_id = ${brokerId}
    and bind_time >= ${from}::date at time zone 'UTC' and bind_time < (${to}::date + 1) at time zone 'UTC'
  group by grouping sets ((1), ())`;

/** Traders by the first day with a countable fee under a broker's terms; earlier fees under an affiliate's terms do not count. */
export const firstTradersQuery = (brokerId: string, { from, to }: DayRange) => sql<DayCount>`
  select first.day, count(*)::int as count
  from broker_bind b
  cross join lateral (
    select p.day
    from broker_pre_settlement p
    join broker_terms t on t.terms_version = p.terms_version
    where p.account = b.account and p.counted_micros > 0 and t.kind = 'broker'
    order by p.day limit 1
  ) as first
  where b.inviter_broker_id = ${brokerId} and first.day between ${from}::date and ${to}::date
  group by grouping sets ((first.day), ())`;

/** The broker is not its own downline. */
export const activeTradersQuery = ({ id, account }: Pick<Caller, "id" | "account">, { from, to }: DayRange) =>
  sql<DayCount>`
  select period as day, count(distinct downline_account)::int as count
  from rebate_record
  where kind = 'broker' and broker_id = ${id} and period between ${from}::date and ${to}::date
    and downline_account is distinct from ${account}::int
  group by grouping sets ((period), ())`;

/** BRK-17. */
export async function readPerformance(db: BrokerDb, caller: Caller, range: DayRange): Promise<BrokerPerformance> {
  const countsOf = async (query: ReturnType<typeof signUpsQuery>) => {
    const counts = new Map((await query.execute(db)).rows.map(({ day, count }) => [day, count]));
    return (day: string | null) => counts.get(day) ?? 0;
  };
  const signUps = await countsOf(signUpsQuery(caller.id, range));
  const firstTraders = await countsOf(firstTradersQuery(caller.id, range));
  const activeTraders = await countsOf(activeTradersQuery(caller, range));
  const totals = await readDayTotals(db, caller.id, range);
  const figures = (day: string | null, sums: { fee: bigint; net: bigint; shareIncome: bigint; volume: bigint }) => ({
    sign_ups: signUps(day),
    first_traders: firstTraders(day),
    active_traders: activeTraders(day),
    fee: amountText(sums.fee),
    rebate: amountText(sums.net),
    share_income: amountText(sums.shareIncome),
    traded_volume: amountText(sums.volume),
  });
  const all = { fee: 0n, net: 0n, shareIncome: 0n, volume: 0n };
  const days = daysOf(range).map((date) => {
    const day = totals.get(date);
    const sums = {
      fee: day?.fee_micros ?? 0n,
      net: day?.net_micros ?? 0n,
      shareIncome: day?.share_income_micros ?? 0n,
      volume: day?.volume_micros ?? 0n,
    };
    all.fee += sums.fee;
    all.net += sums.net;
    all.shareIncome += sums.shareIncome;
    all.volume += sums.volume;
    return { date, ...figures(date, sums) };
  });
  return { ...range, totals: figures(null, all), days };
}
