import { sql } from "kysely";
import type { BrokerDb } from "../tables.ts";
import { ownerOf, type RebateRecordRow } from "./leaf.ts";
import { BY_TERMS, feesOf } from "./targets.ts";

/** The five amounts of a record, in micros. */
export interface Parts {
  readonly fee_micros: bigint;
  readonly nominal_micros: bigint;
  readonly customer_micros: bigint;
  readonly share_micros: bigint;
  readonly net_micros: bigint;
}

/** Fees under one set of rates and ratios. */
export interface GroupRow extends Parts {
  readonly rate_e6: number;
  readonly ratio_e6: number;
  readonly share_e6: number;
}

/** A terms version under which the downline traded on the day, with its rates. */
export interface TermsRow extends Pick<GroupRow, "rate_e6" | "ratio_e6" | "share_e6"> {
  readonly terms_version: bigint;
  readonly kind: "broker" | "affiliate";
  readonly is_own: boolean;
  readonly wallet: string;
  readonly own_rate_e6: number;
  readonly bound_share_e6: number;
  readonly parent_wallet: string | null;
  readonly parent_rate_e6: number | null;
  readonly code_ratio_e6: number | null;
  readonly code_share_e6: number | null;
  readonly affiliate: string | null;
}

export interface FillRow {
  readonly symbol: string;
  readonly trade: bigint;
  readonly side: number;
  readonly account: number;
  readonly time_ms: bigint;
  readonly fee_micros: bigint;
  readonly counted_micros: bigint;
  readonly reason: string | null;
  readonly terms_version: bigint;
}

export interface LineRow {
  readonly kind: "customer" | "kol" | "share" | "affiliate";
  readonly payee: string;
  readonly amount_micros: bigint;
  readonly status: "pending" | "in_batch" | "paid";
}

/** The condition for rows of `fees` of the record's owner and downline. */
const isOf = (record: RebateRecordRow) => sql`
  account = ${record.downline_account} and kind = ${record.kind}
    and coalesce(broker_id::text, affiliate) = ${ownerOf(record)}`;

/** The day's amounts of the record's owner and downline, computed by the same statement as the settlement. */
export async function readGroups(db: BrokerDb, record: RebateRecordRow): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    with fees as (select * from (${feesOf(record.period)}) as day where ${isOf(record)})
    select rate_e6, ratio_e6, share_e6, fee_micros, nominal_micros, customer_micros, share_micros,
      nominal_micros - customer_micros - share_micros as net_micros
    from (${BY_TERMS}) as by_terms
    order by last`.execute(db);
  return rows;
}

export async function readTerms(db: BrokerDb, record: RebateRecordRow): Promise<TermsRow[]> {
  const { rows } = await sql<TermsRow>`
    select f.terms_version, f.rate_e6, f.ratio_e6, f.share_e6, t.kind, t.account = f.account as is_own,
      t.wallet_address as wallet, t.rate_e6 as own_rate_e6, t.bound_share_e6, t.parent_rate_e6,
      parent.wallet_address as parent_wallet, b.customer_ratio_e6 as code_ratio_e6,
      b.share_ratio_e6 as code_share_e6, t.affiliate
    from (select * from (${feesOf(record.period)}) as day where ${isOf(record)}) as f
    join broker_terms t on t.terms_version = f.terms_version
    left join broker parent on parent.id = t.parent_broker_id
    left join broker_bind b on b.account = f.account and t.account <> f.account
    order by f.terms_version`.execute(db);
  return rows;
}

/** The other revisions of the same day, owner and downline. */
export async function readOtherRevisions(db: BrokerDb, record: RebateRecordRow): Promise<RebateRecordRow[]> {
  return await db
    .selectFrom("rebate_record")
    .selectAll()
    .where("period", "=", record.period)
    .where("downline_wallet", "=", record.downline_wallet)
    .where("kind", "=", record.kind)
    .where("net_payee", "=", record.net_payee)
    .where("id", "<>", record.id)
    .orderBy("revision")
    .execute();
}

export async function readFills(
  db: BrokerDb,
  record: RebateRecordRow,
  versions: readonly bigint[],
  most: number,
): Promise<{ fills: FillRow[]; total: number }> {
  const which = sql`a.account = ${record.downline_account} and a.day = ${record.period}::date
    and a.terms_version = any(${[...versions]}::bigint[])`;
  const { rows: fills } = await sql<FillRow>`
    select coalesce(m.symbol, a.market::text) as symbol, a.trade, a.side, a.account, a.time_ms, a.fee_micros,
      a.counted_micros, a.reason, a.terms_version
    from broker_accrual a left join exchange_market m on m.market = a.market
    where ${which}
    order by a.time_ms desc, a.command_number desc, a.event_index desc limit ${most}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from broker_accrual a where ${which}`.execute(db);
  return { fills, total: rows[0]?.total ?? 0 };
}

/** BRK-11: the record's parts with the state of their payment. */
export async function readLines(db: BrokerDb, record: RebateRecordRow): Promise<LineRow[]> {
  const net = record.kind === "affiliate" ? "affiliate" : "kol";
  const parts = [
    { kind: "customer" as const, payee: record.downline_wallet, amount_micros: record.customer_micros },
    { kind: net as "kol" | "affiliate", payee: record.net_payee, amount_micros: record.net_micros },
    { kind: "share" as const, payee: record.share_payee ?? "", amount_micros: record.share_micros },
  ];
  const taken = await db
    .selectFrom("payout_line as line")
    .innerJoin("payout_payee as payee", (join) =>
      join.onRef("payee.batch_id", "=", "line.batch_id").onRef("payee.payee", "=", "line.payee"),
    )
    .select(["line.kind", "payee.paid_at"])
    .where("line.record_id", "=", record.id)
    .execute();
  const statusOf = (kind: LineRow["kind"]) => {
    const line = taken.find((row) => row.kind === kind);
    if (line === undefined) return "pending";
    return line.paid_at === null ? "in_batch" : "paid";
  };
  return parts
    .filter(({ amount_micros }) => amount_micros !== 0n)
    .map((part) => ({ ...part, status: statusOf(part.kind) }));
}
