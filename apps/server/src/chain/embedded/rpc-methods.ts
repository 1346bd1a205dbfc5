import { type Hex, isHex } from "viem";
import { RPC_CODES, RpcError } from "../rpc-error.ts";
import type { EmbeddedChain } from "./embedded-chain.ts";

type Params = readonly unknown[];
type Answer = (chain: EmbeddedChain, params: Params) => Promise<unknown>;

/** The maximum number of blocks that one request for logs may search, and of logs it may return. */
export const MAX_LOG_BLOCKS = 2_048;
export const MAX_LOGS = 10_000;

const invalid = (message: string) => new RpcError(RPC_CODES.invalidParams, message);
const tooMuch = (message: string) => new RpcError(RPC_CODES.limitExceeded, message);

/** Whether the block tag always means the last block here: no transaction waits, and blocks are final. */
const isLast = (block: unknown) =>
  block === undefined || ["latest", "pending", "safe", "finalized"].includes(String(block));

const asked =
  (method: string): Answer =>
  (chain, params) =>
    chain.read((ask) => ask(method, params));

/** The block named by the parameter at this index. */
const askedAt =
  (method: string, place: number): Answer =>
  (chain, params) => {
    const named = isLast(params[place]) ? params.toSpliced(place, 1, "latest") : params;
    return chain.read((ask) => ask(method, named));
  };

/** A call at the last block is simulated at the current time: blocks are mined only on demand, so the last one may be hours old. */
const simulated =
  (method: string): Answer =>
  (chain, params) =>
    isLast(params[1])
      ? chain.readPending(method, params.toSpliced(1, 1, "pending"))
      : chain.read((ask) => ask(method, params));

const QUANTITY = /^0x[0-9a-f]{1,13}$/i;

function blockNumber(block: unknown, last: number): number {
  if (isLast(block)) return last;
  if (block === "earliest") return 0;
  if (typeof block === "string" && QUANTITY.test(block)) return Number(block);
  throw invalid("a block is given by its number in hex or by its tag");
}

/** The range is limited before anything is searched. */
const logs: Answer = (chain, [filter]) => {
  if (typeof filter !== "object" || filter === null) throw invalid("a filter object is missing");
  const { blockHash, fromBlock, toBlock, ...rest } = filter as Record<string, unknown>;
  return chain.read(async (ask) => {
    let range: Record<string, unknown> = { blockHash };
    if (blockHash === undefined) {
      const last = Number(await ask("eth_blockNumber"));
      const from = blockNumber(fromBlock, last);
      const to = Math.min(blockNumber(toBlock, last), last);
      if (from > to) return [];
      if (to - from >= MAX_LOG_BLOCKS) throw tooMuch(`at most ${MAX_LOG_BLOCKS} blocks at once`);
      range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    }
    const found = (await ask("eth_getLogs", [{ ...rest, ...range }])) as readonly unknown[];
    if (found.length > MAX_LOGS) throw tooMuch(`more than ${MAX_LOGS} logs; ask for fewer blocks`);
    return found;
  });
};

/** The node lacks this method. */
const blockReceipts: Answer = (chain, [block]) =>
  chain.read(async (ask) => {
    const isHash = isHex(block) && block.length === 66;
    const method = isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
    const found = await ask(method, [isLast(block) ? "latest" : block, false]);
    if (found === null) return null;
    const { transactions } = found as { transactions: readonly Hex[] };
    return await Promise.all(transactions.map((hash) => ask("eth_getTransactionReceipt", [hash])));
  });

const sendRawTransaction: Answer = (chain, [raw]) => {
  if (!isHex(raw) || raw.length % 2 !== 0 || raw.length < 4) throw invalid("a signed transaction in hex is missing");
  return chain.sendRawTransaction(raw);
};

/** RUN-6: the methods that a wallet or a script needs. Only signed transactions change the chain. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["eth_accounts", async () => []],
  ["eth_blockNumber", asked("eth_blockNumber")],
  ["eth_call", simulated("eth_call")],
  ["eth_chainId", asked("eth_chainId")],
  ["eth_estimateGas", simulated("eth_estimateGas")],
  ["eth_feeHistory", askedAt("eth_feeHistory", 1)],
  ["eth_gasPrice", asked("eth_gasPrice")],
  ["eth_getBalance", askedAt("eth_getBalance", 1)],
  ["eth_getBlockByHash", asked("eth_getBlockByHash")],
  ["eth_getBlockByNumber", askedAt("eth_getBlockByNumber", 0)],
  ["eth_getBlockReceipts", blockReceipts],
  ["eth_getCode", askedAt("eth_getCode", 1)],
  ["eth_getLogs", logs],
  ["eth_getStorageAt", askedAt("eth_getStorageAt", 2)],
  ["eth_getTransactionByHash", asked("eth_getTransactionByHash")],
  ["eth_getTransactionCount", askedAt("eth_getTransactionCount", 1)],
  ["eth_getTransactionReceipt", asked("eth_getTransactionReceipt")],
  ["eth_maxPriorityFeePerGas", asked("eth_maxPriorityFeePerGas")],
  ["eth_sendRawTransaction", sendRawTransaction],
  ["eth_syncing", asked("eth_syncing")],
  ["net_version", asked("net_version")],
  ["web3_clientVersion", asked("web3_clientVersion")],
]);

export interface RpcRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** Answers JSON-RPC requests of any client; every refusal is an RpcError. */
export interface ChainRpc {
  request(request: RpcRequest): Promise<unknown>;
}

export function createEmbeddedRpc(chain: EmbeddedChain): ChainRpc {
  return {
    async request({ method, params = [] }) {
      const answer = answers.get(method);
      if (answer === undefined) {
        throw new RpcError(RPC_CODES.methodNotFound, `the method ${method.slice(0, 80)} does not exist here`);
      }
      if (!Array.isArray(params)) throw invalid("the parameters must be an array");
      return await answer(chain, params);
    },
  };
}
