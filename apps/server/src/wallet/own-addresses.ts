import type { ContractAddresses } from "@bourse/contracts";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Settings } from "../settings/settings.ts";

export interface OwnAddressesOptions {
  readonly contracts: ContractAddresses;
  readonly operator: { readonly address: string };
  readonly settings: Pick<Settings, "bonusPoolAddress" | "earnSignerKey">;
}

/**
 * VLT-5: the platform's own addresses, lower case. Money withdrawn to one of them would be in nobody's account: the contracts book only
 * what is paid in by their calls, and what the operator, the signer or the bonus pool hold is not their users'.
 */
export function ownAddresses({ contracts, operator, settings }: OwnAddressesOptions): ReadonlySet<string> {
  const signer = privateKeyToAccount(settings.earnSignerKey as Hex).address;
  const all = [...Object.values(contracts), operator.address, signer, settings.bonusPoolAddress];
  return new Set(all.flatMap((address: string | undefined) => (address === undefined ? [] : [address.toLowerCase()])));
}
