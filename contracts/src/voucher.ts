import type { Address } from "viem";

/** The server's consent to one subscription: this wallet, this product, this amount, until the deadline. */
export interface SubscribeVoucher {
  readonly user: Address;
  readonly productId: bigint;
  readonly amount: bigint;
  /** Unix seconds; the voucher is valid up to and including it. */
  readonly deadline: bigint;
}

export interface EarnDomain {
  readonly name: "Bourse Earn";
  readonly version: "1";
  readonly chainId: number;
  readonly verifyingContract: Address;
}

export const eip712DomainType = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
] as const;

export const subscribeTypes = {
  Subscribe: [
    { name: "user", type: "address" },
    { name: "productId", type: "uint256" },
    { name: "amount", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

export const earnDomain = (chainId: number, verifyingContract: Address): EarnDomain => ({
  name: "Bourse Earn",
  version: "1",
  chainId,
  verifyingContract,
});

/** What `signTypedData` signs, and what the contract checks, for a voucher. */
export const subscribeTypedData = (domain: EarnDomain, voucher: SubscribeVoucher) =>
  ({ domain, types: subscribeTypes, primaryType: "Subscribe", message: voucher }) as const;
