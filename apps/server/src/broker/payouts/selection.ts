import { sql } from "kysely";
import type { BrokerTx } from "../tables.ts";
import type { CsvPayee } from "./payees-csv.ts";
import { inPortions, rowsOf } from "./portions.ts";

/** The selection of lines for a batch. */
export interface Wanted {
  /** A closed day; undefined for all closed days. */
  readonly period: string | undefined;
  readonly min_amount_micros: bigint;
}

/** The maximum number of payees in a batch; the next batch takes the others. */
export const MAX_PAYEES = 20_000;

/**
 * BRK-11: the parts of closed records that are in no batch. If a day is given, negative adjustments of other days are included:
 * otherwise a payee that owes something would be paid in full again.
 */
const pendingLines = (period: string | undefined) => sql`
  select row_number() over () as place, record.id as record_id, record.period, part.kind, part.payee, part.amount_micros
  from rebate_record as record
  join rebate_period as day on day.period = record.period and day.status = 'closed' and not day.is_sealed
  cross join lateral (values
    ('customer', record.downline_wallet, record.customer_micros),
    (case record.kind when 'affiliate' then 'affiliate' else 'kol' end, record.net_payee, record.net_micros),
    ('share', record.share_payee, record.share_micros)
  ) as part (kind, payee, amount_micros)
  where record.payment_status = 'pending' and part.amount_micros <> 0
    ${period === undefined ? sql`` : sql`and (record.period = ${period}::date or part.amount_micros < 0)`}
    and not exists (select from payout_line as taken where taken.record_id = record.id and taken.kind = part.kind)`;

/**
 * BRK-14, BRK-15: chooses payees and their amounts. Frozen brokers wait, and so do payees whose sum is not positive or below the
 * minimum. Payees that have waited longest come first. Lines and payees are put into temporary tables: joins of many rows are
 * faster there, and each is computed once.
 */
export async function choosePayees(
  tx: BrokerTx,
  { period, min_amount_micros }: Wanted,
  most = MAX_PAYEES,
): Promise<CsvPayee[]> {
  await sql`create temporary table payout_candidate on commit drop as ${pendingLines(period)}`.execute(tx);
  await sql`create index on payout_candidate (place)`.execute(tx);
  await sql`
    create temporary table payout_chosen on commit drop as
    select payee, sum(amount_micros)::bigint as amount_micros, count(*)::int as line_count
    from payout_candidate as line
    where not exists (select from broker where broker.wallet_address = line.payee and broker.status = 'frozen')
    group by payee
    having sum(amount_micros) > 0 and sum(amount_micros) >= ${min_amount_micros}::bigint
    order by min(period), payee
    limit ${most}::int`.execute(tx);
  return (await sql<CsvPayee>`select payee, amount_micros, line_count from payout_chosen`.execute(tx)).rows;
}

/** Writes the chosen payees and their lines into the batch, and locks the records. Returns the number of lines. */
export async function takeChosen(tx: BrokerTx, batchId: string): Promise<number> {
  await sql`
    insert into payout_payee (batch_id, payee, amount_micros, line_count)
    select ${batchId}::uuid, payee, amount_micros, line_count from payout_chosen`.execute(tx);
  let taken = 0n;
  for (const portion of inPortions(await rowsOf(tx, "payout_candidate"))) {
    const within = sql`from payout_candidate as line join payout_chosen as chosen on chosen.payee = line.payee
      where line.place between ${portion.first}::int and ${portion.last}::int`;
    const { numAffectedRows = 0n } = await sql`
      insert into payout_line (record_id, kind, batch_id, payee, amount_micros)
      select line.record_id, line.kind, ${batchId}::uuid, line.payee, line.amount_micros ${within}`.execute(tx);
    await sql`
      update rebate_record set is_locked = true
      where not is_locked and id in (select line.record_id ${within})`.execute(tx);
    taken += numAffectedRows;
  }
  return Number(taken);
}
