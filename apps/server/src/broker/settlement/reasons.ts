import type { FeeSkip } from "../../exchange/index.ts";

/** BRK-7: why a fill's fee does not count, or counts only in part, as sentences for the KOL. */
export const SKIP_REASONS = {
  self_trade: "The wallet traded with itself; such fees do not count.",
  liquidation: "The position was liquidated; fees of a liquidation do not count.",
  takeover: "The insurance fund took the position over; nobody pays a trading fee for that.",
  adl: "The position was reduced by auto-deleveraging; nobody pays a trading fee for that.",
  off_market: "The price was further from the mark than is fair; such trades do not count.",
  no_fee: "No trading fee was paid for this fill.",
  paid_by_bonus: "The fee was paid from bonus money, which does not count.",
  partly_paid_by_bonus: "A part of the fee was paid from bonus money; only the rest counts.",
} as const satisfies Readonly<Record<FeeSkip, string>>;

/** The sentence for a stored reason. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : ((SKIP_REASONS as Readonly<Record<string, string>>)[reason] ?? reason);
