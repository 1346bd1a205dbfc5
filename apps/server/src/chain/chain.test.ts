import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { pino } from "pino";
import { makeTempDir } from "../../../../tests/support/files.ts";
import { ManualClock } from "../kernel/clock.ts";
import { seededRandom } from "../kernel/random.ts";
import { judgeReadiness } from "../kernel/readiness.ts";
import { openChain } from "./chain.ts";
import { createRpcResponder } from "./rpc-routes.ts";
import { CHAIN_ID, deployer, START_ms, transfer } from "./testing/chains.ts";
import { holdDisk } from "./testing/held-disk.ts";

const log = pino({ level: "silent" });

async function open(t: TestContext, changes: { chainRpcUrl?: string; chainId?: number } = {}) {
  const dataDir = await makeTempDir(t);
  const settings = { chainRpcUrl: undefined, chainId: CHAIN_ID, chainConfirmations: 0, dataDir, ...changes };
  const chain = await openChain({
    settings,
    clock: new ManualClock(START_ms + 5_000),
    random: seededRandom("open"),
    log,
  });
  t.after(() => chain.close());
  return chain;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** An HTTP server on its own port; its URL contains a secret part that must not be shown. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
}

/** An external node: an embedded chain behind HTTP whose first `requests` requests fail. */
async function externalNode(t: TestContext, failing = { requests: 0 }) {
  const chain = await open(t);
  const { rpc } = chain.embedded!;
  const respond = createRpcResponder(rpc, log);
  const url = await serve(t, async (request, reply) => {
    const body = await bodyOf(request);
    if (failing.requests > 0) {
      failing.requests -= 1;
      reply.writeHead(503).end();
      return;
    }
    reply.setHeader("content-type", "application/json").end(JSON.stringify(await respond(body)));
  });
  return { url, chain: chain.embedded!.chain, failing };
}

describe("the platform's chain", () => {
  it("RUN-2: without CHAIN_RPC_URL it is an embedded one, in its folder of DATA_DIR", async (t) => {
    const { client, embedded, check } = await open(t);
    assert.deepEqual([client.kind, client.chainId, client.confirmations], ["embedded", 43_113, 0]);
    await embedded!.chain.sendRawTransaction(await transfer(0));
    assert.deepEqual(await client.head(), { number: 1, time_ms: START_ms + 5_000 });
    assert.equal(await check.run(), "embedded chain 43113, block 1");
    assert.ok(client.requests >= 2);
    assert.equal(client.failedRequests, 0);
  });

  it("RUN-7: an embedded chain whose log cannot be written says so", async (t) => {
    const { embedded, check } = await open(t);
    const disk = await holdDisk(t);
    const mining = assert.rejects(embedded!.chain.mine());
    await disk.reached();
    disk.fail("ENOSPC");
    await mining;
    const { status, checks } = await judgeReadiness([check]);
    assert.equal(status, "degraded");
    assert.deepEqual(checks["chain"], { ok: false, detail: "the chain's log could not be written (ENOSPC)" });
  });

  it("RUN-3: with CHAIN_RPC_URL everything is asked over HTTP, and tried again where that helps", async (t) => {
    const { url, chain } = await externalNode(t, { requests: 2 });
    await chain.mine();
    const { client, embedded, check } = await open(t, { chainRpcUrl: url });
    assert.deepEqual([client.kind, embedded], ["external", undefined]);
    assert.equal(await client.public.getBalance({ address: deployer.address }), 10n ** 27n);
    assert.equal(await check.run(), "chain 43113, block 1, 0 s old");
  });

  it("RUN-3: a chain of another id is refused", async (t) => {
    const { url } = await externalNode(t);
    await assert.rejects(open(t, { chainRpcUrl: url, chainId: 43_114 }), {
      name: "WrongChain",
      message: "CHAIN_ID says 43114, but the chain at CHAIN_RPC_URL has id 43113",
    });
  });

  it("RUN-3: one that turns out to be another only later is believed nothing", async (t) => {
    const { url, failing } = await externalNode(t, { requests: 1_000 });
    const { client } = await open(t, { chainRpcUrl: url, chainId: 43_114 });
    failing.requests = 0;
    await assert.rejects(client.public.getBlockNumber(), /CHAIN_ID says 43114/);
    await assert.rejects(client.public.getBalance({ address: deployer.address }), /CHAIN_ID says 43114/);
  });

  it("RUN-7: a chain that does not answer shows with its reason, without its address, and comes back", async (t) => {
    const { url, failing } = await externalNode(t, { requests: 1_000 });
    const { client, check } = await open(t, { chainRpcUrl: url });
    await assert.rejects(check.run(), (error: Error) => {
      assert.match(error.message, /^HTTP request failed\./);
      assert.ok(!error.message.includes("secret-key"));
      return true;
    });
    assert.ok(client.failedRequests >= 2);
    failing.requests = 0;
    assert.equal(await check.run(), "chain 43113, block 0, 0 s old");
  });
});
