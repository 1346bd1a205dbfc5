import { join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { type ChainClient, createChainClient, httpRequests, plainReason, WrongChain } from "./client.ts";
import { EmbeddedChain } from "./embedded/embedded-chain.ts";
import { type ChainRpc, createEmbeddedRpc } from "./embedded/rpc-methods.ts";

export interface ChainGround {
  readonly settings: Pick<Settings, "chainRpcUrl" | "chainId" | "chainConfirmations" | "dataDir">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Receives progress lines during the start. */
  readonly onProgress?: (line: string) => void;
}

/** The chain of the platform: the one at CHAIN_RPC_URL, else one in this process. */
export interface PlatformChain {
  readonly client: ChainClient;
  /** The chain in this process and its JSON-RPC; undefined if the chain is external. */
  readonly embedded: { readonly chain: EmbeddedChain; readonly rpc: ChainRpc } | undefined;
  /** RUN-7. Not vital: trading continues while the chain does not answer. */
  readonly check: Check;
  close(): Promise<void>;
}

async function openEmbedded(ground: ChainGround): Promise<PlatformChain> {
  const { settings, clock, random, onProgress } = ground;
  const { chainId, chainConfirmations: confirmations } = settings;
  const chain = await EmbeddedChain.open({
    folder: join(settings.dataDir, "chain"),
    chainId,
    clock,
    random,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const rpc = createEmbeddedRpc(chain);
  const request: ChainRpc["request"] = (args) => rpc.request(args);
  return {
    client: createChainClient({ kind: "embedded", chainId, confirmations, request }),
    embedded: { chain, rpc },
    check: {
      name: "chain",
      isVital: false,
      run: async () => {
        if (chain.failure !== undefined) throw chain.failure;
        return `embedded chain ${chainId}, block ${chain.tip.number}`;
      },
    },
    close: () => chain.close(),
  };
}

/** Describes the head of an external chain without naming its URL. */
async function describeHead(client: ChainClient, clock: Clock): Promise<string> {
  try {
    await client.verify();
    const { number, time_ms } = await client.head();
    const age_s = Math.max(0, Math.floor((clock.now() - time_ms) / 1_000));
    return `chain ${client.chainId}, block ${number}, ${age_s} s old`;
  } catch (error) {
    throw new Error(plainReason(error), { cause: error });
  }
}

async function openExternal(url: string, { settings, clock, log }: ChainGround): Promise<PlatformChain> {
  const { chainId, chainConfirmations: confirmations } = settings;
  const client = createChainClient({
    kind: "external",
    chainId,
    confirmations,
    request: httpRequests(url, chainId),
  });
  try {
    await client.verify();
  } catch (error) {
    if (error instanceof WrongChain) throw error;
    // Trading does not need the chain. Its id is checked before the first other request, as soon as it answers.
    log.warn({ reason: plainReason(error) }, "the chain does not answer yet");
  }
  return {
    client,
    embedded: undefined,
    check: { name: "chain", isVital: false, run: () => describeHead(client, clock) },
    close: async () => undefined,
  };
}

/** Opens the chain (RUN-2, RUN-3). A log that cannot be replayed and a chain with another id are refused. */
export function openChain(ground: ChainGround): Promise<PlatformChain> {
  const { chainRpcUrl } = ground.settings;
  return chainRpcUrl === undefined ? openEmbedded(ground) : openExternal(chainRpcUrl, ground);
}
