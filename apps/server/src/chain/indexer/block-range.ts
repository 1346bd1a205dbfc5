import { type Hex, numberToHex, type RpcLog } from "viem";
import type { ChainClient } from "../client.ts";
import { type ContractLogs, decodeLog, eventFrom, type LogFilter, type RawLog } from "./contract-logs.ts";
import type { ChainEvent } from "./listener.ts";

export interface ChainBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly time_ms: number;
}

/** An event with the log it was decoded from. */
export interface LocatedLog {
  readonly event: ChainEvent;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The chain was reorganised between two requests, so that their answers are inconsistent. A retry helps. */
export class ChainMoved extends Error {
  constructor(what: string) {
    super(`the chain changed while it was read: ${what}`);
    this.name = "ChainMoved";
  }
}

/** The maximum number of concurrent requests. */
const AT_ONCE = 16;

type LinkedBlock = ChainBlock & { readonly parentHash: Hex };

/** The current block of that number; undefined if the chain has none. */
export async function blockAt(client: ChainClient, number: number | "latest"): Promise<LinkedBlock | undefined> {
  const tag = number === "latest" ? number : numberToHex(number);
  const block = await client.public.request({ method: "eth_getBlockByNumber", params: [tag, false] });
  if (block === null || block.hash === null || block.number === null) return undefined;
  return {
    number: Number(block.number),
    hash: block.hash,
    time_ms: Number(block.timestamp) * 1_000,
    parentHash: block.parentHash,
  };
}

async function existingBlock(client: ChainClient, number: number): Promise<LinkedBlock> {
  const block = await blockAt(client, number);
  if (block === undefined) throw new ChainMoved(`block ${number} is gone`);
  return block;
}

async function blocksAt(client: ChainClient, numbers: readonly number[]): Promise<LinkedBlock[]> {
  const blocks: LinkedBlock[] = [];
  for (let from = 0; from < numbers.length; from += AT_ONCE) {
    const some = numbers.slice(from, from + AT_ONCE);
    blocks.push(...(await Promise.all(some.map((number) => existingBlock(client, number)))));
  }
  return blocks;
}

async function logsOf(client: ChainClient, filter: LogFilter, { from, to }: Range): Promise<RawLog[]> {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const { address, topics } = filter;
  const logs = (await client.public.request({
    method: "eth_getLogs",
    params: [{ address: [...address], topics: topics.map((topic) => (topic === null ? null : topic)), ...range }],
  } as never)) as readonly RpcLog[];
  return logs.map((log) => locate(log, { from, to }));
}

/** Throws for a log outside the range or without a block. */
function locate(log: RpcLog, { from, to }: Range): RawLog {
  const { blockNumber, blockHash, transactionHash, logIndex, removed } = log;
  const number = Number(blockNumber);
  if (removed || blockHash === null || transactionHash === null || logIndex === null || blockNumber === null) {
    throw new ChainMoved("a log belongs to no block");
  }
  if (number < from || number > to) throw new ChainMoved(`a log of block ${number} was not asked for`);
  const place = { blockNumber: number, blockHash, transactionHash, logIndex: Number(logIndex) };
  return { address: log.address, topics: log.topics, data: log.data, ...place };
}

/** Each log once, in the chain's order: a log that matches two filters comes twice, and some nodes repeat logs. */
function inOrder(logs: readonly RawLog[]): RawLog[] {
  const byKey = new Map(logs.map((log) => [`${log.transactionHash}:${log.logIndex}`, log]));
  return [...byKey.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

function decodeAll(contracts: ContractLogs, logs: readonly RawLog[], times: ReadonlyMap<number, number>) {
  const ordinals = new Map<string, number>();
  const located: LocatedLog[] = [];
  let ignored = 0;
  for (const log of logs) {
    const contract = contracts.nameOf(log.address);
    const decoded = contract === undefined ? undefined : decodeLog(contract, log);
    if (decoded === undefined) {
      ignored += 1;
      continue;
    }
    const key = `${log.transactionHash}:${decoded.contract}:${decoded.name}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const { blockNumber, blockHash, transactionHash, logIndex } = log;
    const blockTime_ms = times.get(blockNumber)!;
    const place = { blockNumber, blockHash, blockTime_ms, transactionHash, logIndex, ordinal };
    located.push({ event: eventFrom(decoded, place), topics: log.topics, data: log.data });
  }
  return { located, ignored };
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface RangeAnswer {
  readonly logs: readonly LocatedLog[];
  /** The blocks whose hashes are kept, lowest first, the range's end last. */
  readonly blocks: readonly ChainBlock[];
  /** The number of the contracts' logs that are unknown events. */
  readonly ignored: number;
}

/**
 * Reads a range of blocks whose parent is `before`, and checks that all of it is of one chain: the end of the range is read before
 * and after the logs, each log's block must be part of the chain, and the kept blocks must be linked.
 */
export async function readRange(
  client: ChainClient,
  contracts: ContractLogs,
  { before, to, keepFrom }: { readonly before: ChainBlock; readonly to: number; readonly keepFrom: number },
): Promise<RangeAnswer> {
  const from = before.number + 1;
  const end = await existingBlock(client, to);
  const answers = await Promise.all(contracts.filters.map((filter) => logsOf(client, filter, { from, to })));
  const logs = inOrder(answers.flat());
  const firstKept = Math.max(from, keepFrom);
  const wanted = new Set(logs.map(({ blockNumber }) => blockNumber));
  for (let number = firstKept; number < to; number += 1) wanted.add(number);
  wanted.delete(to);
  const blocks = [
    ...(await blocksAt(
      client,
      [...wanted].sort((a, b) => a - b),
    )),
    end,
  ];
  assertOneChain(before, blocks, logs);
  const endAfter = await existingBlock(client, to);
  if (endAfter.hash !== end.hash) throw new ChainMoved(`block ${to} was replaced`);
  const beforeAfter = await existingBlock(client, before.number);
  if (beforeAfter.hash !== before.hash) throw new ChainMoved(`block ${before.number} was replaced`);
  const times = new Map(blocks.map(({ number, time_ms }) => [number, time_ms]));
  const { located, ignored } = decodeAll(contracts, logs, times);
  const kept = blocks.filter(({ number }) => number >= firstKept || number === to);
  return { logs: located, blocks: kept.map(({ number, hash, time_ms }) => ({ number, hash, time_ms })), ignored };
}

function assertOneChain(before: ChainBlock, blocks: readonly LinkedBlock[], logs: readonly RawLog[]): void {
  let previous = before;
  for (const block of blocks) {
    if (block.number === previous.number + 1 && block.parentHash !== previous.hash) {
      throw new ChainMoved(`block ${block.number} does not follow block ${previous.number}`);
    }
    previous = block;
  }
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
  for (const { blockNumber, blockHash } of logs) {
    if (hashes.get(blockNumber) !== blockHash) throw new ChainMoved(`a log is of another block ${blockNumber}`);
  }
}
