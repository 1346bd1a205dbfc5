import { type Static, Type } from "typebox";
import { Amount, AmountInput, orNull } from "./account-shapes.ts";
import { CursorParameter, deprecated, LimitParameter, listFields } from "./lists.ts";
import { Address, IsoTime } from "./shapes.ts";

const Uuid = (description: string) => Type.String({ description, examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] });
const Day = Type.String({ description: "A settled UTC day, YYYY-MM-DD", examples: ["2026-06-01"] });
const TxHash = Type.String({ description: "Of the transaction", examples: [`0x${"5a".repeat(32)}`] });
const Page = Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: "From 1 on", examples: [1] });
const PerPage = (max: number, usual: number) =>
  Type.Integer({
    minimum: 1,
    default: usual,
    description: `At most ${max}; more is cut to ${max}`,
    examples: [usual],
  });
const pageFields = { page: Type.Integer({ examples: [1] }), per_page: Type.Integer({ examples: [20] }) };
const LineCount = Type.Integer({ description: "Payable lines behind it", examples: [3] });
const Ratio = (description: string, example: string) => Type.String({ description, examples: [example] });

export const PayoutBatchStatus = Type.Union(
  [Type.Literal("open"), Type.Literal("paying"), Type.Literal("paid"), Type.Literal("cancelled")],
  {
    description:
      "open: put together, nothing moved. paying: on its way through the chain. paid: every payee has its money. " +
      "cancelled: its lines were let go",
    examples: ["open"],
  },
);
export type PayoutBatchStatus = Static<typeof PayoutBatchStatus>;
const PayoutWay = Type.Union([Type.Literal("chain"), Type.Literal("outside")], {
  description: "chain: by the operator through the referral contract. outside: by a transfer made elsewhere",
  examples: ["chain"],
});

/** BRK-14. */
export const PayoutBatchRequest = Type.Object({
  period: Type.Optional(
    Type.String({
      description: "A closed day; all closed days if omitted. Negative adjustments of all days are included",
      examples: ["2026-06-01"],
    }),
  ),
  min_amount: Type.Optional(
    AmountInput("Payees with a smaller sum in USDT wait for a later batch; 0 by default", "10"),
  ),
});
export type PayoutBatchRequest = Static<typeof PayoutBatchRequest>;

export const PayoutConfirmRequest = Type.Object({
  payment_tx_hash: Type.String({
    description: "The transaction that paid every payee: 0x and 64 hex digits",
    examples: [`0x${"5a".repeat(32)}`],
  }),
});

export const PayoutTransaction = Type.Object({
  tx_hash: TxHash,
  kind: Type.Union([Type.Literal("vault_payout"), Type.Literal("sync"), Type.Literal("outside")], {
    description:
      "vault_payout: the total leaves the Vault. sync: payees are credited, to be claimed. outside: paid elsewhere",
    examples: ["sync"],
  }),
  part: Type.Optional(Type.Integer({ description: "Which part of the batch, of at most 200 payees", examples: [1] })),
  payees: Type.Optional(Type.Integer({ description: "How many it pays", examples: [200] })),
});
export type PayoutTransaction = Static<typeof PayoutTransaction>;

/** WIRE-3. */
export const PayoutBatch = Type.Object({
  id: Uuid("The batch's UUID"),
  period: orNull(Day),
  status: PayoutBatchStatus,
  line_count: LineCount,
  payee_count: Type.Integer({ description: "Number of payees", examples: [2] }),
  total_amount: Amount("In USDT, of all payees", "30.00"),
  csv_url: Type.String({
    description: "Where its CSV is: payee, amount, lines",
    examples: ["/api/v1/broker/admin/rebate/payout-batches/3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44/csv"],
  }),
  sha256: Type.String({ description: "Of the CSV's bytes, hex", examples: ["9f".repeat(32)] }),
  transactions: Type.Array(PayoutTransaction, { description: "Transactions that paid it, in order" }),
  way: orNull(PayoutWay),
  min_amount: Amount("In USDT, as asked for", "0.00"),
  hold_up: orNull(Type.String({ description: "What it is waiting for", examples: ["PaymentsPaused"] })),
  created_at: IsoTime,
  paid_at: orNull(IsoTime),
});
export type PayoutBatch = Static<typeof PayoutBatch>;

export const PayoutPayee = Type.Object({
  payee: Address,
  amount: Amount("In USDT", "30.00"),
  line_count: LineCount,
  tx_hash: orNull(TxHash),
  paid_at: orNull(IsoTime),
});
export type PayoutPayee = Static<typeof PayoutPayee>;

/** Earlier releases paged by number. Not answered on pages requested by cursor. */
const numberedPage = {
  page: Type.Optional(Type.Integer({ ...deprecated("cursor"), examples: [1] })),
  per_page: Type.Optional(Type.Integer({ ...deprecated("limit"), examples: [20] })),
};
const numberedPageParameters = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      ...deprecated("cursor"),
      description: "A number; older than `cursor`",
    }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, ...deprecated("limit"), examples: [20] })),
};

export const PayoutBatchDetail = Type.Object({
  ...PayoutBatch.properties,
  ...listFields(PayoutPayee, "A page of payees, ordered by address", "payees"),
  ...numberedPage,
});
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>;

export const PayoutBatchList = Type.Object({ ...listFields(PayoutBatch, "Newest first", "batches"), ...numberedPage });
export type PayoutBatchList = Static<typeof PayoutBatchList>;

export const PayoutBatchPath = Type.Object({ id: Uuid("The batch's UUID") });
export const PayoutBatchListQuery = Type.Object({
  limit: LimitParameter(100, 20),
  cursor: CursorParameter,
  ...numberedPageParameters,
});
export type PayoutBatchListQuery = Static<typeof PayoutBatchListQuery>;
export const PayoutBatchQuery = Type.Object({
  limit: LimitParameter(),
  cursor: CursorParameter,
  ...numberedPageParameters,
});
export type PayoutBatchQuery = Static<typeof PayoutBatchQuery>;

/** Interface 2.8. */
export const PayoutRecord = Type.Object({
  id: Uuid("The record's id"),
  broker_id: Uuid("The record's broker"),
  downline_wallet: Address,
  period: Day,
  fee_amount: Amount("Trading fees of the downline, in USDT", "100.00"),
  kol_rebate_rate: Ratio("The broker's rate at the last fill", "0.4"),
  share_ratio: Ratio("Applied to the rest after the customer's part, for the parent", "0"),
  nominal_rebate: Amount("In USDT", "40.00"),
  share_amount: Amount("For the parent, in USDT", "0.00"),
  kol_net_rebate: Amount("For the broker, in USDT", "30.00"),
  payment_status: Type.Union([Type.Literal("pending"), Type.Literal("paid")], {
    description: "paid once every part of it is",
    examples: ["pending"],
  }),
  payment_tx_hash: orNull(TxHash),
  customer_rebate: Amount("For the downline itself, in USDT", "10.00"),
  revision: Type.Integer({ description: "0, or the number of an adjustment, whose amounts are differences" }),
});
export type PayoutRecord = Static<typeof PayoutRecord>;

export const PayoutListQuery = Type.Object({
  period: Type.Optional(Day),
  status: Type.Optional(
    Type.Union([Type.Literal("pending"), Type.Literal("paid"), Type.Literal("all")], {
      default: "pending",
      description: "Which records",
      examples: ["pending"],
    }),
  ),
  page: Type.Optional(Page),
  per_page: Type.Optional(PerPage(500, 100)),
});
export type PayoutListQuery = Static<typeof PayoutListQuery>;

export const PayoutList = Type.Object({
  total: Type.Integer({ description: "All that match", examples: [1] }),
  ...pageFields,
  records: Type.Array(PayoutRecord, { description: "Newest day first" }),
});
export type PayoutList = Static<typeof PayoutList>;

export const MyPayout = Type.Object({
  batch_id: Uuid("The batch's UUID"),
  amount: Amount("In USDT", "30.00"),
  line_count: LineCount,
  status: PayoutBatchStatus,
  way: orNull(PayoutWay),
  tx_hash: orNull(TxHash),
  created_at: IsoTime,
  paid_at: orNull(IsoTime),
});
export type MyPayout = Static<typeof MyPayout>;
export const MyPayoutsQuery = Type.Object({ limit: Type.Optional(PerPage(100, 100)) });
export type MyPayoutsQuery = Static<typeof MyPayoutsQuery>;
