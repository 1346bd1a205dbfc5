import type { RowOf } from "../projector/columns.ts";

/** FUT-20: a market at one moment, as far as the log does not tell it: once in five minutes, while the process ran. */
export const SAMPLE_COLUMNS = {
  market: "integer",
  time_ms: "bigint",
  /** The lots of all long positions, which equal those of all short ones. */
  open_interest_lots: "bigint",
  mark_ticks: "integer",
  index_ticks: "integer",
  /** 0 before the first trade. */
  last_ticks: "integer",
  /** Accounts with a position, without the fund. */
  long_accounts: "integer",
  short_accounts: "integer",
  /** The same of the fifth of them that has the highest margin balance, and the lots of their positions. */
  top_long_accounts: "integer",
  top_short_accounts: "integer",
  top_long_lots: "bigint",
  top_short_lots: "bigint",
} as const;

export type SampleRow = RowOf<typeof SAMPLE_COLUMNS>;
