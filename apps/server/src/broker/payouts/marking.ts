import { sql } from "kysely";
import type { BrokerTx } from "../tables.ts";
import { inPortions, rowsOf } from "./portions.ts";

/** Payees of a batch, and the transaction that paid them. */
export interface Paid {
  readonly batchId: string;
  /** Undefined: all of them. */
  readonly payees: readonly string[] | undefined;
  readonly txHash: string;
  readonly now: Date;
}

/** BRK-11: marks payees of a batch as paid, and records of which nothing is owed any more. */
export async function markPaid(tx: BrokerTx, paid: Paid): Promise<void> {
  if (await markPayees(tx, paid)) await markRecords(tx, paid);
}

/** Returns false if all of them were marked before. */
async function markPayees(tx: BrokerTx, { batchId, payees, txHash, now }: Paid): Promise<boolean> {
  let update = tx.updateTable("payout_payee").set({ tx_hash: txHash, paid_at: now });
  update = update.where("batch_id", "=", batchId).where("paid_at", "is", null);
  if (payees !== undefined) update = update.where("payee", "=", sql<string>`any(${[...payees]}::text[])`);
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * A record is paid when all its parts are. Its transaction is that of the broker's (or affiliate's) part, else the customer's, else
 * the share's. Each day counts its paid broker records.
 */
async function markRecords(tx: BrokerTx, { batchId, txHash }: Paid): Promise<void> {
  await sql`
    create temporary table payout_complete on commit drop as
    select row_number() over () as place, complete.*
    from (${completeRecords(batchId, txHash)}) as complete`.execute(tx);
  await sql`create index on payout_complete (place)`.execute(tx);
  for (const { first, last } of inPortions(await rowsOf(tx, "payout_complete"))) {
    await sql`
      update rebate_record as record
      set payment_status = 'paid', payment_tx_hash = complete.tx_hash
      from payout_complete as complete
      where record.id = complete.id and complete.place between ${first}::int and ${last}::int`.execute(tx);
  }
  await sql`
    update rebate_period as day set paid_count = day.paid_count + done.records
    from (
      select period, count(*)::int as records from payout_complete where kind = 'broker' group by period
    ) as done
    where day.period = done.period`.execute(tx);
  await sql`drop table payout_complete`.execute(tx);
}

/** Records with a line paid by this transaction of which nothing is owed any more. */
const completeRecords = (batchId: string, txHash: string) => sql`
  select record.id, record.period, record.kind,
    coalesce(
      max(payee.tx_hash) filter (where line.kind in ('kol', 'affiliate')),
      max(payee.tx_hash) filter (where line.kind = 'customer'),
      max(payee.tx_hash)
    ) as tx_hash
  from (
    select distinct line.record_id
    from payout_payee as payee
    join payout_line as line on line.batch_id = payee.batch_id and line.payee = payee.payee
    where payee.batch_id = ${batchId}::uuid and payee.tx_hash = ${txHash}::text
  ) as touched
  join rebate_record as record on record.id = touched.record_id and record.payment_status = 'pending'
  join payout_line as line on line.record_id = record.id
  join payout_payee as payee on payee.batch_id = line.batch_id and payee.payee = line.payee
  group by record.id
  having count(payee.paid_at) =
    (record.customer_micros <> 0)::int + (record.net_micros <> 0)::int + (record.share_micros <> 0)::int`;

export async function hasUnpaid(tx: BrokerTx, batchId: string): Promise<boolean> {
  const query = tx.selectFrom("payout_payee").select("payee").where("batch_id", "=", batchId);
  return (await query.where("paid_at", "is", null).limit(1).executeTakeFirst()) !== undefined;
}
