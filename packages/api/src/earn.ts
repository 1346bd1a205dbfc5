import { type Static, Type } from "typebox";
import { orNull } from "./account-shapes.ts";
import { RequestId } from "./account-wallet.ts";
import { Address, IsoTime } from "./shapes.ts";

const Wei = (description: string, example = "1000000000") =>
  Type.String({ description: `${description}, in the token's smallest unit (6 decimals)`, examples: [example] });
/** WIRE-2: a string, or a number that is exact. */
const WeiInput = (description: string, example = "1000000000") =>
  Type.Union([Type.String({ maxLength: 40 }), Type.Integer()], {
    description: `${description}, in the token's smallest unit (6 decimals)`,
    examples: [example],
  });
const WholeInput = (description: string, example: number) =>
  Type.Union([Type.Integer(), Type.String({ maxLength: 20 })], { description, examples: [example] });
const TxHash = Type.String({
  description: "Transaction hash",
  examples: ["0x3b1f6b0f6f8f3f8d7a3f1e2d5c4b3a29180706f5e4d3c2b1a09f8e7d6c5b4a39"],
});
const Uuid = (description: string) => Type.String({ description, examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] });

export const ProductStatus = Type.Union(
  [
    Type.Literal("created"),
    Type.Literal("subscribing"),
    Type.Literal("active"),
    Type.Literal("settled"),
    Type.Literal("ended"),
    Type.Literal("cancelled"),
  ],
  { description: "Where the product is", examples: ["subscribing"] },
);

export type ProductStatus = Static<typeof ProductStatus>;

/** Interface 2.11. */
export const ProductDetail = Type.Object({
  id: Uuid("The product's UUID"),
  chain_product_id: Type.Integer({ description: "Its number on chain", examples: [1] }),
  name: Type.String({ examples: ["USDT 30 days"] }),
  description: orNull(Type.String()),
  annual_rate: Type.String({ description: "Percent a year", examples: ["12.00"] }),
  period_rate: Type.String({ description: "Percent for the whole term", examples: ["0.9863"] }),
  annual_rate_bps: Type.Integer({ description: "1 % is 100", examples: [1200] }),
  period_rate_bps: Type.Integer({ description: "Rounded half up", examples: [99] }),
  duration_seconds: Type.Integer({ description: "From the end of the subscription on", examples: [2_592_000] }),
  total_quota: Wei("Total quota", "1000000000000"),
  subscribed_amount: Wei("Subscribed so far", "455000000000"),
  available_quota: Wei("The rest of the quota", "545000000000"),
  reserved_amount: Wei("Reserved by unused vouchers", "0"),
  subscription_rate: Type.String({ description: "Percent of the quota that was subscribed", examples: ["45.50"] }),
  min_amount: Wei("Minimum of one subscription", "10000000"),
  max_amount_per_user: Wei("Maximum per user", "100000000000"),
  status: ProductStatus,
  subscriber_count: Type.Integer({ examples: [12] }),
  subscribe_start_time: IsoTime,
  subscribe_end_time: IsoTime,
  settle_time: IsoTime,
  is_subscribing: Type.Boolean({ description: "Whether it can be subscribed to now" }),
  is_sold_out: Type.Boolean({ description: "Whether less than the minimum is left" }),
  time_remaining_seconds: orNull(Type.Integer({ description: "Until the subscription ends; null outside of it" })),
  settlement_delayed: Type.Boolean({
    description: "Whether the settle time is reached but the funding does not cover the interest",
  }),
});
export type ProductDetail = Static<typeof ProductDetail>;

const pageFields = { total: Type.Integer(), page: Type.Integer(), page_size: Type.Integer() };
const pageParameters = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, default: 20, description: "At most 100; more is cut to 100" })),
};

export const ProductList = Type.Object({ products: Type.Array(ProductDetail), ...pageFields });
export type ProductList = Static<typeof ProductList>;
export const ProductListQuery = Type.Object({ status: Type.Optional(ProductStatus), ...pageParameters });
export type ProductListQuery = Static<typeof ProductListQuery>;

export const ProductPath = Type.Object({
  id: Type.String({ description: "UUID, or the number on chain", examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] }),
});

const TypedField = Type.Object({ name: Type.String(), type: Type.String() });
/** ERN-5: what wallets and scripts need to check a voucher. */
export const EarnDomainReply = Type.Object({
  types: Type.Object({ EIP712Domain: Type.Array(TypedField), Subscribe: Type.Array(TypedField) }),
  primaryType: Type.Literal("Subscribe"),
  domain: Type.Object({
    name: Type.String({ examples: ["Bourse Earn"] }),
    version: Type.String({ examples: ["1"] }),
    chainId: Type.Integer({ examples: [43113] }),
    verifyingContract: Address,
  }),
});
export type EarnDomainReply = Static<typeof EarnDomainReply>;

/** ERN-3 checks the amount before the product, so the schema accepts any amount. */
export const PrepareRequest = Type.Object({
  product_id: Uuid("The product's UUID"),
  amount: Type.Optional(
    Type.Unknown({ description: "In tokens, with at most 6 decimals: a decimal string or number", examples: ["100"] }),
  ),
});
export const PreparedSubscription = Type.Object({
  chain_product_id: Type.Integer({ examples: [1] }),
  amount: Wei("The amount", "100000000"),
  deadline: Type.Integer({ description: "Unix seconds; the voucher is valid up to and including it" }),
  signature: Type.String({ description: "Of the backend, for the contract's `subscribe`" }),
  contract_address: Address,
  user_address: Address,
});
export type PreparedSubscription = Static<typeof PreparedSubscription>;

/** ERN-10. */
export const EarnSubscription = Type.Object({
  id: Uuid("Stays the same for the same position"),
  product_id: Uuid("The product's UUID"),
  chain_product_id: Type.Integer({ examples: [1] }),
  user_address: Address,
  principal: Wei("Total subscribed"),
  interest: Wei("Interest at the end of the term", "9863013"),
  total_return: Wei("Both together", "1009863013"),
  nft_token_id: Type.String({ description: "The receipt on chain", examples: ["1"] }),
  nft_status: Type.Union([Type.Literal("minted"), Type.Literal("redeemed"), Type.Literal("refunded")]),
  status: Type.Union(
    [
      Type.Literal("active"),
      Type.Literal("claimable"),
      Type.Literal("claimed"),
      Type.Literal("refundable"),
      Type.Literal("refunded"),
    ],
    { description: "claimable: `claim` pays out now; refundable: `emergencyClaim` gives the principal back" },
  ),
  subscribe_tx_hash: TxHash,
  subscribed_at: IsoTime,
  claimable_at: IsoTime,
  claimed: Type.Boolean(),
  claim_tx_hash: orNull(TxHash),
  claimed_at: orNull(IsoTime),
  refund_tx_hash: orNull(TxHash),
  refunded_at: orNull(IsoTime),
});
export type EarnSubscription = Static<typeof EarnSubscription>;
export const EarnSubscriptionList = Type.Object({ subscriptions: Type.Array(EarnSubscription), ...pageFields });
export type EarnSubscriptionList = Static<typeof EarnSubscriptionList>;
export const EarnSubscriptionListQuery = Type.Object(pageParameters);
export type EarnSubscriptionListQuery = Static<typeof EarnSubscriptionListQuery>;
export const EarnSubscriptionPath = Type.Object({ id: Uuid("The subscription's UUID") });

/** ERN-10: what the contract holds against what it owes. */
export const ProductSolvency = Type.Object({
  product_id: Uuid("The product's UUID"),
  chain_product_id: Type.Integer({ examples: [1] }),
  block_number: Type.Integer({ description: "All figures are those of this block" }),
  principal_owed: Wei("Principal of the product's positions"),
  interest_owed: Wei("What they earn", "9863013"),
  funded_amount: Wei("Funding of this product's interest", "9863013"),
  shortfall: Wei("Missing funding before it can be settled", "0"),
  is_funded: Type.Boolean(),
  total: Type.Object({
    contract_balance: Wei("All tokens that the contract holds"),
    principal_owed: Wei("Of all products"),
    interest_owed: Wei("Of all products that are not cancelled"),
    funded_amount: Wei("Of all products"),
    is_solvent: Type.Boolean({ description: "Whether the balance covers every principal and all that was paid in" }),
  }),
});
export type ProductSolvency = Static<typeof ProductSolvency>;

const TimeInput = (description: string) =>
  Type.String({
    maxLength: 40,
    description: `${description}, ISO 8601; fractions of a second are dropped`,
    examples: ["2026-06-01T00:00:00.000Z"],
  });
const reason = Type.Optional(
  Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
);

const termFields = {
  name: Type.String({ maxLength: 400, description: "1 to 100 characters", examples: ["USDT 30 days"] }),
  annual_rate_bps: WholeInput("1 to 100000; 1 % is 100", 1200),
  duration_seconds: WholeInput("1 second to 3650 days", 2_592_000),
  total_quota: WeiInput("Total quota", "1000000000000"),
  min_amount: WeiInput("Minimum of one subscription", "10000000"),
  max_amount_per_user: WeiInput("Maximum per user", "100000000000"),
  subscribe_start_time: TimeInput("When the subscription begins"),
  subscribe_end_time: TimeInput("When it ends and interest begins"),
};
const description = Type.Optional(orNull(Type.String({ maxLength: 8_000, description: "At most 2000 characters" })));

/** WIRE-4. */
export const ProductRequest = Type.Object({
  ...termFields,
  description,
  reason,
  request_id: Type.Optional(RequestId),
});
export type ProductRequest = Static<typeof ProductRequest>;

export const ProductChangeRequest = Type.Object({
  name: Type.Optional(termFields.name),
  annual_rate_bps: Type.Optional(termFields.annual_rate_bps),
  duration_seconds: Type.Optional(termFields.duration_seconds),
  total_quota: Type.Optional(termFields.total_quota),
  min_amount: Type.Optional(termFields.min_amount),
  max_amount_per_user: Type.Optional(termFields.max_amount_per_user),
  subscribe_start_time: Type.Optional(termFields.subscribe_start_time),
  subscribe_end_time: Type.Optional(termFields.subscribe_end_time),
  description,
  reason,
});
export type ProductChangeRequest = Static<typeof ProductChangeRequest>;

export const ProductCancelRequest = Type.Object({ reason });
export type ProductCancelRequest = Static<typeof ProductCancelRequest>;
export const ProductFundRequest = Type.Object({
  amount: WeiInput("Amount to fund", "9863013"),
  reason,
  request_id: Type.Optional(RequestId),
});
export type ProductFundRequest = Static<typeof ProductFundRequest>;
