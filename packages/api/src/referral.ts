import { type Static, Type } from "typebox";
import { Address } from "./shapes.ts";

const LowerCaseAddress = Type.String({
  description: "Ethereum address in lower case",
  examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
});
const Code = Type.String({
  description: "A bytes32 code as text, or as hex of all 32 bytes if it is not UTF-8; empty without a code",
  examples: ["SPRING26"],
});
const Referrer = Type.String({
  description: "The code's owner; the zero address without a code",
  examples: ["0x8617e340b3d01fa5f11f306f4090fd50e238070d"],
});
const ClaimedUsd = Type.String({ description: "Claimed so far, in USDT with 6 decimals", examples: ["12.500000"] });
const TierLevel = Type.Integer({ minimum: 0, maximum: 4, description: "0 to 4", examples: [3] });
const basisPoints = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 10_000, description: `${description}; 1 is 0.01 %`, examples: [example] });

/** REF-1: the names of the affiliates' tiers, by level. */
export const REFERRAL_TIER_NAMES = ["Starter", "Bronze", "Silver", "Gold", "Diamond"] as const;
export type ReferralTierName = (typeof REFERRAL_TIER_NAMES)[number];

const TierName = Type.Enum([...REFERRAL_TIER_NAMES], { examples: ["Gold"] });

export const ReferralAddressPath = Type.Object({ address: Address });

/** Interface 2.12. */
export const UserRebateInfo = Type.Object({
  address: LowerCaseAddress,
  claimed_usd: ClaimedUsd,
  nonce: Type.Integer({ description: "Goes up with each claim", examples: [2] }),
  referral_code: Code,
  referrer: Referrer,
  tier_level: TierLevel,
  tier_name: TierName,
});
export type UserRebateInfo = Static<typeof UserRebateInfo>;

export const TraderReferralInfo = Type.Object({
  address: LowerCaseAddress,
  code: Code,
  referrer: Referrer,
  total_rebate_bps: basisPoints("Part of the trader's fee that is given away", 2_500),
  trader_discount_bps: basisPoints("Of it, the trader's discount", 1_000),
  affiliate_reward_bps: basisPoints("Of it, the affiliate's reward", 1_500),
});
export type TraderReferralInfo = Static<typeof TraderReferralInfo>;

export const ClaimedRebate = Type.Object({ address: LowerCaseAddress, claimed_usd: ClaimedUsd });
export type ClaimedRebate = Static<typeof ClaimedRebate>;

export const ReferralOperatorStatus = Type.Object({
  operator_address: LowerCaseAddress,
  is_operator: Type.Boolean({ description: "False means that syncing rebates will fail" }),
  contract_address: LowerCaseAddress,
});
export type ReferralOperatorStatus = Static<typeof ReferralOperatorStatus>;

/** REF-4. */
export const ReferralTierRequest = Type.Object({
  address: Address,
  tier: TierLevel,
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["reached the volume of Gold"] }),
  ),
});
export type ReferralTierRequest = Static<typeof ReferralTierRequest>;
export const ReferralTierReply = Type.Object({
  address: LowerCaseAddress,
  tier: TierLevel,
  tier_name: TierName,
  tx_hash: Type.String({ description: "Of the transaction that set it", examples: [`0x${"5a".repeat(32)}`] }),
});
export type ReferralTierReply = Static<typeof ReferralTierReply>;
