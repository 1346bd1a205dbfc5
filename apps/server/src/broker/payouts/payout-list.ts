import type { MyPayout, PayoutList, PayoutListQuery, PayoutRecord } from "@bourse/api";
import type { NotNull, Selectable } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { readDay } from "../days.ts";
import { amountText, ratioText } from "../ratios.ts";
import { type BrokerDb, brokerDb, type RebateRecordTable } from "../tables.ts";
import { readNumberedPage } from "./inputs.ts";

const PAGE = { most: 500, usual: 100 };
const MAX_OWN = 100;

type Status = NonNullable<PayoutListQuery["status"]>;

interface DayCount {
  readonly period: string;
  readonly count: number;
}

/** The number of records per day, newest day first, from counters that are updated with the records. */
async function countsOf(db: BrokerDb, status: Status, period: string | undefined): Promise<DayCount[]> {
  let query = db.selectFrom("rebate_period").select(["period", "record_count", "paid_count"]);
  if (period !== undefined) query = query.where("period", "=", period);
  const days = await query.orderBy("period", "desc").execute();
  return days
    .map(({ period, record_count, paid_count }) => {
      const count = { all: record_count, paid: paid_count, pending: record_count - paid_count }[status];
      return { period, count };
    })
    .filter(({ count }) => count > 0);
}

/** The days that a page covers, and the number of records of the first day that precede the page. */
function placeOf(days: readonly DayCount[], offset: number, size: number) {
  let before = 0;
  let place: { newest: string; oldest: string; skipped: number } | undefined;
  for (const { period, count } of days) {
    if (before >= offset + size) break;
    if (place !== undefined) place.oldest = period;
    else if (before + count > offset) place = { newest: period, oldest: period, skipped: offset - before };
    before += count;
  }
  return place;
}

type BrokerRecord = Selectable<RebateRecordTable> & { readonly broker_id: string };

function recordView(record: BrokerRecord): PayoutRecord {
  return {
    id: record.id,
    broker_id: record.broker_id,
    downline_wallet: record.downline_wallet,
    period: record.period,
    fee_amount: amountText(record.fee_micros),
    kol_rebate_rate: ratioText(record.rate_e6),
    share_ratio: ratioText(record.share_ratio_e6),
    nominal_rebate: amountText(record.nominal_micros),
    share_amount: amountText(record.share_micros),
    kol_net_rebate: amountText(record.net_micros),
    payment_status: record.payment_status,
    payment_tx_hash: record.payment_tx_hash,
    customer_rebate: amountText(record.customer_micros),
    revision: record.revision,
  };
}

/** Owed and paid amounts: by record for admins, by batch for a wallet. */
export class PayoutLists {
  readonly #database: Pick<Database, "db">;

  constructor({ database }: { readonly database: Pick<Database, "db"> }) {
    this.#database = database;
  }

  /** Interface 4.1: broker records. The days' counters locate the page, so that late pages cost no more than early ones. */
  async records(query: PayoutListQuery): Promise<PayoutList> {
    const { status = "pending" } = query;
    const period = query.period === undefined ? undefined : readDay("period", query.period);
    const { offset, ...page } = readNumberedPage(query, PAGE);
    const days = await countsOf(this.#db, status, period);
    const total = days.reduce((sum, { count }) => sum + count, 0);
    const place = placeOf(days, offset, page.per_page);
    if (place === undefined) return { total, ...page, records: [] };
    let records = this.#db.selectFrom("rebate_record").selectAll().where("kind", "=", "broker");
    records = records.where("period", "<=", place.newest).where("period", ">=", place.oldest);
    if (status !== "all") records = records.where("payment_status", "=", status);
    const ordered = records.orderBy("period", "desc").orderBy("id").offset(place.skipped).limit(page.per_page);
    const rows = await ordered.$narrowType<{ broker_id: NotNull }>().execute();
    return { total, ...page, records: rows.map(recordView) };
  }

  /** The amounts a wallet gets by batch, newest first. */
  async own(wallet: string, limit = MAX_OWN): Promise<MyPayout[]> {
    const rows = await this.#db
      .selectFrom("payout_payee as own")
      .innerJoin("payout_batch as batch", "batch.id", "own.batch_id")
      .select(["own.batch_id", "own.amount_micros", "own.line_count", "own.tx_hash", "own.paid_at"])
      .select(["batch.status", "batch.way", "batch.created_at"])
      .where("own.payee", "=", wallet)
      .where("batch.status", "<>", "cancelled")
      .orderBy("batch.created_at", "desc")
      .orderBy("batch.id")
      .limit(Math.min(limit, MAX_OWN))
      .execute();
    return rows.map(({ amount_micros, paid_at, created_at, ...row }) => ({
      ...row,
      amount: amountText(amount_micros),
      created_at: created_at.toISOString(),
      paid_at: paid_at?.toISOString() ?? null,
    }));
  }

  get #db(): BrokerDb {
    return brokerDb(this.#database);
  }
}
