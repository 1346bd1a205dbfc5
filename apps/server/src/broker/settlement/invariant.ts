import { sql } from "kysely";
import type { Finding } from "../../exchange/index.ts";
import type { Database } from "../../kernel/database/database.ts";
import { MerkleTree } from "../../kernel/merkle.ts";
import { type BrokerTx, brokerTx } from "../tables.ts";
import { columns, SUMS } from "./columns.ts";
import { changesOf } from "./targets.ts";

/** The number of settled days whose records are checked, which bounds the duration. */
const PERIODS_LOOKED_AT = 40;

const list = (text: (name: string) => string) => columns(SUMS, text);

/** Counts rows that violate a check. */
async function countOf(tx: BrokerTx, rows: ReturnType<typeof sql>): Promise<number> {
  const { rows: counts } = await sql<{ count: number }>`select count(*)::int as count from (${rows}) as wrong`.execute(
    tx,
  );
  return counts[0]?.count ?? 0;
}

const newestPeriods = sql`(select period from rebate_period order by period desc limit ${PERIODS_LOOKED_AT})`;

/** Owners and downlines of a day whose parts do not add up, or exceed the fee. */
const wrongParts = sql`
  select 1 from rebate_record
  where period in ${newestPeriods}
  group by period, kind, broker_id, net_payee, downline_account
  having sum(customer_micros) + sum(share_micros) + sum(net_micros) <> sum(nominal_micros)
    or sum(nominal_micros) > sum(fee_micros)
    or least(sum(customer_micros), sum(share_micros), sum(net_micros)) < 0
    or bool_or(customer_micros + share_micros + net_micros <> nominal_micros)
    or bool_or(share_micros <> 0 and share_payee is null)`;

/** Days of a broker whose total differs from the sum of its records. */
const wrongDayTotals = sql`
  select 1
  from (
    select broker_id, period, count(*) as records, ${list((name) => `sum(${name}) as ${name}`)}
    from rebate_record where period in ${newestPeriods} and kind = 'broker' group by broker_id, period
  ) as records
  full join (select * from broker_day_total where period in ${newestPeriods} and records > 0) as total
    using (broker_id, period)
  where (records.records, ${list((name) => `records.${name}`)})
    is distinct from (total.records, ${list((name) => `total.${name}`)})`;

/** Days of a parent whose income differs from the shares of its sub-KOLs. */
const wrongShares = sql`
  select 1
  from (
    select parent_broker_id as broker_id, period, sum(share_micros) as shared
    from rebate_record where period in ${newestPeriods} and parent_broker_id is not null
    group by parent_broker_id, period
  ) as records
  full join (select * from broker_day_total where period in ${newestPeriods}) as total using (broker_id, period)
  where coalesce(records.shared, 0) <> coalesce(total.share_income_micros, 0)`;

/** Totals of brokers or downlines that differ from the sum of the settled days. */
const wrongTotals = sql`
  select 1 from
    (select coalesce(sum(record_count), 0), ${list((name) => `coalesce(sum(${name}), 0)`)} from rebate_period)
      as days (records, ${list((name) => name)}),
    (select coalesce(sum(records), 0), ${list((name) => `coalesce(sum(${name}), 0)`)} from broker_total)
      as brokers (records, ${list((name) => name)})
  where (days.records, ${list((name) => `days.${name}`)}) <> (brokers.records, ${list((name) => `brokers.${name}`)})
  union all
  select 1 from
    (select ${list((name) => `coalesce(sum(${name}), 0)`)} from rebate_period where is_rolled_up)
      as days (${list((name) => name)}),
    (select ${list((name) => `coalesce(sum(${name}), 0)`)} from broker_downline_total)
      as downlines (${list((name) => name)})
  where (${list((name) => `days.${name}`)}) <> (${list((name) => `downlines.${name}`)})`;

/** The changes that a rerun of the newest closed day would make; they are not written. */
async function rerunProblems(tx: BrokerTx, period: string): Promise<string[]> {
  const problems: string[] = [];
  const changes = await countOf(tx, changesOf(period));
  if (changes > 0) problems.push(`a rerun of ${period} would change ${changes} records`);
  const unknown = await countOf(
    tx,
    sql`select 1 from broker_pre_settlement p where p.day = ${period}::date
      and not exists (select from broker_terms t where t.terms_version = p.terms_version)`,
  );
  if (unknown > 0) problems.push(`${unknown} sums of ${period} name terms that do not exist`);
  const { rows } = await sql<{ root: Buffer; leaves: Buffer }>`
    select root, (select coalesce(string_agg(leaf, ''::bytea order by id), ''::bytea)
      from rebate_record where rebate_record.period = day.period) as leaves
    from rebate_period day where period = ${period}::date`.execute(tx);
  for (const { root, leaves } of rows) {
    const tree = await MerkleTree.build(period, leaves);
    if (!tree.root.equals(root)) problems.push(`the records of ${period} do not lead to its root`);
  }
  return problems;
}

async function findProblems(tx: BrokerTx, newestClosed: string | undefined): Promise<string[]> {
  const checks = [
    { rows: wrongParts, text: "records whose parts do not add up or exceed the fee" },
    { rows: wrongDayTotals, text: "totals of a broker's day that are not its records'" },
    { rows: wrongShares, text: "incomes of a parent that are not what was shared" },
    { rows: wrongTotals, text: "totals that are not those of the settled days" },
  ];
  const problems: string[] = [];
  for (const { rows, text } of checks) {
    const count = await countOf(tx, rows);
    if (count > 0) problems.push(`${count} ${text}`);
  }
  return newestClosed === undefined ? problems : [...problems, ...(await rerunProblems(tx, newestClosed))];
}

/**
 * INV-4: the parts of every record add up to its nominal, which is at most the fee; totals equal the sums of records; and a rerun
 * of the newest closed day that is not sealed would give the same bytes. All in one snapshot.
 */
export function createRebateInvariant({
  database,
}: {
  readonly database: Pick<Database, "db">;
}): () => Promise<Finding> {
  return () =>
    database.db
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute(async (anyTx) => {
        const tx = brokerTx(anyTx);
        const periods = tx.selectFrom("rebate_period").select((eb) => eb.fn.countAll<bigint>().as("count"));
        const { count } = await periods.executeTakeFirstOrThrow();
        const closed = tx.selectFrom("rebate_period").select("period").where("status", "=", "closed");
        const newest = await closed
          .where("is_sealed", "=", false)
          .orderBy("period", "desc")
          .limit(1)
          .executeTakeFirst();
        const problems = await findProblems(tx, newest?.period);
        if (problems.length > 0) return { ok: false, detail: problems.join("; ") };
        const looked = Math.min(PERIODS_LOOKED_AT, Number(count));
        const rerun =
          newest === undefined ? "no day is closed yet" : `a rerun of ${newest.period} gives the same bytes`;
        return { ok: true, detail: `records of the last ${looked} of ${count} settled days add up; ${rerun}` };
      });
}
