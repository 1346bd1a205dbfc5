import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { NewApiKey } from "@bourse/api";
import { WebSocket } from "ws";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import { createTestPlatform, type TestPlatform, testWallet, type Wallet } from "../../testing/test-platform.ts";

const OPERATIONS = new URL("../../../../../docs/operations.md", import.meta.url);

/** The values of one scrape, by name with labels. */
type Scrape = ReadonlyMap<string, number>;

async function scrape(platform: TestPlatform): Promise<Scrape> {
  const reply = await platform.get("/metrics");
  assert.equal(reply.statusCode, 200);
  const lines = reply.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(" ");
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

const read = (found: Scrape, name: string): number => found.get(name) ?? 0;
/** The increase of some metrics between two scrapes. */
const growth = (from: Scrape, to: Scrape, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, read(to, name) - read(from, name)]));
const commands = (kind: string, outcome = "done") => `bourse_commands_total{kind="${kind}",outcome="${outcome}"}`;
const ofBtc = (name: string) => `${name}{symbol="BTCUSDT"}`;

describe("RUN-7: the exchange's metrics", () => {
  let platform: TestPlatform;
  let maker: NewApiKey;
  let taker: NewApiKey;

  const order = (key: NewApiKey, text: string) =>
    platform.signedCall("POST", "/fapi/v1/order", key, `symbol=BTCUSDT&${text}`);
  const limit = (side: string, quantity: string, price: string) =>
    `side=${side}&type=LIMIT&timeInForce=GTC&quantity=${quantity}&price=${price}`;

  async function fund(wallet: Wallet): Promise<NewApiKey> {
    const reply = await platform.post("/api/v1/dev/faucet", { address: wallet.address, amount: "10000" });
    assert.equal(reply.statusCode, 200, reply.body);
    return platform.makeApiKey(wallet);
  }

  before(async () => {
    platform = await createTestPlatform();
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
    maker = await fund(testWallet(1));
    taker = await fund(testWallet(2));
  });
  after(() => platform.close());

  it("commands are counted by kind and outcome, with what the log, the engine and a trader took for them", async () => {
    const first = await scrape(platform);
    assert.equal((await order(maker, limit("BUY", "0.01", "59000"))).statusCode, 200);
    assert.equal((await order(maker, limit("BUY", "0.01", "58000"))).statusCode, 200);
    assert.equal((await order(taker, limit("BUY", "5", "60000"))).statusCode, 400, "no margin for it");
    const second = await scrape(platform);
    const names = [
      commands("place_order"),
      commands("place_order", "refused"),
      "bourse_order_reply_seconds_count",
      ofBtc("bourse_market_open_orders"),
    ];
    assert.deepEqual(Object.values(growth(first, second, names)), [2, 1, 3, 2]);
    const durable = read(second, "bourse_journal_last_command");
    assert.ok(durable >= read(first, "bourse_journal_last_command") + 3);
    assert.equal(read(second, "bourse_journal_batch_commands_sum"), durable, "each was written once");
    assert.equal(read(second, "bourse_journal_sync_seconds_count"), read(second, "bourse_apply_batch_seconds_count"));
    assert.ok(read(second, "bourse_journal_sync_seconds_sum") > 0);
    assert.ok(read(second, "bourse_order_reply_seconds_sum") > 0);
    assert.deepEqual([second.get("bourse_commands_waiting"), second.get("bourse_engine_stopped")], [0, 0]);
  });

  it("a trade shows in positions, open interest, trades and the fee account", async () => {
    const first = await scrape(platform);
    await order(maker, limit("SELL", "0.02", "60000"));
    await order(taker, "side=BUY&type=MARKET&quantity=0.02");
    const second = await scrape(platform);
    const perMarket = ["positions", "open_interest", "trades_total"].map((name) => ofBtc(`bourse_market_${name}`));
    assert.deepEqual(Object.values(growth(first, second, perMarket)), [2, 0.02, 1]);
    // 1,200 USDT at 0.02 % and 0.05 %.
    assert.equal(read(second, "bourse_fee_account_usdt").toFixed(6), "0.840000");
    assert.equal(second.get('bourse_market_price_usdt{symbol="BTCUSDT",price="last"}'), 60_000);
    assert.equal(second.get('bourse_market_price_usdt{symbol="BTCUSDT",price="index"}'), 60_000);
    assert.equal(second.get("bourse_accounts"), 2);
    assert.equal(second.get('bourse_vip_accounts{tier="0"}'), 2);
    assert.equal(second.get('bourse_vip_accounts{tier="5"}'), 0);
    assert.equal(second.get("bourse_insurance_fund_usdt"), 100_000);
  });

  it("funding rounds are counted, a price's age is the clock's, and so is the number of its sources", async () => {
    const first = await scrape(platform);
    const moved = await platform.post("/api/v1/dev/clock", { advance_ms: HOUR_ms });
    assert.equal(moved.statusCode, 200, moved.body);
    const second = await scrape(platform);
    assert.deepEqual(Object.values(growth(first, second, [ofBtc("bourse_funding_rounds_total")])), [1]);
    assert.equal(second.get(ofBtc("bourse_market_price_age_seconds")), 0, "set anew with the clock");
    platform.realTime.advance(2_500);
    assert.equal((await scrape(platform)).get(ofBtc("bourse_market_price_age_seconds")), 2.5);
    assert.equal(second.get(ofBtc("bourse_market_price_sources_fresh")), 3, "simulated sources are always fresh");
    assert.equal(second.get(ofBtc("bourse_market_status")), 0);
  });

  it("a liquidation is counted", async () => {
    const first = await scrape(platform);
    const poor = await fund(testWallet(3));
    await platform.signedCall("POST", "/fapi/v1/leverage", poor, "symbol=BTCUSDT&leverage=100");
    await order(maker, limit("SELL", "1", "60000"));
    const taken = await order(poor, "side=BUY&type=MARKET&quantity=1");
    assert.equal(taken.statusCode, 200, taken.body);
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "50000" });
    const second = await scrape(platform);
    assert.ok(read(second, "bourse_liquidations_total") > read(first, "bourse_liquidations_total"));
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
  });

  it("the projector comes to a lag of 0, the outbox is empty, recovery and snapshots are told of", async () => {
    await waitFor(async () => read(await scrape(platform), "bourse_projector_lag_commands") === 0, {
      what: "the projector to catch up",
    });
    const found = await scrape(platform);
    assert.ok(read(found, "bourse_projector_batch_seconds_count") > 0);
    const zeros = ["projector_lag_seconds", "projector_spilled", "outbox_waiting", "outbox_oldest_seconds"];
    for (const name of [...zeros, "recovery_commands", "snapshot_last_command", "snapshot_failed"]) {
      assert.equal(found.get(`bourse_${name}`), 0, name);
    }
    assert.ok(read(found, "bourse_recovery_seconds") > 0);
    assert.ok(Number.isNaN(found.get("bourse_snapshot_age_seconds")), "there is no snapshot yet");
    assert.ok(read(found, 'bourse_table_bytes{table="exchange_order"}') > 0);
    assert.ok(found.has('bourse_table_rows{table="exchange_order"}'));
  });

  it("a message that waits in the outbox shows with its age", async () => {
    const { db } = platform.database;
    const created_at = new Date(platform.clock.now() - 90_000);
    // No receiver has this topic: if the dispatcher reads the row, delivery fails, and the next attempt finds no row.
    await db
      .insertInto("outbox")
      .values({ topic: "nobody", ref: "metrics-test", payload: "{}", created_at, dispatch_seq: 0n })
      .execute();
    const found = await scrape(platform);
    await db.deleteFrom("outbox").where("ref", "=", "metrics-test").execute();
    assert.deepEqual([found.get("bourse_outbox_waiting"), found.get("bourse_outbox_oldest_seconds")], [1, 90]);
  });

  it("connections are counted by protocol, with what was sent to them, and listen keys while they live", async (t) => {
    const first = await scrape(platform);
    await platform.signedCall("POST", "/fapi/v1/listenKey", taker);
    await platform.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = platform.app.server.address() as { port: number };
    const sockets = ["ws/btcusdt@markPrice@1s", "ws"].map((path) => new WebSocket(`ws://127.0.0.1:${port}/${path}`));
    t.after(() => {
      for (const socket of sockets) socket.terminate();
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("open", resolve))));
    const answer = new Promise<Buffer>((resolve) => sockets[1]!.once("message", (data) => resolve(data as Buffer)));
    sockets[1]!.send(JSON.stringify({ method: "LIST_SUBSCRIPTIONS", id: 1 }));
    const { length } = await answer;
    const second = await scrape(platform);
    const names = ['connections{protocol="bots"}', 'connections{protocol="own"}'].map(
      (name) => `bourse_stream_${name}`,
    );
    assert.deepEqual(Object.values(growth(first, second, [...names, "bourse_listen_keys"])), [1, 1, 1]);
    assert.equal(second.get("bourse_stream_topics"), 1);
    assert.ok(read(second, "bourse_stream_frames_total") >= 1);
    assert.ok(read(second, "bourse_stream_bytes_total") >= length);
    assert.equal(second.get("bourse_stream_dropped_total"), 0);
  });

  it("the table in docs/operations.md names the metrics that there are, and no others", async () => {
    const { body } = await platform.get("/metrics");
    const shown = [...body.matchAll(/^# TYPE (bourse_\S+) /gm)].map((match) => match[1]);
    const section = /^## Metrics$(.*?)^## /ms.exec(readFileSync(OPERATIONS, "utf8"))?.[1] ?? "";
    const documented = [...section.matchAll(/^\| `(bourse_\w+)/gm)].map((match) => match[1]);
    assert.deepEqual(documented.toSorted(), shown.toSorted());
  });
});

describe("RUN-7: an exchange that turns commands away", () => {
  it("FUT-17: what is refused because too many wait is counted", async () => {
    const platform = await createTestPlatform({ MAX_COMMANDS_WAITING: "0" });
    try {
      await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
      await platform.post("/api/v1/dev/faucet", { address: testWallet(1).address, amount: "10000" });
      const key = await platform.makeApiKey(testWallet(1));
      const text = "symbol=BTCUSDT&side=BUY&type=MARKET&quantity=0.01";
      const reply = await platform.signedCall("POST", "/fapi/v1/order", key, text);
      assert.deepEqual([reply.statusCode, reply.json().code], [503, -1008]);
      const found = await scrape(platform);
      assert.equal(found.get('bourse_commands_not_taken_total{reason="overloaded"}'), 1);
      assert.equal(found.get('bourse_commands_not_taken_total{reason="unavailable"}'), 0);
      assert.equal(found.has(commands("place_order")), false);
    } finally {
      await platform.close();
    }
  });
});
