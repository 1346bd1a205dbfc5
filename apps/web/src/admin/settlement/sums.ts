import type { PayoutRecord } from "@bourse/api/client";
import { sum } from "../../lib/decimal.ts";

/** What records come to together, as decimal texts. */
export interface RecordSums {
  readonly count: number;
  readonly fee: string;
  readonly nominal: string;
  readonly customer: string;
  readonly share: string;
  readonly net: string;
}

export function sumsOf(records: readonly PayoutRecord[]): RecordSums {
  const total = (field: "fee_amount" | "nominal_rebate" | "customer_rebate" | "share_amount" | "kol_net_rebate") =>
    sum(records.map((record) => record[field])).toString();
  return {
    count: records.length,
    fee: total("fee_amount"),
    nominal: total("nominal_rebate"),
    customer: total("customer_rebate"),
    share: total("share_amount"),
    net: total("kol_net_rebate"),
  };
}

/** What the records owe: the parts of downlines, parents and KOLs. */
export const owedOf = ({ customer, share, net }: Pick<RecordSums, "customer" | "share" | "net">): string =>
  sum([customer, share, net]).toString();

export interface DaySums extends RecordSums {
  readonly period: string;
  readonly pending: number;
}

/** Day by day, the newest first. */
export function sumsByDay(records: readonly PayoutRecord[]): readonly DaySums[] {
  const days = Map.groupBy(records, ({ period }) => period);
  return [...days]
    .map(([period, own]) => ({
      period,
      ...sumsOf(own),
      pending: own.filter(({ payment_status }) => payment_status === "pending").length,
    }))
    .toSorted((one, other) => (one.period < other.period ? 1 : -1));
}
