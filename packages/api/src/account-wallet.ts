import { type Static, Type } from "typebox";
import { Amount, AmountInput, orNull, TimeMs } from "./account-shapes.ts";
import { CursorParameter, LimitParameter, listFields } from "./lists.ts";
import { Address } from "./shapes.ts";

/** A client's unique name for a call. */
export const RequestId = Type.String({
  pattern: "^[!-~]{1,64}$",
  description: "1 to 64 printable characters without spaces; a repeated one replays",
  examples: ["payout-2026-06-01"],
});

export const WithdrawRequest = Type.Object({
  amount: AmountInput("In USDT, at most 6 decimals", "250"),
  to: Type.Optional(Address),
  request_id: Type.Optional(RequestId),
});
export type WithdrawRequest = Static<typeof WithdrawRequest>;

/** VLT-1. */
export const Withdrawal = Type.Object({
  id: Type.String({ description: "UUID", examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] }),
  withdrawal_id: Type.String({ description: "The same" }),
  status: Type.Union(
    [
      Type.Literal("requested"),
      Type.Literal("in_review"),
      Type.Literal("sent"),
      Type.Literal("confirmed"),
      Type.Literal("rejected"),
    ],
    { description: "The amount is held while requested, in review and sent, and returned when rejected" },
  ),
  amount: Amount("In USDT", "250.00"),
  to: Address,
  reason: orNull(Type.String({ description: "Why it was rejected, or waits for review: linked_bonus, fund_capped" })),
  review_until: orNull(TimeMs),
  tx_hash: orNull(Type.String()),
  request_id: orNull(Type.String()),
  created_time: TimeMs,
  updated_time: TimeMs,
});
export type Withdrawal = Static<typeof Withdrawal>;

export const WithdrawReply = Type.Object({
  ...Withdrawal.properties,
  replayed: Type.Boolean({ description: "Whether this repeats the reply to an earlier request" }),
});
export type WithdrawReply = Static<typeof WithdrawReply>;
export const WithdrawalList = Type.Object(listFields(Withdrawal, "By time", "withdrawals"));
export type WithdrawalList = Static<typeof WithdrawalList>;

/** VLT-3, BON-7, BON-12, VLT-4. */
export const HeldAmount = Type.Object({
  reason: Type.Union(
    [Type.Literal("held_gains"), Type.Literal("bonus_owed"), Type.Literal("linked_bonus"), Type.Literal("fund_capped")],
    {
      description:
        "held_gains: gained from bonus accounts against the mark. bonus_owed: a bonus paid it of unfair losses. linked_bonus, " +
        "fund_capped: a withdrawal that leaves less than this waits for review",
    },
  ),
  amount: Amount("In USDT", "42.00"),
  until: orNull(TimeMs),
  longest_wait_ms: orNull(Type.Integer({ description: "The longest that such a withdrawal waits for review" })),
});
export type HeldAmount = Static<typeof HeldAmount>;
export const HeldAmountList = Type.Object(listFields(HeldAmount, "What of the wallet's money is held"));
export type HeldAmountList = Static<typeof HeldAmountList>;

export const ReviewedWithdrawal = Type.Object({ ...Withdrawal.properties, address: Address });
export type ReviewedWithdrawal = Static<typeof ReviewedWithdrawal>;
export const WithdrawalReviewList = Type.Object(
  listFields(ReviewedWithdrawal, "Withdrawals that wait for review, the oldest first"),
);
export type WithdrawalReviewList = Static<typeof WithdrawalReviewList>;
export const WithdrawalReviewQuery = Type.Object({ limit: LimitParameter(), cursor: CursorParameter });
export type WithdrawalReviewQuery = Static<typeof WithdrawalReviewQuery>;
export const WithdrawalReviewRequest = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "For the audit log",
    examples: ["checked by phone"],
  }),
});
export type WithdrawalReviewRequest = Static<typeof WithdrawalReviewRequest>;

/** VLT-1. */
export const Deposit = Type.Object({
  status: Type.Union([Type.Literal("requested"), Type.Literal("credited"), Type.Literal("refused")], {
    description: "Requested until the engine has credited it",
  }),
  amount: Amount("In USDT", "10000.00"),
  reason: orNull(Type.String({ description: "Why it was refused" })),
  tx_hash: orNull(Type.String()),
  block_number: orNull(Type.Integer({ description: "Absent until its block counts" })),
  created_time: TimeMs,
  updated_time: TimeMs,
});
export type Deposit = Static<typeof Deposit>;
export const DepositList = Type.Object(listFields(Deposit, "By time", "deposits"));
export type DepositList = Static<typeof DepositList>;

export const WithdrawAddressRequest = Type.Object({
  address: Address,
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ["cold storage"] })),
});
export type WithdrawAddressRequest = Static<typeof WithdrawAddressRequest>;
export const WithdrawAddress = Type.Object({
  address: Address,
  label: orNull(Type.String()),
  created_time: TimeMs,
});
export type WithdrawAddress = Static<typeof WithdrawAddress>;
export const WithdrawAddressList = Type.Object(listFields(WithdrawAddress, "Oldest first", "addresses"));
export type WithdrawAddressList = Static<typeof WithdrawAddressList>;
export const RemovedWithdrawAddress = Type.Object({ address: Address, removed: Type.Literal(true) });
export type RemovedWithdrawAddress = Static<typeof RemovedWithdrawAddress>;

export const FaucetRequest = Type.Object({
  address: Address,
  amount: Type.Optional(AmountInput("In USDT, 10000 by default", "10000")),
  request_id: Type.Optional(RequestId),
});
export type FaucetRequest = Static<typeof FaucetRequest>;
const Hash = Type.String({ description: "Of the transaction" });
export const FaucetReply = Type.Object({
  address: Address,
  amount: Amount("Sent to the wallet; the same amount is deposited for its futures account", "10000.00"),
  principal: Amount("The account's own money now", "10000.00"),
  tx_hashes: Type.Object({ gas: orNull(Hash), usdt: Hash, deposit: Hash }),
  replayed: Type.Boolean(),
});
export type FaucetReply = Static<typeof FaucetReply>;
