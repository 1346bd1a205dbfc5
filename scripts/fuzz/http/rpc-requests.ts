import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import { badValue } from "./bad-values.ts";
import { jsonText } from "./json-text.ts";

const ADDRESS = `0x${"a1".repeat(20)}`;
const HASH = `0x${"b2".repeat(32)}`;
const CALL = { to: ADDRESS, data: "0x" };

/** The chain's JSON-RPC interface is described as one route: its methods, each with valid parameters. */
const METHODS: Readonly<Record<string, readonly unknown[]>> = {
  eth_chainId: [],
  net_version: [],
  web3_clientVersion: [],
  eth_blockNumber: [],
  eth_gasPrice: [],
  eth_maxPriorityFeePerGas: [],
  eth_feeHistory: ["0x2", "latest", [25]],
  eth_getBalance: [ADDRESS, "latest"],
  eth_getCode: [ADDRESS, "latest"],
  eth_getStorageAt: [ADDRESS, "0x0", "latest"],
  eth_getTransactionCount: [ADDRESS, "pending"],
  eth_call: [CALL, "latest"],
  eth_estimateGas: [CALL],
  eth_getBlockByNumber: ["0x1", false],
  eth_getBlockByHash: [HASH, true],
  eth_getTransactionByHash: [HASH],
  eth_getTransactionReceipt: [HASH],
  eth_getLogs: [{ fromBlock: "0x0", toBlock: "latest", address: ADDRESS }],
  eth_sendRawTransaction: ["0x02f8"],
  eth_sendTransaction: [{ from: ADDRESS, to: ADDRESS }],
  evm_mine: [],
  evm_revert: ["0x1"],
  hardhat_setBalance: [ADDRESS, "0xffffffff"],
  debug_traceTransaction: [HASH],
  eth_nothing: [],
};

function oneCall(prng: Prng, isSpoilt: boolean): unknown {
  const [method, params] = prng.pick(Object.entries(METHODS));
  const call: Record<string, unknown> = { jsonrpc: "2.0", id: prng.below(1_000), method, params };
  if (!isSpoilt) return call;
  if (prng.isIn(60)) {
    const spoilt: unknown[] = [...params];
    spoilt[prng.below(spoilt.length + 1)] = badValue(prng, params[0]);
    return { ...call, params: spoilt };
  }
  const name = prng.pick(["jsonrpc", "id", "method", "params"]);
  return { ...call, [name]: badValue(prng, call[name]) };
}

export function rpcBody(prng: Prng, isSpoilt: boolean): string {
  if (!prng.isIn(15)) return jsonText(oneCall(prng, isSpoilt));
  const count = prng.pick([0, 1, 2, 50, 51]);
  return jsonText(Array.from({ length: count }, () => (prng.isIn(90) ? oneCall(prng, isSpoilt) : badValue(prng, {}))));
}
