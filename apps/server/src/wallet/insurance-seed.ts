import { type ContractAddresses, contributionPurposes, vaultAbi } from "@bourse/contracts";
import { encodeFunctionData } from "viem";
import type { ChainClient, OperatorMoney } from "../chain/index.ts";

export interface InsuranceSeedOptions {
  readonly client: ChainClient;
  readonly contracts: ContractAddresses;
  readonly money: OperatorMoney;
  /** The initial balance of the engine's insurance fund. */
  readonly seed_micros: bigint;
}

/**
 * VLT-2: the operator pays tokens into the Vault that back the insurance fund's seed. The sum already paid is read from the Vault,
 * so this can be repeated at any time. On a chain with a test token the operator mints what it lacks.
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
  // The reference contains the sum paid before: a repetition after a crash is the same transaction, a later payment is another.
  const hash = await money.sent({ ref: `insurance-seed:${contributed}`, to: contracts.vault, data });
  return { paid: hash };
}
