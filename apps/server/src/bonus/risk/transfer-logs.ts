import { type Address, type Hex, isAddress, numberToHex, padHex, type RpcLog, toEventSelector } from "viem";
import { blockAt, type ChainClient, ChainMoved } from "../../chain/index.ts";
import type { FundingRow } from "./funding-store.ts";
import { isFunding } from "./sources.ts";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");
/** Nodes limit the size of a query. */
const WALLETS_PER_QUESTION = 500;

export interface TransferQuestion {
  readonly usdt: Address;
  readonly wallets: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly platform: ReadonlySet<string>;
}

/** The transfers to these wallets in a range of blocks, without those that link nobody. */
export async function readTransfers(client: ChainClient, question: TransferQuestion): Promise<FundingRow[]> {
  const { wallets, platform } = question;
  const rows: FundingRow[] = [];
  for (let at = 0; at < wallets.length; at += WALLETS_PER_QUESTION) {
    const logs = await logsTo(client, question, wallets.slice(at, at + WALLETS_PER_QUESTION));
    rows.push(...logs.map(rowOf).filter((row) => isFunding({ ...row, amount: row.amount_micros }, platform)));
  }
  return rows;
}

async function logsTo(client: ChainClient, question: TransferQuestion, wallets: readonly string[]) {
  const { usdt, from, to } = question;
  const recipients = wallets.map((wallet) => padHex(wallet as Hex, { size: 32 }));
  const filter = {
    address: usdt,
    topics: [TRANSFER, null, recipients],
    fromBlock: numberToHex(from),
    toBlock: numberToHex(to),
  };
  return (await client.public.request({ method: "eth_getLogs", params: [filter] } as never)) as readonly RpcLog[];
}

function rowOf({ topics, data, transactionHash, logIndex, blockNumber, removed }: RpcLog): FundingRow {
  if (removed || transactionHash === null || logIndex === null || blockNumber === null) {
    throw new ChainMoved("a transfer belongs to no block");
  }
  return {
    tx_hash: transactionHash,
    ordinal: Number(logIndex),
    source: addressOf(topics[1]),
    address: addressOf(topics[2]),
    kind: "transfer",
    amount_micros: BigInt(data),
    block_number: Number(blockNumber),
  };
}

function addressOf(topic: Hex | undefined): string {
  const address = `0x${topic?.slice(-40) ?? ""}`;
  if (!isAddress(address, { strict: false })) throw new Error("a transfer of the token names no wallet");
  return address.toLowerCase();
}

/** The first block at or after the time, up to `last`; `last + 1` if there is none. */
export async function blockFrom(client: ChainClient, time_ms: number, last: number): Promise<number> {
  let [low, high] = [0, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await blockAt(client, middle);
    if (block === undefined) throw new ChainMoved(`block ${middle} is gone`);
    if (block.time_ms < time_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
