import { type ContractAddresses, contributionPurposes, vaultAbi } from "@bourse/contracts";
import { encodeFunctionData } from "viem";
import type { ChainClient } from "../chain/client.ts";
import type { OperatorMoney } from "../chain/operator-money.ts";

export interface InsuranceSeedOptions {
  readonly client: ChainClient;
  readonly contracts: ContractAddresses;
  readonly money: OperatorMoney;
  /** What the engine's fund began with. */
  readonly seed_micros: bigint;
}

/**
 * VLT-2: the insurance fund's seed is backed by tokens that the operator pays into the Vault. What the Vault has counts,
 * so this can be repeated at any time; on a chain with a test token the operator makes what it lacks.
 */
export async function payInsuranceSeed(options: InsuranceSeedOptions): Promise<{ readonly paid: string } | undefined> {
  const { client, contracts, money, seed_micros } = options;
  const contributed = await client.public.readContract({
    address: contracts.vault,
    abi: vaultAbi,
    functionName: "contributedFor",
    args: [contributionPurposes.insurance],
  });
  if (contributed >= seed_micros) return undefined;
  const missing = seed_micros - contributed;
  await money.provide(missing, contracts.vault);
  const data = encodeFunctionData({
    abi: vaultAbi,
    functionName: "contribute",
    args: [contributionPurposes.insurance, missing],
  });
  // Named by what was there before: a repetition after a crash is the same transaction, a later one is another.
  const hash = await money.sent({ ref: `insurance-seed:${contributed}`, to: contracts.vault, data });
  return { paid: hash };
}
