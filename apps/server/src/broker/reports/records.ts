import type { AffiliateRecord, RebateRecord, ShareIncome } from "@bourse/api";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb, RebateRecordTable } from "../tables.ts";

/** Interface 8. */
const MAX_RECORDS = 100;

type PaymentStatus = "pending" | "paid";

/** A kind of payable line, and the record's column with its amount. */
interface Line {
  readonly kind: "customer" | "share";
  readonly part: "customer_micros" | "share_micros";
}
const CUSTOMER_LINE: Line = { kind: "customer", part: "customer_micros" };
const SHARE_LINE: Line = { kind: "share", part: "share_micros" };

interface RecordRow extends Omit<Selectable<RebateRecordTable>, "leaf"> {
  readonly is_provisional: boolean;
  /** The status of the requested line; null if the record has no such line. */
  readonly line_status: PaymentStatus | null;
}

/** A line is paid when its payee is; an amount of 0 is not a line. Looked up per record, by keys. */
const lineStatus = ({ kind, part }: Line) => sql`
  case when r.${sql.ref(part)} = 0 then null
    when (
      select y.paid_at from payout_line l join payout_payee y on y.batch_id = l.batch_id and y.payee = l.payee
      where l.record_id = r.id and l.kind = ${kind}
    ) is null then 'pending'
    else 'paid' end`;

/** At most 100 records, newest first, each with whether its day is provisional and the status of one line. */
function newest(which: RawBuilder<unknown>, line: Line, period: string | undefined) {
  const ofDay = period === undefined ? sql`` : sql`and period = ${period}::date`;
  return sql<RecordRow>`
    select r.id, r.period, r.kind, r.broker_id, r.downline_account, r.downline_wallet, r.revision, r.fee_micros,
      r.nominal_micros, r.customer_micros, r.share_micros, r.net_micros, r.rate_e6, r.customer_ratio_e6,
      r.share_ratio_e6, r.net_payee, r.parent_broker_id, r.share_payee, r.is_locked, r.payment_status,
      r.payment_tx_hash, p.status = 'provisional' as is_provisional, ${lineStatus(line)} as line_status
    from (
      select * from rebate_record where ${which} ${ofDay} order by period desc, id limit ${MAX_RECORDS}
    ) as r
    join rebate_period p on p.period = r.period
    order by r.period desc, r.id`;
}

export const recordsOfBroker = (brokerId: string, period?: string) =>
  newest(sql`kind = 'broker' and broker_id = ${brokerId}`, CUSTOMER_LINE, period);
export const recordsOfDownline = (wallet: string, period?: string) =>
  newest(sql`kind = 'broker' and downline_wallet = ${wallet}`, CUSTOMER_LINE, period);
export const recordsOfAffiliate = (wallet: string, period?: string) =>
  newest(sql`kind = 'affiliate' and net_payee = ${wallet}`, CUSTOMER_LINE, period);
export const sharesOfParent = (brokerId: string, period?: string) =>
  newest(sql`parent_broker_id = ${brokerId} and share_micros <> 0`, SHARE_LINE, period);

const recordView = (row: RecordRow): RebateRecord => ({
  id: row.id,
  downline_wallet: row.downline_wallet,
  period: row.period,
  fee_amount: amountText(row.fee_micros),
  customer_rebate: amountText(row.customer_micros),
  nominal_rebate: amountText(row.nominal_micros),
  share_amount: amountText(row.share_micros),
  kol_net_rebate: amountText(row.net_micros),
  payment_status: row.payment_status,
  customer_payment_status: row.line_status,
  payment_tx_hash: row.payment_tx_hash,
  revision: row.revision,
  kol_rebate_rate: ratioText(row.rate_e6),
  share_ratio: ratioText(row.share_ratio_e6),
  customer_rebate_ratio: ratioText(row.customer_ratio_e6),
  provisional: row.is_provisional,
});

/** The records of a broker's downlines, adjustments as separate rows. */
export async function readBrokerRecords(db: BrokerDb, brokerId: string, period?: string): Promise<RebateRecord[]> {
  return (await recordsOfBroker(brokerId, period).execute(db)).rows.map(recordView);
}

/** The records in which the wallet is the downline. */
export async function readOwnRecords(db: BrokerDb, wallet: string, period?: string): Promise<RebateRecord[]> {
  return (await recordsOfDownline(wallet, period).execute(db)).rows.map(recordView);
}

/** REF-4: the records of a wallet as the owner of an on-chain code. */
export async function readAffiliateRecords(db: BrokerDb, wallet: string, period?: string): Promise<AffiliateRecord[]> {
  const { rows } = await recordsOfAffiliate(wallet, period).execute(db);
  return rows.map((row) => ({
    id: row.id,
    downline_wallet: row.downline_wallet,
    period: row.period,
    fee_amount: amountText(row.fee_micros),
    reward_rate: ratioText(row.rate_e6),
    reward: amountText(row.net_micros),
    payment_status: row.payment_status,
    payment_tx_hash: row.payment_tx_hash,
    revision: row.revision,
    provisional: row.is_provisional,
  }));
}

/** BRK-11: a parent's shares. The net part of such a record is the sub-KOL's, whose wallet is shown. */
export async function readShareIncome(db: BrokerDb, brokerId: string, period?: string): Promise<ShareIncome[]> {
  const { rows } = await sharesOfParent(brokerId, period).execute(db);
  return rows.map((row) => ({
    record_id: row.id,
    period: row.period,
    sub_kol_wallet: row.net_payee,
    downline_wallet: row.downline_wallet,
    share_ratio: ratioText(row.share_ratio_e6),
    share_amount: amountText(row.share_micros),
    payment_status: row.line_status ?? "pending",
    revision: row.revision,
    provisional: row.is_provisional,
  }));
}
