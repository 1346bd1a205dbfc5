import { createKeptStore } from "../lib/store.ts";

const FIRST_SYMBOL = "BTCUSDT";

/** The market that was shown last. */
export const lastSymbol = createKeptStore("bourse.symbol", (kept) =>
  typeof kept === "string" && /^[A-Z0-9]{2,20}$/.test(kept) ? kept : FIRST_SYMBOL,
);
