import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { pino } from "pino";
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  http,
} from "viem";
import { ManualClock } from "../kernel/clock.ts";
import type { App } from "../kernel/http/app.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { chainOf } from "./client.ts";
import { EmbeddedChain } from "./embedded/embedded-chain.ts";
import { createEmbeddedRpc, MAX_LOG_BLOCKS, MAX_LOGS } from "./embedded/rpc-methods.ts";
import { registerRpcRoutes } from "./rpc-routes.ts";
import { CHAIN_ID, deployer, NOBODY, START_ms, transfer, wallet } from "./testing/chains.ts";
import { compileProbe, probeAbi } from "./testing/probe-contract.ts";

interface RpcReply {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

const OWN_ORIGIN = "http://127.0.0.1:8080";

function createApp(folder: string): App {
  const random = seededRandom("rpc");
  const settings = readSettings({ DATA_DIR: folder }, developmentSecretsFrom(random));
  const noOne = () => {
    throw new Error("nobody is asked for");
  };
  return createHttpServer({
    settings,
    random,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    limits: createLimits(settings),
    authenticator: { isSigned: () => false, bearer: noOne, signed: noOne },
  });
}

describe("the embedded chain's JSON-RPC", () => {
  const folder = makeTestFolder();
  const clock = new ManualClock(START_ms);
  let chain: EmbeddedChain;
  let app: App;
  let url: string;

  before(async () => {
    chain = await EmbeddedChain.open({ folder: folder.path, chainId: CHAIN_ID, clock, random: seededRandom("rpc") });
    app = createApp(folder.path);
    registerRpcRoutes(app, { rpc: createEmbeddedRpc(chain), log: pino({ level: "silent" }) });
    await app.listen({ host: "127.0.0.1", port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/rpc`;
  });
  after(async () => {
    await app.close();
    await chain.close();
    folder.remove();
  });

  const post = (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
    fetch(url, { method: "POST", body, headers });
  const read = async (reply: Response) => (await reply.json()) as RpcReply;
  const ask = async (method: string, ...params: unknown[]) =>
    read(await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
  const codeOf = async (body: string) => {
    const { jsonrpc, id, result, error } = await read(await post(body));
    assert.deepEqual([jsonrpc, result], ["2.0", undefined]);
    return [error?.code, id];
  };
  const clients = () => {
    const options = { chain: chainOf(CHAIN_ID), transport: http(url, { retryCount: 0 }) };
    return {
      reader: createPublicClient({ ...options, pollingInterval: 10 }),
      signer: createWalletClient({ ...options, account: deployer }),
    };
  };
  async function deployProbe(): Promise<{ address: Address; abi: typeof probeAbi }> {
    const { reader, signer } = clients();
    const hash = await signer.deployContract({ abi: probeAbi, bytecode: compileProbe() });
    const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
    return { address: contractAddress!, abi: probeAbi };
  }

  it("RUN-6: a wallet of viem sends a transfer and waits for its receipt", async () => {
    const { reader, signer } = clients();
    const before = await reader.getBalance({ address: NOBODY });
    const hash = await signer.sendTransaction({ to: NOBODY, value: 7n });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    assert.equal(receipt.status, "success");
    assert.equal(receipt.to, NOBODY);
    assert.equal(await reader.getBalance({ address: NOBODY }), before + 7n);
    const { result } = await ask("eth_getBlockReceipts", "latest");
    assert.deepEqual(
      (result as { transactionHash: string }[]).map((each) => each.transactionHash),
      [hash],
    );
  });

  it("RUN-6: contracts are deployed and called, and their logs read", async () => {
    const { reader, signer } = clients();
    const probe = await deployProbe();
    const hash = await signer.writeContract({ ...probe, functionName: "note", args: [42n] });
    const { blockNumber } = await reader.waitForTransactionReceipt({ hash });
    const logs = await reader.getContractEvents({ ...probe, eventName: "Noted", fromBlock: 0n });
    assert.deepEqual(
      logs.map(({ args, transactionHash, blockNumber }) => [args, transactionHash, blockNumber]),
      [[{ who: deployer.address, value: 42n }, hash, blockNumber]],
    );
    assert.equal(await reader.readContract({ ...probe, functionName: "noted" }), 42n);
    assert.deepEqual(await reader.getContractEvents({ ...probe, fromBlock: blockNumber + 1n }), []);
  });

  it("RUN-6: a revert carries its data, so that libraries decode the contract's own errors", async () => {
    const { reader } = clients();
    const probe = await deployProbe();
    const now = BigInt(clock.now() / 1_000);
    const simulating = reader.simulateContract({
      ...probe,
      functionName: "noteAfter",
      args: [now + 1n],
      account: deployer,
    });
    await assert.rejects(simulating, (error) => {
      const revert =
        error instanceof BaseError ? error.walk((each) => each instanceof ContractFunctionRevertedError) : null;
      assert.ok(revert instanceof ContractFunctionRevertedError);
      assert.deepEqual([revert.data?.errorName, revert.data?.args], ["TooEarly", [now, now + 1n]]);
      return true;
    });
  });

  it("RUN-6: libraries know why a transaction is refused", async () => {
    const { reader } = clients();
    const poor = createWalletClient({
      chain: chainOf(CHAIN_ID),
      transport: http(url, { retryCount: 0 }),
      account: wallet(5),
    });
    const sending = poor.sendTransaction({ to: NOBODY, gas: 21_000n });
    await assert.rejects(sending, { shortMessage: /exceeds the balance of the account/ });
    const serializedTransaction = await transfer(0);
    await assert.rejects(reader.sendRawTransaction({ serializedTransaction }), /nonce too low/);
  });

  it("RUN-6: nothing of the node's own methods, and no unlocked accounts", async () => {
    const { number } = chain.tip;
    for (const method of [
      "hardhat_setBalance",
      "hardhat_mine",
      "evm_mine",
      "evm_snapshot",
      "evm_revert",
      "evm_increaseTime",
      "eth_sendTransaction",
      "eth_sign",
      "eth_signTypedData_v4",
      "personal_unlockAccount",
      "debug_traceTransaction",
      "eth_newFilter",
      "toString",
    ]) {
      assert.equal((await ask(method)).error?.code, -32_601, method);
    }
    assert.deepEqual((await ask("eth_accounts")).result, []);
    assert.equal(chain.tip.number, number);
  });

  it("RUN-6: what a script asks is answered", async () => {
    const last = `0x${chain.tip.number.toString(16)}`;
    assert.equal((await ask("eth_chainId")).result, "0xa869");
    assert.equal((await ask("net_version")).result, "43113");
    assert.equal((await ask("eth_blockNumber")).result, last);
    assert.equal((await ask("eth_syncing")).result, false);
    assert.match(String((await ask("web3_clientVersion")).result), /edr/);
    assert.match(String((await ask("eth_gasPrice")).result), /^0x[0-9a-f]+$/);
    assert.match(String((await ask("eth_maxPriorityFeePerGas")).result), /^0x[0-9a-f]+$/);
    assert.equal((await ask("eth_getCode", NOBODY, "latest")).result, "0x");
    assert.match(String((await ask("eth_getStorageAt", NOBODY, "0x0", "latest")).result), /^0x0{64}$/);
    const pending = await ask("eth_getTransactionCount", deployer.address, "pending");
    assert.deepEqual(pending, await ask("eth_getTransactionCount", deployer.address));
    for (const tag of ["latest", "pending", "safe", "finalized", last]) {
      assert.equal(((await ask("eth_getBlockByNumber", tag, false)).result as { number: string }).number, last, tag);
    }
    const { result } = await ask("eth_feeHistory", "0x2", "latest", [50]);
    assert.equal((result as { baseFeePerGas: string[] }).baseFeePerGas.length, 3);
    assert.equal((await ask("eth_getTransactionByHash", `0x${"0".repeat(64)}`)).result, null);
    assert.equal((await ask("eth_getBlockReceipts", "0xffffff")).result, null);
  });

  it("RUN-6: bad parameters are -32602", async () => {
    for (const [method, ...params] of [
      ["eth_getBalance", "nonsense"],
      ["eth_sendRawTransaction"],
      ["eth_sendRawTransaction", "0x"],
      ["eth_sendRawTransaction", "0x123"],
      ["eth_sendRawTransaction", "zz"],
      ["eth_getLogs"],
      ["eth_getLogs", { fromBlock: "yesterday" }],
      ["eth_getLogs", { fromBlock: "0x" }],
    ] as const) {
      assert.equal((await ask(method, ...params)).error?.code, -32_602, `${method} ${JSON.stringify(params)}`);
    }
    assert.deepEqual(await codeOf('{"jsonrpc":"2.0","id":4,"method":"eth_chainId","params":{}}'), [-32_602, 4]);
  });

  it("RUN-6: what is no JSON-RPC is refused with its code", async () => {
    assert.deepEqual(await codeOf("{"), [-32_700, null]);
    assert.deepEqual(await codeOf(""), [-32_700, null]);
    assert.deepEqual(await codeOf("7"), [-32_600, null]);
    assert.deepEqual(await codeOf("[]"), [-32_600, null]);
    assert.deepEqual(await codeOf('{"id":1,"method":"eth_chainId"}'), [-32_600, 1]);
    assert.deepEqual(await codeOf('{"jsonrpc":"2.0","id":1}'), [-32_600, 1]);
    assert.deepEqual(await codeOf('{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}'), [-32_600, null]);
  });

  it("RUN-6: a batch of at most 50 is answered one by one, without those that want no reply", async () => {
    const call = (id: unknown, method: string) => ({ jsonrpc: "2.0", id, method });
    const body = [call(1, "eth_chainId"), call("b", "evm_mine"), { jsonrpc: "2.0", method: "eth_chainId" }, 5];
    const replies = (await (await post(JSON.stringify(body))).json()) as { id: unknown; error?: { code: number } }[];
    assert.deepEqual(
      replies.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        ["b", -32_601],
        [null, -32_600],
      ],
    );
    const many = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => call(id, "eth_chainId")));
    assert.equal(((await (await post(many(50))).json()) as unknown[]).length, 50);
    assert.deepEqual(await codeOf(many(51)), [-32_600, null]);
    assert.equal((await post('{"jsonrpc":"2.0","method":"eth_chainId"}')).status, 204);
  });

  it("RUN-6: transactions of one batch follow each other", async () => {
    const { result } = await ask("eth_getTransactionCount", deployer.address);
    const raws = await Promise.all([0, 1, 2].map((step) => transfer(Number(result) + step)));
    const body = raws.map((raw, id) => ({ jsonrpc: "2.0", id, method: "eth_sendRawTransaction", params: [raw] }));
    const replies = (await (await post(JSON.stringify(body))).json()) as { result: string }[];
    for (const reply of replies) assert.match(reply.result, /^0x[0-9a-f]{64}$/);
  });

  it("RUN-6: a body beyond 256 KB is refused", async () => {
    const reply = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(262_144) }));
    assert.equal(reply.status, 413);
    assert.equal((await read(reply)).error?.code, -32_600);
  });

  it("SEC-10: pages of other origins cannot read it, and foreign host names are refused", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId" });
    const originOf = async (origin: string) =>
      (await post(body, { "content-type": "application/json", origin })).headers.get("access-control-allow-origin");
    assert.equal(await originOf("https://evil.example"), null);
    assert.equal(await originOf(OWN_ORIGIN), OWN_ORIGIN);
    const foreign = await app.inject({ method: "POST", url: "/rpc", headers: { host: "evil.example" }, payload: body });
    assert.deepEqual([foreign.statusCode, foreign.json().error.code], [403, -32_600]);
  });

  it("RUN-6: one request finds no more logs than it may", async () => {
    const { reader, signer } = clients();
    const probe = await deployProbe();
    const noteMany = (count: number) =>
      signer.writeContract({ ...probe, functionName: "noteMany", args: [BigInt(count)] });
    const first = await reader.waitForTransactionReceipt({ hash: await noteMany(MAX_LOGS / 2) });
    await noteMany(MAX_LOGS / 2);
    const fromBlock = `0x${first.blockNumber.toString(16)}`;
    assert.equal(((await ask("eth_getLogs", { fromBlock })).result as unknown[]).length, MAX_LOGS);
    await noteMany(1);
    const refused = await ask("eth_getLogs", { fromBlock });
    assert.deepEqual(refused.error, { code: -32_005, message: "more than 10000 logs; ask for fewer blocks" });
    const byHash = await ask("eth_getLogs", { blockHash: first.blockHash });
    assert.equal((byHash.result as unknown[]).length, MAX_LOGS / 2);
  });

  it("RUN-6: one request looks through no more blocks for logs than it may", async () => {
    while (chain.tip.number < MAX_LOG_BLOCKS) {
      const missing = Math.min(200, MAX_LOG_BLOCKS - chain.tip.number);
      await Promise.all(Array.from({ length: missing }, () => chain.mine()));
    }
    const refused = await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" });
    assert.deepEqual(refused.error, { code: -32_005, message: "at most 2048 blocks at once" });
    const all = { fromBlock: "0x1", toBlock: "0xffffffff", address: NOBODY };
    assert.deepEqual((await ask("eth_getLogs", all)).result, []);
    assert.deepEqual((await ask("eth_getLogs", { fromBlock: "0xffffff" })).result, []);
  });
});
