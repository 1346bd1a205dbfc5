import type { ContractAddresses } from "@bourse/contracts";
import { zeroAddress } from "viem";
import type { Operator } from "../../chain/operator/operator.ts";
import type { Settings } from "../../settings/settings.ts";

export interface PlatformAddressesOptions {
  readonly contracts: ContractAddresses;
  readonly operator: Pick<Operator, "address">;
  readonly settings: Pick<Settings, "bonusPoolAddress">;
}

/** Who pays everybody, in lower case: money from the platform itself links nobody. New tokens come from the zero address. */
export function platformAddresses({ contracts, operator, settings }: PlatformAddressesOptions): ReadonlySet<string> {
  const { usdt, vault, earn, referral } = contracts;
  const own = [zeroAddress, operator.address, usdt, vault, earn, referral, settings.bonusPoolAddress];
  return new Set(own.filter((address) => address !== undefined).map((address) => address.toLowerCase()));
}

const MOST_bigint = 2n ** 63n - 1n;

export interface Payment {
  /** Lower case, both. */
  readonly source: string;
  readonly address: string;
  readonly amount: bigint;
}

/** Whether a payment says something of whoever got it. Transfers of nothing are free, and anybody can send them. */
export const isFunding = ({ source, address, amount }: Payment, platform: ReadonlySet<string>): boolean =>
  amount > 0n && amount <= MOST_bigint && source !== address && !platform.has(source);
