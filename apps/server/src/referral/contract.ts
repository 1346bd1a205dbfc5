import { REFERRAL_TIER_NAMES, type ReferralTierName } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import type { Address, ContractFunctionReturnType } from "viem";
import type { ChainClient } from "../chain/index.ts";

export type UserRebate = ContractFunctionReturnType<typeof referralRebateAbi, "view", "userRebate">;
export type TraderReferral = ContractFunctionReturnType<typeof referralRebateAbi, "view", "traderReferral">;

/** The contract's current values. Each call is one request to the chain and fails if that fails. */
export interface ReferralContract {
  readonly address: Address;
  userRebate(user: Address): Promise<UserRebate>;
  traderReferral(trader: Address): Promise<TraderReferral>;
  isOperator(account: Address): Promise<boolean>;
  isBatchSynced(batchId: `0x${string}`): Promise<boolean>;
}

export function referralContractOn(
  { public: client }: Pick<ChainClient, "public">,
  address: Address,
): ReferralContract {
  const contract = { address, abi: referralRebateAbi } as const;
  return {
    address,
    userRebate: (user) => client.readContract({ ...contract, functionName: "userRebate", args: [user] }),
    traderReferral: (trader) => client.readContract({ ...contract, functionName: "traderReferral", args: [trader] }),
    isOperator: (account) => client.readContract({ ...contract, functionName: "isOperator", args: [account] }),
    isBatchSynced: (batchId) => client.readContract({ ...contract, functionName: "isBatchSynced", args: [batchId] }),
  };
}

export function tierNameOf(tier: number): ReferralTierName {
  const name = REFERRAL_TIER_NAMES[tier];
  if (name === undefined) throw new RangeError(`there is no tier ${tier}`);
  return name;
}
