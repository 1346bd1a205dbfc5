import { Readable } from "node:stream";
import type { Selectable } from "kysely";
import type { DayRange } from "../days.ts";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb, RebateRecordTable } from "../tables.ts";

const ROWS_PER_PAGE = 1_000;
const LINE_END = "\r\n";

type ExportRow = Omit<Selectable<RebateRecordTable>, "leaf" | "net_payee" | "share_payee">;

/** Only days, ids, addresses, our own words and numbers: no value that a spreadsheet would evaluate as a formula. */
const COLUMNS: Readonly<Record<string, (row: ExportRow) => string>> = {
  period: ({ period }) => period,
  id: ({ id }) => id,
  revision: ({ revision }) => String(revision),
  downline_wallet: ({ downline_wallet }) => downline_wallet,
  fee_amount: ({ fee_micros }) => amountText(fee_micros),
  kol_rebate_rate: ({ rate_e6 }) => ratioText(rate_e6),
  customer_rebate_ratio: ({ customer_ratio_e6 }) => ratioText(customer_ratio_e6),
  share_ratio: ({ share_ratio_e6 }) => ratioText(share_ratio_e6),
  nominal_rebate: ({ nominal_micros }) => amountText(nominal_micros),
  customer_rebate: ({ customer_micros }) => amountText(customer_micros),
  share_amount: ({ share_micros }) => amountText(share_micros),
  kol_net_rebate: ({ net_micros }) => amountText(net_micros),
  payment_status: ({ payment_status }) => payment_status,
};
const HEADER = Object.keys(COLUMNS).join(",") + LINE_END;
const writers = Object.values(COLUMNS);
const line = (row: ExportRow) => writers.map((write) => write(row)).join(",") + LINE_END;

/** The days on which the broker has records. */
async function daysWithRecords(db: BrokerDb, brokerId: string, { from, to }: DayRange): Promise<string[]> {
  const rows = await db
    .selectFrom("broker_day_total")
    .select("period")
    .where("broker_id", "=", brokerId)
    .where("period", ">=", from)
    .where("period", "<=", to)
    .where("records", ">", 0)
    .orderBy("period")
    .execute();
  return rows.map(({ period }) => period);
}

export const exportPageQuery = (db: BrokerDb, brokerId: string, period: string, afterId: string | undefined) =>
  db
    .selectFrom("rebate_record")
    .selectAll()
    .where("kind", "=", "broker")
    .where("broker_id", "=", brokerId)
    .where("period", "=", period)
    .$if(afterId !== undefined, (query) => query.where("id", ">", afterId ?? ""))
    .orderBy("id")
    .limit(ROWS_PER_PAGE);

async function* pages(db: BrokerDb, brokerId: string, days: readonly string[]): AsyncGenerator<string> {
  yield HEADER;
  for (const period of days) {
    for (let afterId: string | undefined; ; ) {
      const rows = await exportPageQuery(db, brokerId, period, afterId).execute();
      if (rows.length > 0) yield rows.map(line).join("");
      if (rows.length < ROWS_PER_PAGE) break;
      afterId = rows.at(-1)?.id;
    }
  }
}

/**
 * BRK-17: a broker's records as CSV, ordered by day and id. Pages are read as the client consumes them, so a year of records is
 * never in memory and holds no transaction open; each page shows the state at its read.
 */
export async function exportRecords(db: BrokerDb, brokerId: string, range: DayRange): Promise<Readable> {
  const days = await daysWithRecords(db, brokerId, range);
  return Readable.from(pages(db, brokerId, days), { objectMode: false, highWaterMark: 65_536 });
}
