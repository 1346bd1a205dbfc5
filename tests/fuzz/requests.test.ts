import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Failures } from "../../scripts/fuzz/failures.ts";
import { HttpRun } from "../../scripts/fuzz/http/http-run.ts";
import { RAW_HTTP_KINDS, RawHttpRun } from "../../scripts/fuzz/http/raw-http.ts";
import { differences, StatePrint } from "../../scripts/fuzz/http/state-print.ts";
import { World } from "../../scripts/fuzz/http/world.ts";
import { MESSAGE_KINDS } from "../../scripts/fuzz/sockets/messages.ts";
import { SocketRun } from "../../scripts/fuzz/sockets/socket-run.ts";

/** A few requests to every route. The long run sends hundreds to each. */
const REQUESTS = 1_000;
const RAW_CONNECTIONS = 120;
const MESSAGES = 400;
const SEED = 20_260_601;

const assertNone = (failures: Failures) => assert.equal(failures.count, 0, failures.lines().join("\n"));

describe("a server that gets malformed requests", () => {
  let world: World;

  before(async () => {
    world = await World.open();
  });
  after(() => world.close());

  it("SEC-9: every route refuses generated bad requests in its area's body, and nothing changes", async () => {
    const failures = new Failures();
    const report = await HttpRun.run(world, { requests: REQUESTS, seed: SEED }, failures);
    assertNone(failures);
    assert.equal(report.sent, REQUESTS);
    assert.ok(report.routes.size > 200, `${report.routes.size} routes are described`);
    assert.ok(report.compared > REQUESTS / 4, `${report.compared} refusals were compared`);
  });

  it("SEC-9: bytes that are no request are refused, and the next one is answered", async () => {
    const failures = new Failures();
    const { outcomes } = await RawHttpRun.run(world, { connections: RAW_CONNECTIONS, seed: SEED }, failures);
    assertNone(failures);
    assert.ok(outcomes.size > RAW_HTTP_KINDS.length / 2, `${outcomes.size} kinds were sent`);
  });

  it("FUT-19: every kind of message on a socket is answered or ends it properly, and others hear everything", async () => {
    const failures = new Failures();
    const { outcomes, witnessed } = await SocketRun.run(world, { messages: MESSAGES, seed: SEED }, failures);
    assertNone(failures);
    for (const kind of MESSAGE_KINDS) assert.ok(outcomes.has(kind), `${kind} was sent`);
    assert.ok(witnessed > 20, `the witness heard ${witnessed} messages`);
  });

  it("sees what a request changes, in the engine and in the tables", async () => {
    const print = new StatePrint(world.platform);
    await world.refresh();
    const start = await print.take();
    assert.deepEqual(differences(start, await print.take()), []);
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", quantity: "0.01", price: "50000" };
    const placed = await world.platform.post("/api/v1/orders", order, world.token("maker"));
    assert.equal(placed.statusCode, 200, placed.body);
    assert.match(differences(start, await print.take()).join(), /engine: /);
    const before_ = await print.take();
    const label = { address: world.wallets.passerby.address, label: "cold" };
    const added = await world.platform.post("/api/v1/withdraw/addresses", label, world.token("maker"));
    assert.equal(added.statusCode, 200, added.body);
    assert.match(differences(before_, await print.take()).join(), /table withdraw_address: \d+:/);
  });
});
