import { BaseError, type Chain, createPublicClient, custom, defineChain, http, type PublicClient } from "viem";
import type { RpcRequest } from "./embedded/rpc-methods.ts";

/** The node serves a chain with another id: its answers must not be used, and nothing may be sent to it. */
export class WrongChain extends Error {
  constructor(expected: number, actual: number) {
    super(`CHAIN_ID says ${expected}, but the chain at CHAIN_RPC_URL has id ${actual}`);
    this.name = "WrongChain";
  }
}

export interface ChainClientOptions {
  readonly kind: "embedded" | "external";
  readonly chainId: number;
  /** The number of later blocks that make a block final. */
  readonly confirmations: number;
  readonly request: (request: RpcRequest) => Promise<unknown>;
}

export interface ChainHead {
  readonly number: number;
  readonly time_ms: number;
}

/** The client of the chain, embedded or external. */
export interface ChainClient {
  readonly kind: "embedded" | "external";
  readonly chainId: number;
  readonly confirmations: number;
  readonly chain: Chain;
  /** All reads; the chain's id is checked before the first request. */
  readonly public: PublicClient;
  /** Checks the chain's id if that was not done yet; rejects with WrongChain, or if the node does not answer. */
  verify(): Promise<void>;
  head(): Promise<ChainHead>;
  /** For metrics: since the start. */
  readonly requests: number;
  readonly failedRequests: number;
}

const TIMEOUT_ms = 10_000;
const RETRIES = 3;
/** Before the first retry; each further retry waits twice as long. */
const RETRY_DELAY_ms = 250;
const EXTERNAL_POLLING_ms = 1_000;
const EMBEDDED_POLLING_ms = 20;

const NATIVE = { name: "Avalanche", symbol: "AVAX", decimals: 18 };

/** The description of a chain that viem needs. The transport knows the URL. */
export function chainOf(id: number): Chain {
  return defineChain({ id, name: `chain ${id}`, nativeCurrency: NATIVE, rpcUrls: { default: { http: [] } } });
}

/** Requests over HTTP, each with a time limit and a few retries if a retry can help. */
export function httpRequests(url: string, chainId: number): ChainClientOptions["request"] {
  const transport = http(url, { timeout: TIMEOUT_ms, retryCount: RETRIES, retryDelay: RETRY_DELAY_ms });
  const { request } = transport({ chain: chainOf(chainId) });
  return ({ method, params }) => request({ method, params });
}

export function createChainClient({ kind, chainId, confirmations, request }: ChainClientOptions): ChainClient {
  const chain = chainOf(chainId);
  const counts = { requests: 0, failed: 0 };
  let isVerified = false;
  let verifying: Promise<void> | undefined;

  async function counted(args: RpcRequest): Promise<unknown> {
    counts.requests += 1;
    try {
      return await request(args);
    } catch (error) {
      counts.failed += 1;
      throw error;
    }
  }

  async function askForId(): Promise<void> {
    try {
      const actual = Number(await counted({ method: "eth_chainId" }));
      if (actual !== chainId) throw new WrongChain(chainId, actual);
      isVerified = true;
    } finally {
      verifying = undefined;
    }
  }

  function verify(): Promise<void> {
    if (isVerified) return Promise.resolve();
    verifying ??= askForId();
    return verifying;
  }

  const transport = custom(
    {
      async request(args: RpcRequest) {
        await verify();
        return await counted(args);
      },
    },
    // `httpRequests` retries.
    { retryCount: 0 },
  );
  const client = createPublicClient({
    chain,
    transport,
    cacheTime: 0,
    pollingInterval: kind === "embedded" ? EMBEDDED_POLLING_ms : EXTERNAL_POLLING_ms,
  });
  return {
    kind,
    chainId,
    confirmations,
    chain,
    public: client,
    verify,
    async head() {
      const { number, timestamp } = await client.getBlock({ blockTag: "latest" });
      return { number: Number(number), time_ms: Number(timestamp) * 1_000 };
    },
    get requests() {
      return counts.requests;
    },
    get failedRequests() {
      return counts.failed;
    },
  };
}

const ADDRESS = /\b(?:https?|wss?):\/\/\S+/g;

/** Why the chain cannot be reached, without its URL: the URL may contain a key, and readiness is public. */
export function plainReason(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error);
  const { shortMessage, details } = error;
  const reason = details === "" || details === shortMessage ? shortMessage : `${shortMessage} ${details}`;
  return reason.replace(ADDRESS, "(address)");
}
