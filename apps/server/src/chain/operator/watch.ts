import { type Address, type Hex, TransactionReceiptNotFoundError } from "viem";
import type { ChainClient } from "../client.ts";
import type { Observation } from "./status.ts";
import type { AttemptRow, TransactionRow } from "./tables.ts";

/** How many blocks below the confirmations another transaction must have used the nonce before ours is abandoned. */
export const SUPERSEDED_DEPTH_blocks = 16;

type Mined = { readonly hash: string; readonly block_number: bigint; readonly block_hash: string };

/** The observation of a transaction on chain. */
export interface Sight {
  readonly observation: Observation;
  readonly mined?: Mined;
}

/** Whether the sender has used the transaction's nonce, for it or for another one. */
export async function isNonceUsed(client: ChainClient, row: TransactionRow, at: "latest" | bigint): Promise<boolean> {
  const address = row.sender as Address;
  const place = typeof at === "bigint" ? { blockNumber: at } : { blockTag: at };
  return (await client.public.getTransactionCount({ address, ...place })) > Number(row.nonce);
}

async function receiptOf(client: ChainClient, hash: Hex) {
  try {
    return await client.public.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** Looks up a transaction by its attempts, newest first. */
export async function look(
  client: ChainClient,
  row: TransactionRow,
  attempts: readonly AttemptRow[],
  head: number,
): Promise<Sight> {
  const { confirmations } = client;
  for (const { hash } of attempts) {
    const receipt = await receiptOf(client, hash as Hex);
    if (receipt === undefined) continue;
    if (head - Number(receipt.blockNumber) < confirmations) return { observation: "pending" };
    const mined = { hash, block_number: receipt.blockNumber, block_hash: receipt.blockHash };
    return { observation: receipt.status === "success" ? "succeeded" : "failed", mined };
  }
  const deep = head - confirmations - SUPERSEDED_DEPTH_blocks;
  if (deep >= 0 && (await isNonceUsed(client, row, BigInt(deep)))) return { observation: "nonce-taken" };
  const newest = await client.public.request({
    method: "eth_getTransactionByHash",
    params: [attempts[0]!.hash as Hex],
  });
  return { observation: newest === null ? "unseen" : "pending" };
}
