import { type Chain, defineChain } from "viem";

export { createPublicClient, createWalletClient, custom, http, stringToHex } from "viem";

/** The exchange's chain, as `/api/v1/config` describes it. */
export function chainOf(id: number, rpcUrl: string): Chain {
  return defineChain({
    id,
    name: id === 43114 ? "Avalanche" : "Bourse development chain",
    nativeCurrency: { name: "AVAX", symbol: "AVAX", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}
