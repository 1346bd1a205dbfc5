import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import { type NotedRow, writeNoted } from "../../kernel/engine-requests/noted-rows.ts";
import { PERIODS } from "../noted.ts";
import { type BrokerTx, brokerTx } from "../tables.ts";
import { readFigures, settlePeriod } from "./settle.ts";
import { rebuildDayTotals, rollUp, takeFromDownlineTotals } from "./totals.ts";

/** As the database writes bytes in JSON. */
const bytesText = (bytes: Buffer) => `\\x${bytes.toString("hex")}`;

/**
 * LOG-3: closes a day as it was closed. A day whose records come out with another root than the published one is sealed: some of
 * what they followed from is older than the notes in the log.
 */
export async function restorePeriod(anyTx: Tx, noted: NotedRow): Promise<number> {
  const tx = brokerTx(anyTx);
  const period = String(noted.period);
  const { is_rolled_up: _isRolledUp, ...row } = noted;
  const before = await tx.selectFrom("rebate_period").selectAll().where("period", "=", period).executeTakeFirst();
  if (before?.status === "closed" && before.revision >= Number(row.revision)) return 0;
  const isSealed = row.is_sealed === true || !(await isSettledAgain(tx, period, row));
  if (isSealed) {
    await writeNoted(tx, PERIODS, [{ table: PERIODS.name, row: { ...row, is_sealed: true }, isGone: false }]);
    await forgetRecords(tx, period);
  } else {
    const { revision, calculated_at, closed_at } = row;
    await sql`
      update rebate_period set revision = ${revision}, calculated_at = ${calculated_at}::timestamptz,
        closed_at = ${closed_at}::timestamptz
      where period = ${period}::date`.execute(tx);
    await rollUp(tx, period);
  }
  await sql`
    insert into rebate_root (period, revision, root, leaf_count, created_at)
    select period, revision, root, leaf_count, calculated_at from rebate_period where period = ${period}::date
    on conflict (period, revision) do update set
      root = excluded.root, leaf_count = excluded.leaf_count, created_at = excluded.created_at`.execute(tx);
  return 1;
}

async function isSettledAgain(tx: BrokerTx, period: string, { root, calculated_at }: NotedRow): Promise<boolean> {
  const now = new Date(String(calculated_at));
  const settled = await settlePeriod(tx, { period, status: "closed", now });
  // Its number is not the one that was published.
  await sql`delete from rebate_root where period = ${period}::date and revision = ${settled.revision}`.execute(tx);
  return bytesText(settled.root) === root;
}

/** Seals closed days, that one or all: it is not known what of them was paid. */
export async function sealDays(tx: BrokerTx, period: string | undefined): Promise<void> {
  const { rows } = await sql<{ period: string }>`
    update rebate_period set is_sealed = true
    where status = 'closed' and not is_sealed and ${period === undefined ? sql`true` : sql`period = ${period}::date`}
    returning period`.execute(tx);
  const days = rows.map(({ period }) => period);
  // A batch that only this database knew, and whose lines another batch may have paid.
  await sql`
    with left_open as (
      update payout_batch set status = 'cancelled' where status = 'open' and id in (
        select line.batch_id from payout_line as line join rebate_record as record on record.id = line.record_id
        where record.period = any(${days}::date[]))
      returning id
    )
    delete from payout_line where batch_id in (select id from left_open)`.execute(tx);
  for (const day of days) await forgetRecords(tx, day);
}

/** What is left of a sealed day is what was in a batch; its root stays. */
async function forgetRecords(tx: BrokerTx, period: string): Promise<void> {
  await takeFromDownlineTotals(tx, period);
  await sql`delete from rebate_record where period = ${period}::date and not is_locked`.execute(tx);
  await rebuildDayTotals(tx, period);
  const { leaves: _leaves, ...figures } = await readFigures(tx, period);
  await tx.updateTable("rebate_period").set(figures).where("period", "=", period).execute();
}
