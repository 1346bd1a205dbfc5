import type { PublicConfig } from "@bourse/api/client";
import type { PublicClient } from "viem";
import { configQuery, useConfig } from "../app/config.ts";
import { queryClient } from "../app/query-client.ts";
import { shortHash } from "../lib/format.ts";
import { useRead } from "../lib/use-read.ts";
import { sessions } from "../session/session.ts";
import { signerOf, walletChoice } from "../session/wallets.ts";
import type { ChainHands } from "./contracts.ts";
import { refusalOf } from "./refusals.ts";

/** The chain node's URL. The exchange's own node is reached by the host under which the page was opened. */
export function rpcUrlOf({ rpc_url, public_url }: PublicConfig, pageOrigin: string): string {
  if (rpc_url === null) throw new Error("This exchange has not published the URL of its chain");
  const { origin, pathname, search } = new URL(rpc_url);
  return origin === new URL(public_url).origin ? `${pageOrigin}${pathname}${search}` : rpc_url;
}

/** The chain, with the wallet that is signed in. */
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

/** Reads something of the chain, once the exchange has published where the chain is. */
function useChainRead(
  key: readonly unknown[],
  read: (contracts: typeof import("./contracts.ts"), config: PublicConfig, reader: PublicClient) => Promise<bigint>,
) {
  const config = useConfig();
  return useRead(
    key,
    async () => {
      if (config === undefined) throw new Error("The exchange has not published its chain yet");
      const contracts = await import("./contracts.ts");
      const reader = contracts.readerOf(rpcUrlOf(config, location.origin), config.chain_id);
      return (await read(contracts, config, reader)).toString();
    },
    { enabled: config !== undefined },
  );
}

export const waitingRebatesKey = ["chain", "rebates"] as const;
export const walletBalanceKey = ["chain", "balance"] as const;

/** What the referral contract holds for the wallet, in whole units. */
export const useWaitingRebates = (address: string) =>
  useChainRead([...waitingRebatesKey, address], ({ contractsOf, rebatesWaiting }, config, reader) =>
    rebatesWaiting(reader, contractsOf(config).referral, address as `0x${string}`),
  );

/** USDT in the wallet itself, outside the exchange, in whole units. */
export const useWalletBalance = (address: string) =>
  useChainRead([...walletBalanceKey, address], ({ balanceOf, contractsOf }, config, reader) =>
    balanceOf(reader, contractsOf(config).usdt, address as `0x${string}`),
  );

/** How often the exchange reads the chain, until it has published it. */
const USUAL_POLL_S = 12;

export const usePollSeconds = (): number => useConfig()?.earn_poll_seconds ?? USUAL_POLL_S;
