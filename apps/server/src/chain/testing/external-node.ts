import { type Address, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { createChainClient } from "../client.ts";
import type { EmbeddedChain } from "../embedded/embedded-chain.ts";
import { createEmbeddedRpc, type RpcRequest } from "../embedded/rpc-methods.ts";
import { RPC_CODES, RpcError } from "../rpc-error.ts";
import { CHAIN_ID } from "./chains.ts";

interface Waiting {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly from: Address;
  readonly nonce: number;
  readonly maxFee_wei: bigint;
}

/**
 * A node of an external chain: transactions wait until they are mined, replies get lost, and waiting transactions are dropped. The
 * chain behind it is an embedded one.
 */
export class ExternalNode {
  readonly #chain: EmbeddedChain;
  readonly #waiting: Waiting[] = [];
  /** The fault of transactions that are sent: lost on the way in, or accepted with the reply lost. */
  fault: "none" | "lost-request" | "lost-reply" = "none";
  /** Answered instead of the real estimate. */
  gasEstimate: bigint | undefined;

  constructor(chain: EmbeddedChain) {
    this.#chain = chain;
  }

  client(confirmations = 0) {
    const rpc = createEmbeddedRpc(this.#chain);
    const request = async ({ method, params }: RpcRequest): Promise<unknown> => {
      if (method === "eth_sendRawTransaction") return await this.#take((params as [Hex])[0]);
      if (method === "eth_estimateGas" && this.gasEstimate !== undefined) return `0x${this.gasEstimate.toString(16)}`;
      const found = await rpc.request({ method, params });
      if (method !== "eth_getTransactionByHash" || found !== null) return found;
      const waiting = this.#waiting.find(({ hash }) => hash === (params as [Hex])[0]);
      return waiting === undefined ? null : { hash: waiting.hash, blockNumber: null };
    };
    return createChainClient({ kind: "embedded", chainId: CHAIN_ID, confirmations, request });
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** Mines these waiting transactions, or all; others with the same nonce are dropped. */
  async mine(hashes: readonly Hex[] = this.#waiting.map(({ hash }) => hash)): Promise<void> {
    const mined = this.#waiting.filter(({ hash }) => hashes.includes(hash)).sort((a, b) => a.nonce - b.nonce);
    await this.#chain.mine(mined.map(({ raw }) => raw));
    for (const { from, nonce } of mined) this.#remove(from, nonce);
  }

  async mineEmpty(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) await this.#chain.mine();
  }

  forgetAll(): void {
    this.#waiting.length = 0;
  }

  #remove(from: Address, nonce: number): void {
    const place = this.#waiting.findIndex((each) => each.from === from && each.nonce === nonce);
    if (place !== -1) this.#waiting.splice(place, 1);
  }

  async #take(raw: Hex): Promise<Hex> {
    if (this.fault === "lost-request") throw new Error("the connection was refused");
    const { nonce = 0, maxFeePerGas: maxFee_wei = 0n } = parseTransaction(raw);
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    const hash = keccak256(raw);
    const known = this.#waiting.find((each) => each.from === from && each.nonce === nonce);
    if (known?.hash === hash) throw new RpcError(RPC_CODES.refused, "already known");
    if (known !== undefined && maxFee_wei * 10n < known.maxFee_wei * 11n) {
      throw new RpcError(RPC_CODES.refused, "replacement transaction underpriced");
    }
    this.#remove(from, nonce);
    this.#waiting.push({ raw, hash, from, nonce, maxFee_wei });
    if (this.fault === "lost-reply") throw new Error("the connection was reset");
    return hash;
  }
}
