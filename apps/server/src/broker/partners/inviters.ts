import type { Inviters } from "../../points/options.ts";

/** PTS-3: who invited wallets, by the terms of their fills or as of now. */
export const inviters: Inviters = {
  ofFills: async () => new Map(),
  ofWallets: async () => new Map(),
};
