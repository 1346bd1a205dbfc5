import type { PublicConfig } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { configQuery, useConfig } from "../app/config.ts";
import { queryClient } from "../app/query-client.ts";
import { shortHash } from "../lib/format.ts";
import { sessions } from "../session/session.ts";
import { signerOf, walletChoice } from "../session/wallets.ts";
import type { ChainHands } from "./contracts.ts";
import { refusalOf } from "./refusals.ts";

/** The node as this page reaches it: the exchange's own one by whatever name the page was opened under. */
export function rpcUrlOf({ rpc_url, public_url }: PublicConfig, pageOrigin: string): string {
  if (rpc_url === null) throw new Error("This exchange does not say where its chain is reached");
  const { origin, pathname, search } = new URL(rpc_url);
  return origin === new URL(public_url).origin ? `${pageOrigin}${pathname}${search}` : rpc_url;
}

/** The chain, with the hands of the wallet that is signed in. */
export async function openChain(): Promise<ChainHands> {
  const config = await queryClient.ensureQueryData(configQuery);
  const choice = walletChoice.get();
  const session = sessions.wallet.get();
  if (choice === undefined || session === undefined) throw new Error("Sign in with your wallet first");
  try {
    const signer = await signerOf(choice);
    if (signer.address.toLowerCase() !== session.name.toLowerCase()) {
      const [there, here] = [shortHash(signer.address), shortHash(session.name)];
      throw new Error(`Your wallet is at ${there}, but you are signed in as ${here}: switch back in the wallet`);
    }
    const { ChainHands, contractsOf, readerOf } = await import("./contracts.ts");
    const rpcUrl = rpcUrlOf(config, location.origin);
    const wallet = await signer.chainWallet(rpcUrl, config.chain_id);
    const reader = readerOf(rpcUrl, config.chain_id);
    return new ChainHands({ reader, wallet, owner: signer.address, contracts: contractsOf(config) });
  } catch (error) {
    throw refusalOf(error);
  }
}

async function readWalletBalance(config: PublicConfig, address: string): Promise<string> {
  const { balanceOf, contractsOf, readerOf } = await import("./contracts.ts");
  const reader = readerOf(rpcUrlOf(config, location.origin), config.chain_id);
  return (await balanceOf(reader, contractsOf(config).usdt, address as `0x${string}`)).toString();
}

async function readWaitingRebates(config: PublicConfig, address: string): Promise<string> {
  const { contractsOf, readerOf, rebatesWaiting } = await import("./contracts.ts");
  const reader = readerOf(rpcUrlOf(config, location.origin), config.chain_id);
  return (await rebatesWaiting(reader, contractsOf(config).referral, address as `0x${string}`)).toString();
}

export const waitingRebatesKey = ["chain", "rebates"] as const;

/** What waits for the wallet in the referral contract, in whole units. */
export function useWaitingRebates(address: string) {
  const config = useConfig();
  return useQuery({
    queryKey: [...waitingRebatesKey, address],
    queryFn: () => {
      if (config === undefined) throw new Error("The exchange has not said where its chain is");
      return readWaitingRebates(config, address);
    },
    enabled: config !== undefined,
  });
}

export const walletBalanceKey = ["chain", "balance"] as const;

/** USDT in the wallet itself, outside the exchange, in whole units. */
export function useWalletBalance(address: string) {
  const config = useConfig();
  return useQuery({
    queryKey: [...walletBalanceKey, address],
    queryFn: () => {
      if (config === undefined) throw new Error("The exchange has not said where its chain is");
      return readWalletBalance(config, address);
    },
    enabled: config !== undefined,
  });
}

/** How often the exchange looks at the chain, where it has not said so yet. */
const USUAL_POLL_S = 12;

export const usePollSeconds = (): number => useConfig()?.earn_poll_seconds ?? USUAL_POLL_S;
