import type { RebateTrend } from "@bourse/api";
import type { Selectable } from "kysely";
import { type DayRange, daysOf } from "../days.ts";
import { amountText } from "../ratios.ts";
import type { BrokerDayTotalTable, BrokerDb } from "../tables.ts";

type DayTotal = Selectable<BrokerDayTotalTable>;

/** The broker's totals of the days that have records. */
export async function readDayTotals(
  db: BrokerDb,
  brokerId: string,
  { from, to }: DayRange,
): Promise<ReadonlyMap<string, DayTotal>> {
  const rows = await db
    .selectFrom("broker_day_total")
    .selectAll()
    .where("broker_id", "=", brokerId)
    .where("period", ">=", from)
    .where("period", "<=", to)
    .execute();
  return new Map(rows.map((row) => [row.period, row]));
}

/** Every day has a row, even without records. */
export async function readTrend(db: BrokerDb, brokerId: string, range: DayRange): Promise<RebateTrend> {
  const totals = await readDayTotals(db, brokerId, range);
  return daysOf(range).map((date) => {
    const day = totals.get(date);
    return {
      date,
      total_fee: amountText(day?.fee_micros ?? 0n),
      total_nominal_rebate: amountText(day?.nominal_micros ?? 0n),
      total_kol_net_rebate: amountText(day?.net_micros ?? 0n),
      share_income: amountText(day?.share_income_micros ?? 0n),
      traded_volume: amountText(day?.volume_micros ?? 0n),
    };
  });
}
