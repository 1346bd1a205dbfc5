import type { Address } from "viem";
import type { RunningServer } from "./server.ts";

/** The chain within a server, as wallets are configured for it. */
export const CHAIN = {
  id: 43_113,
  name: "embedded",
  nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const;

interface Contracts {
  readonly usdt: Address;
  readonly vault: Address;
  readonly earn: Address;
  readonly referral: Address;
}

export async function contractsOf({ baseUrl }: RunningServer): Promise<Contracts> {
  return ((await (await fetch(`${baseUrl}/api/v1/config`)).json()) as { contracts: Contracts }).contracts;
}
