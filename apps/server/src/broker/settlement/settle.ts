import { type Selectable, sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { MerkleTree } from "../../kernel/merkle.ts";
import { REBATE_BOOKS } from "../noted.ts";
import { type BrokerTx, brokerTx, type RebatePeriodTable } from "../tables.ts";
import { changesOf } from "./targets.ts";
import { addToDownlineTotals, rebuildDayTotals } from "./totals.ts";

export interface PeriodToSettle {
  readonly period: string;
  readonly status: "provisional" | "closed";
  readonly now: Date;
}

type Period = Selectable<RebatePeriodTable>;
type PeriodRow = Omit<Period, "period" | "is_rolled_up" | "is_sealed" | "calculated_at" | "closed_at">;

/** The number of records a settlement changed. */
export interface RecordChanges {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/** A settled day, and the changes of this run. */
export interface SettledPeriod extends Pick<Period, "period" | "status" | "revision" | "root" | "leaf_count">, Figures {
  readonly changes: RecordChanges;
}

/** The totals of a day's records. */
type Figures = Omit<PeriodRow, "status" | "revision" | "root" | "leaf_count">;

/**
 * BRK-9: updates a day's records, totals and root to its fees and terms, in the given transaction. The result depends on the rows
 * only, and if nothing has changed, nothing is written. Locked records are not changed. A closed day stays closed, and a sealed one
 * stays as it is.
 */
export async function settlePeriod(anyTx: Tx, { period, status, now }: PeriodToSettle): Promise<SettledPeriod> {
  await lockInTransaction(anyTx, REBATE_BOOKS);
  const tx = brokerTx(anyTx);
  const before = await tx.selectFrom("rebate_period").selectAll().where("period", "=", period).executeTakeFirst();
  if (before?.is_sealed === true) return { ...before, changes: NO_CHANGES };
  const changes = (await isEmpty(tx, period))
    ? NO_CHANGES
    : await writeRecords(tx, period, before?.is_rolled_up === true);
  const { leaves, ...figures } = await readFigures(tx, period);
  const { root, leafCount: leaf_count } = await MerkleTree.build(period, leaves);
  const isNewRoot = before === undefined || !before.root.equals(root);
  const after = {
    status: before?.status === "closed" ? before.status : status,
    revision: (before?.revision ?? 0) + (isNewRoot ? 1 : 0),
    root,
    leaf_count,
    ...figures,
  };
  if (isNewRoot) {
    const { revision } = after;
    await tx.insertInto("rebate_root").values({ period, revision, root, leaf_count, created_at: now }).execute();
  }
  await writePeriod(tx, period, before, after, now);
  return { period, ...after, changes };
}

const NO_CHANGES: RecordChanges = { inserted: 0, updated: 0, deleted: 0 };

/** Whether the day has neither fees nor records, as every day of an installation without partners. */
async function isEmpty(tx: BrokerTx, period: string): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select from broker_pre_settlement where day = ${period}::date)
      and not exists (select from rebate_record where period = ${period}::date) as is_empty`.execute(tx);
  return rows[0]?.is_empty === true;
}

/** Deletes, updates and inserts the differences, one statement for each, and updates the day's totals. */
async function writeRecords(tx: BrokerTx, period: string, isRolledUp: boolean): Promise<RecordChanges> {
  // For this transaction: keep a day's groups in memory, and do not compile statements that run once.
  await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(tx);
  await sql`create temporary table rebate_change on commit drop as ${changesOf(period)}`.execute(tx);
  const { rows } = await sql<RecordChanges>`
    select
      count(*) filter (where old_id is null)::int as inserted,
      count(*) filter (where id = old_id)::int as updated,
      count(*) filter (where id is null)::int as deleted
    from rebate_change`.execute(tx);
  const changes = rows[0] ?? NO_CHANGES;
  if (isRolledUp) await addToDownlineTotals(tx);
  if (changes.deleted > 0) {
    await sql`
      delete from rebate_record where id in (select old_id from rebate_change where id is null)`.execute(tx);
  }
  if (changes.updated > 0) await updateRecords(tx);
  if (changes.inserted > 0) await insertRecords(tx, period);
  await sql`drop table rebate_change`.execute(tx);
  await rebuildDayTotals(tx, period);
  return changes;
}

/** A record of which nothing is owed is paid from the beginning. */
const PAYMENT_STATUS = sql.raw(`
  case when c.customer_micros = 0 and c.share_micros = 0 and c.net_micros = 0 then 'paid' else 'pending' end`);

async function updateRecords(tx: BrokerTx): Promise<void> {
  await sql`
    update rebate_record r set
      fee_micros = c.fee_micros, nominal_micros = c.nominal_micros, customer_micros = c.customer_micros,
      share_micros = c.share_micros, net_micros = c.net_micros, rate_e6 = c.rate_e6,
      customer_ratio_e6 = c.customer_ratio_e6, share_ratio_e6 = c.share_ratio_e6, net_payee = c.net_payee,
      parent_broker_id = c.parent_broker_id, share_payee = c.share_payee, leaf = c.leaf,
      payment_status = ${PAYMENT_STATUS}
    from rebate_change c
    where r.id = c.id and c.old_id = c.id`.execute(tx);
}

async function insertRecords(tx: BrokerTx, period: string): Promise<void> {
  await sql`
    insert into rebate_record (id, period, kind, broker_id, downline_account, downline_wallet, revision, fee_micros,
      nominal_micros, customer_micros, share_micros, net_micros, rate_e6, customer_ratio_e6, share_ratio_e6, net_payee,
      parent_broker_id, share_payee, leaf, payment_status)
    select c.id, ${period}::date, c.kind, c.broker_id, c.downline_account, c.downline_wallet, c.revision, c.fee_micros,
      c.nominal_micros, c.customer_micros, c.share_micros, c.net_micros, c.rate_e6, c.customer_ratio_e6,
      c.share_ratio_e6, c.net_payee, c.parent_broker_id, c.share_payee, c.leaf, ${PAYMENT_STATUS}
    from rebate_change c
    where c.old_id is null
    -- Three of the table's indexes are in this order, and grow at their end then.
    order by c.id`.execute(tx);
}

/** The totals of the day's records, and their leaves concatenated in the order of the ids. */
export async function readFigures(tx: BrokerTx, period: string): Promise<Figures & { leaves: Buffer }> {
  const { rows } = await sql<Figures & { leaves: Buffer }>`
    select
      count(distinct broker_id)::int as broker_count,
      count(broker_id)::int as record_count,
      count(broker_id) filter (where payment_status = 'paid')::int as paid_count,
      coalesce(sum(fee_micros) filter (where kind = 'broker'), 0)::bigint as fee_micros,
      coalesce(sum(nominal_micros) filter (where kind = 'broker'), 0)::bigint as nominal_micros,
      coalesce(sum(customer_micros) filter (where kind = 'broker'), 0)::bigint as customer_micros,
      coalesce(sum(share_micros) filter (where kind = 'broker'), 0)::bigint as share_micros,
      coalesce(sum(net_micros) filter (where kind = 'broker'), 0)::bigint as net_micros,
      coalesce(sum(net_micros) filter (where kind = 'affiliate'), 0)::bigint as affiliate_micros,
      coalesce(string_agg(leaf, ''::bytea order by id), ''::bytea) as leaves
    from rebate_record
    where period = ${period}::date`.execute(tx);
  const [figures] = rows;
  if (figures === undefined) throw new Error("a sum over a day's records gave no row");
  return figures;
}

async function writePeriod(
  tx: BrokerTx,
  period: string,
  before: Period | undefined,
  after: PeriodRow,
  now: Date,
): Promise<void> {
  if (before !== undefined && isSame(before, after)) return;
  const closed_at = before?.closed_at ?? (after.status === "closed" ? now : null);
  const row = { ...after, calculated_at: now, closed_at };
  await tx
    .insertInto("rebate_period")
    .values({ period, ...row })
    .onConflict((conflict) => conflict.column("period").doUpdateSet(row))
    .execute();
}

const isSame = (before: PeriodRow, after: PeriodRow): boolean =>
  Object.entries(after).every(([name, value]) => {
    const kept = before[name as keyof PeriodRow];
    return Buffer.isBuffer(kept) && Buffer.isBuffer(value) ? kept.equals(value) : kept === value;
  });
