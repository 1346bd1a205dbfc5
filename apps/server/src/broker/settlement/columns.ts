import { type RawBuilder, sql } from "kysely";

/** The amounts of records that totals sum. */
export const SUMS = ["fee_micros", "nominal_micros", "customer_micros", "share_micros", "net_micros"] as const;

/** A comma-separated list of columns, each written by `text`. The names are our own constants. */
export const columns = (names: readonly string[], text: (name: string) => string): RawBuilder<unknown> =>
  sql.raw(names.map(text).join(", "));
