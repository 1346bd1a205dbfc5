import { type Static, Type } from "typebox";
import { Amount, orNull } from "./account-shapes.ts";
import { BonusControlReply, BonusControlRequest } from "./bonus-accounts.ts";
import { Address, IsoTime } from "./shapes.ts";

const Score = (min: number, description: string, example: number) =>
  Type.Integer({ minimum: min, maximum: 100, description, examples: [example] });
const Points = Type.Integer({ description: "What it adds to the score", examples: [40] });
const Count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const two = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema, description: string) =>
  Type.Array(schema, { minItems: 2, maxItems: 2, description: `${description}, in the order of the wallets` });

const ProposedAction = Type.Union([Type.Literal("freeze"), Type.Literal("watch")], {
  description: "freeze from a score of 80 on",
  examples: ["freeze"],
});
const Status = Type.Union(
  [
    Type.Literal("active"),
    Type.Literal("frozen"),
    Type.Literal("expired_pending"),
    Type.Literal("recalled"),
    Type.Literal("refused"),
  ],
  { description: "Of the wallet's bonus", examples: ["active"] },
);
const StatusOrNone = Type.Union([...Status.anyOf, Type.Literal("none")], {
  description: "Of the wallet's bonus; none: it has only traded with one that had a bonus",
  examples: ["active"],
});

const FundingReason = Type.Object({
  kind: Type.Literal("funding", { description: "The same funding source on chain", examples: ["funding"] }),
  points: Points,
  sources: Type.Array(Address, {
    description: "Wallets that have paid both, at most 5; or the one that has paid the other",
  }),
  is_direct: Type.Boolean({ description: "One of the two has paid the other", examples: [false] }),
  wallets_funded: Count("Bonus wallets of the source with the fewest; a hot wallet of an exchange has many", 2),
});
const MirroredReason = Type.Object({
  kind: Type.Literal("mirrored", {
    description: "Similar orders within 5 minutes and 10 % of the size, at least half of each wallet's",
    examples: ["mirrored"],
  }),
  points: Points,
  relation: Type.Union([Type.Literal("mirrored"), Type.Literal("copied")], {
    description: "mirrored: most on opposite sides. copied: most on the same side",
    examples: ["mirrored"],
  }),
  basis: Type.Union([Type.Literal("orders"), Type.Literal("positions")], {
    description: "Orders since the grant, or positions that are held now",
    examples: ["orders"],
  }),
  matched: Count("How many of them match, one to one", 4),
  of: two(Count("Their number", 5), "Of how many each"),
});
const PnlReason = Type.Object({
  kind: Type.Literal("pnl", { description: "One has gained what the other has lost, within 10 %", examples: ["pnl"] }),
  points: Points,
  pnl: two(Amount("Realised since the grant and unrealised now, in USDT", "100.00"), "Profit or loss"),
});
const IpReason = Type.Object({
  kind: Type.Literal("ip", { description: "Sign-ins from the same IP address", examples: ["ip"] }),
  points: Points,
  ips: Type.Array(Type.String(), { description: "At most 5", examples: [["203.0.113.7"]] }),
});

const OffMarkReason = Type.Object({
  kind: Type.Literal("off_mark", {
    description: "Trades gave the other side 10 USDT or more against the mark, and 2 % of the grant or more",
    examples: ["off_mark"],
  }),
  points: Points,
  off_mark: Amount("Lost by the bonus wallet to the other against the mark, in USDT", "42.00"),
});
const VolumeReason = Type.Object({
  kind: Type.Literal("volume", {
    description: "Half of the bonus wallet's volume or more was traded with the other, who is no listed market maker",
    examples: ["volume"],
  }),
  points: Points,
  volume: Amount("With the other, in USDT", "6000.00"),
  total_volume: Amount("With everybody, in USDT", "8000.00"),
});
const OppositeReason = Type.Object({
  kind: Type.Literal("opposite", {
    description:
      "Opposite positions of a size within 10 %, for half of the time in which the bonus wallet held one, or longer",
    examples: ["opposite"],
  }),
  points: Points,
  percent: Count("Of that time", 80),
});

export const RiskReason = Type.Union([
  FundingReason,
  OffMarkReason,
  MirroredReason,
  OppositeReason,
  VolumeReason,
  PnlReason,
  IpReason,
]);
export type RiskReason = Static<typeof RiskReason>;

export const RiskPair = Type.Object({
  wallets: Type.Array(Address, { minItems: 2, maxItems: 2, description: "Ordered by address" }),
  score: Count("Sum of the points", 90),
  proposed_action: ProposedAction,
  reasons: Type.Array(RiskReason, { description: "Common features" }),
  statuses: two(StatusOrNone, "Their bonuses"),
});
export type RiskPair = Static<typeof RiskPair>;

/** BON-12. */
export const RiskReport = Type.Object({
  total: Count("All pairs of at least min_score", 1),
  items: Type.Array(RiskPair, { description: "The highest score first" }),
  clusters: Type.Array(
    Type.Object({
      id: Address,
      wallets: Type.Array(Address, { description: "Ordered by address" }),
      max_score: Count("Of the pairs among them", 90),
      proposed_action: ProposedAction,
    }),
    { description: "Wallets connected by these pairs; the first one names the cluster" },
  ),
  wallets_checked: Count("Wallets with a bonus of the running campaign, or with an older one that still runs", 20),
  funding_block: orNull(Count("The token's transfers are known up to this block; null before the first scan", 1200)),
  funding_is_current: Type.Boolean({ description: "Whether that is the chain's last block", examples: [true] }),
  generated_at: IsoTime,
});
export type RiskReport = Static<typeof RiskReport>;

export const RiskQuery = Type.Object({
  min_score: Type.Optional(Score(50, "Minimum score of a pair; 50 by default", 50)),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 100, description: "Pairs, at most 500; more is cut to 500", examples: [100] }),
  ),
});
export type RiskQuery = Static<typeof RiskQuery>;

export const LinkedFreezeRequest = Type.Object({
  ...BonusControlRequest.properties,
  min_score: Type.Optional(Score(50, "Minimum score of the pairs that connect wallets; 80 by default", 80)),
});
export type LinkedFreezeRequest = Static<typeof LinkedFreezeRequest>;

const { audit_id, target_address, replayed, recalled_amount, still_locked_amount } = BonusControlReply.properties;

export const LinkedFreezeReply = Type.Object({
  audit_id,
  target_address,
  wallets: Type.Array(Type.Object({ address: Address, status: Status, recalled_amount, still_locked_amount }), {
    description: "The running bonuses of the cluster with their outcomes, ordered by address",
  }),
  replayed,
});
export type LinkedFreezeReply = Static<typeof LinkedFreezeReply>;
