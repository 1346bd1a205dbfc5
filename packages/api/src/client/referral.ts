import type {
  ClaimedRebate,
  ReferralOperatorStatus,
  ReferralTierReply,
  ReferralTierRequest,
  TraderReferralInfo,
  UserRebateInfo,
} from "../referral.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/referral/on-chain";

/** What the referral contract says; at most 15 seconds old. */
export const referralClient = ({ get }: Call) => ({
  userRebate: (address: string, options?: ReadOptions) =>
    get<UserRebateInfo>(`${BASE}/user-rebate/${segment(address)}`, {}, options),
  info: (address: string, options?: ReadOptions) =>
    get<TraderReferralInfo>(`${BASE}/referral-info/${segment(address)}`, {}, options),
  claimed: (address: string, options?: ReadOptions) =>
    get<ClaimedRebate>(`${BASE}/claimed/${segment(address)}`, {}, options),
  operatorStatus: (options?: ReadOptions) => get<ReferralOperatorStatus>(`${BASE}/operator-status`, {}, options),
});

export const referralAdminClient = ({ send }: Call) => ({
  setTier: (request: Given<ReferralTierRequest>) =>
    send<ReferralTierReply>("PUT", "/api/v1/referral/admin/tier", request),
});
