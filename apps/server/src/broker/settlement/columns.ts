import { type RawBuilder, sql } from "kysely";

/** What records add up to, wherever they are summed. */
export const SUMS = ["fee_micros", "nominal_micros", "customer_micros", "share_micros", "net_micros"] as const;

/** Columns of our own names, each written out by `text`, with commas in between. */
export const columns = (names: readonly string[], text: (name: string) => string): RawBuilder<unknown> =>
  sql.raw(names.map(text).join(", "));
