import type { ContractAddresses } from "@bourse/contracts";
import { zeroAddress } from "viem";
import type { Operator } from "../../chain/index.ts";
import type { Settings } from "../../settings/settings.ts";

export interface PlatformAddressesOptions {
  readonly contracts: ContractAddresses;
  readonly operator: Pick<Operator, "address">;
  readonly settings: Pick<Settings, "bonusPoolAddress">;
}

/** The platform's own addresses, in lower case: a payment from the platform links nobody. New tokens come from the zero address. */
export function platformAddresses({ contracts, operator, settings }: PlatformAddressesOptions): ReadonlySet<string> {
  const { usdt, vault, earn, referral } = contracts;
  const own = [zeroAddress, operator.address, usdt, vault, earn, referral, settings.bonusPoolAddress];
  return new Set(own.filter((address) => address !== undefined).map((address) => address.toLowerCase()));
}

const MAX_bigint = 2n ** 63n - 1n;

export interface Payment {
  /** Both in lower case. */
  readonly source: string;
  readonly address: string;
  readonly amount: bigint;
}

/** Whether a payment can link its recipient to its source. Transfers of amount 0 are free, so anybody can send them. */
export const isFunding = ({ source, address, amount }: Payment, platform: ReadonlySet<string>): boolean =>
  amount > 0n && amount <= MAX_bigint && source !== address && !platform.has(source);
