import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { BTC_TICKS } from "../market-data/testing.ts";
import { type Message, StreamsForTests, type TestClient, walletOf } from "./testing.ts";

describe("the platform's own protocol", () => {
  const exchange = new StreamsForTests();
  const { market, listenKeys } = exchange;
  let maker = 0;

  before(async () => {
    await exchange.begin();
    maker = await market.trader();
  });
  beforeEach(() => market.clear());
  after(() => exchange.end());

  async function signedIn(account: number): Promise<TestClient> {
    const client = await exchange.connect("/ws");
    const reply = await client.askOwn({ type: "auth", token: `token-${account}` }, { type: "auth" });
    assert.deepEqual(reply, { type: "auth", status: "ok", address: walletOf(account) });
    return client;
  }

  it("FUT-19: subscribed, then a snapshot with its number, then newer updates without a gap", async () => {
    const client = await exchange.connect("/ws");
    const taker = await market.trader();
    await market.sell(maker, 500, { ticks: BTC_TICKS + 1 });
    const trade = () => market.buy(taker, 1, { ticks: BTC_TICKS + 1 });
    await trade();
    client.send({ type: "subscribe", channel: "trades", symbol: "btcusdt" });
    for (let i = 0; i < 20; i += 1) {
      await trade();
      if (i % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(await client.next(), { type: "subscribed", channel: "trades", symbol: "BTCUSDT" });
    const snapshot = await client.next();
    assert.deepEqual([snapshot["type"], snapshot["symbol"]], ["snapshot", "BTCUSDT"]);
    const ids = (snapshot["data"] as unknown as { id: number }[]).map(({ id }) => id);
    let seq = Number(snapshot["seq"]);
    while (ids.length < 21) {
      const update = await client.next();
      assert.deepEqual([update["type"], update["seq"]], ["update", seq + 1]);
      seq += 1;
      ids.push(...(update["data"] as unknown as { id: number }[]).map(({ id }) => id));
    }
    assert.deepEqual(
      ids,
      Array.from({ length: 21 }, (_, i) => ids[0]! + i),
    );
    client.ws.close();
  });

  it("the orderbook has thirty levels a side", async () => {
    const account = await market.trader();
    for (let i = 0; i < 35; i += 1) await market.buy(account, 1 + i, { ticks: BTC_TICKS - 100 - i });
    const client = await exchange.connect("/ws");
    const request = { type: "subscribe", channel: "orderbook", symbol: "BTCUSDT" };
    const snapshot = await client.askOwn(request, { type: "snapshot" });
    const bids = snapshot["data"]!["bids"] as unknown as string[][];
    assert.equal(bids.length, 30);
    assert.deepEqual(bids[0], ["59990.0", "0.001"]);
    await market.buy(account, 9, { ticks: BTC_TICKS - 90 });
    const update = await client.next({ type: "update" });
    assert.deepEqual([update["channel"], update["seq"]], ["orderbook", Number(snapshot["seq"]) + 1]);
    assert.deepEqual((update["data"]!["bids"] as unknown as string[][])[0], ["59991.0", "0.009"]);
    client.ws.close();
  });

  it("ticker, markprice and kline begin with a snapshot and go on", async () => {
    const [taker, client] = [await market.trader(), await exchange.connect("/ws")];
    const symbol = "BTCUSDT";
    const ticker = await client.askOwn({ type: "subscribe", channel: "ticker", symbol }, { type: "snapshot" });
    assert.match(String(ticker["data"]!["last_price"]), /^\d+\.\d$/);
    const mark = await client.askOwn({ type: "subscribe", channel: "markprice", symbol }, { type: "snapshot" });
    assert.equal(mark["data"]!["mark_price"], "60000.0");
    const request = { type: "subscribe", channel: "kline", symbol, interval: "5m" };
    const klines = await client.askOwn(request, { type: "snapshot" });
    assert.deepEqual([klines["interval"], (klines["data"] as unknown as []).length > 0], ["5m", true]);
    market.clock.advance(1);
    await market.price(BTC_TICKS + 2);
    await market.sell(maker, 3, { ticks: BTC_TICKS - 100 });
    await market.buy(taker, 3, { ticks: BTC_TICKS });
    const channels = new Set<string>();
    while (channels.size < 3) channels.add(String((await client.next({ type: "update" }))["channel"]));
    assert.deepEqual(channels, new Set(["ticker", "markprice", "kline"]));
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  it("private channels: balances, orders and positions from the snapshot on", async () => {
    const account = await market.trader(10_000);
    await market.buy(account, 2, { ticks: BTC_TICKS - 3_000, clientId: "resting" });
    const client = await signedIn(account);
    const snapshots: Message[] = [];
    for (const channel of ["orders", "positions", "balances"]) {
      snapshots.push(await client.askOwn({ type: "subscribe", channel }, { type: "snapshot", channel }));
    }
    const [orders, positions, balances] = snapshots.map(({ data }) => data as unknown as Message[] & Message);
    assert.deepEqual(
      orders!.map(({ client_order_id, status }) => [client_order_id, status]),
      [["resting", "NEW"]],
    );
    assert.deepEqual(positions, []);
    assert.deepEqual([balances!["principal"], balances!["available"]], ["10000.00", "9988.06"]);

    await market.sell(maker, 4, { ticks: BTC_TICKS - 200 });
    await market.buy(account, 4, { ticks: BTC_TICKS - 200, clientId: "taking" });
    const told: Message[] = [];
    for (let i = 0; i < 4; i += 1) told.push(await client.next({ type: "update" }));
    const of = (channel: string) => told.filter((message) => (message["channel"] as unknown) === channel);
    assert.deepEqual(
      of("orders").map(({ data }) => [data!["event"], data!["status"], data!["executed_quantity"]]),
      [
        ["NEW", "NEW", "0.000"],
        ["TRADE", "FILLED", "0.004"],
      ],
    );
    assert.deepEqual(of("orders")[1]!["data"]!["trade"]!["is_maker"], false);
    assert.equal(of("positions")[0]!["data"]!["quantity"], "0.004");
    assert.equal(of("balances")[0]!["data"]!["principal"], "9999.88004");
    const seqs = told.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
    assert.ok(seqs[0]! > Number(snapshots[0]!["seq"]) && new Set(seqs).size === 4);

    const kept = await exchange.streams.privateEvents.after(account, Number(snapshots[2]!["seq"]));
    assert.deepEqual(
      kept.events.map(({ seq }) => seq),
      seqs,
    );
    assert.deepEqual(
      kept.events.map(({ data }) => data),
      seqs.map((seq) => told.find((message) => (message["seq"] as unknown) === seq)!["data"]),
    );
    client.ws.close();
  });

  it("vip_tier and bonus tell of their changes", async () => {
    const account = await market.trader(10_000);
    const client = await signedIn(account);
    const tier = await client.askOwn({ type: "subscribe", channel: "vip_tier" }, { type: "snapshot" });
    assert.deepEqual(tier["data"], { tier: 0, volume_14d: "0.00" });
    await client.askOwn({ type: "subscribe", channel: "bonus" }, { type: "snapshot" });
    const expires_ms = market.clock.now() + 7 * 86_400_000;
    await market.outside({ kind: "grant_bonus", account, amount_micros: 5e8, maxLeverage: 10, expires_ms });
    const granted = await client.next({ channel: "bonus", type: "update" });
    assert.equal(granted["data"]!["status"], "active");
    const line = await client.next({ channel: "bonus", type: "update" });
    assert.deepEqual([line["data"]!["kind"], line["data"]!["bonus_free"]], ["GRANT", "500.00"]);
    for (let volume = 0; volume < 1_000_000; volume += 60_000) {
      await market.sell(maker, 1_000, { ticks: BTC_TICKS - 100 });
      await market.buy(account, 1_000, { ticks: BTC_TICKS - 100 });
      await market.buy(maker, 1_000, { ticks: BTC_TICKS - 100 });
      await market.sell(account, 1_000, { ticks: BTC_TICKS - 100 });
    }
    const changed = await client.next({ channel: "vip_tier", type: "update" });
    const { event, kind, tier: now, previous_tier } = changed["data"]!;
    assert.deepEqual([event, kind, now, previous_tier], ["vip_tier_changed", "upgrade_immediate", 1, 0]);
    client.ws.close();
  });

  it("SEC-11: a wallet without an account has nothing yet, and hears of it once it has", async () => {
    const account = market.engine.state.accounts.count + 1;
    const client = await signedIn(account);
    const snapshot = await client.askOwn({ type: "subscribe", channel: "balances" }, { type: "snapshot" });
    assert.equal(snapshot["data"]!["principal"], "0.00");
    assert.equal(await market.trader(50), account);
    assert.equal((await client.next({ type: "update" }))["data"]!["principal"], "50.00");
    client.ws.close();
  });

  it("a listenKey signs in as well, and lives longer for it", async () => {
    const account = await market.trader(10);
    const listenKey = await listenKeys.issue(walletOf(account));
    market.clock.advance(3_000_000);
    const client = await exchange.connect("/ws");
    await client.askOwn({ type: "auth", listenKey }, { type: "auth", status: "ok" });
    market.clock.advance(3_000_000);
    assert.equal(listenKeys.resolve(listenKey), walletOf(account));
    client.ws.close();
  });

  it("what is behind a sign-in waits for it", async () => {
    const account = await market.trader(10);
    const client = await exchange.connect("/ws");
    client.send({ type: "auth", token: `token-${account}` });
    client.send({ type: "subscribe", channel: "balances" });
    assert.deepEqual((await client.next({ type: "snapshot" }))["data"]!["principal"], "10.00");
    client.ws.close();
  });

  it("WIRE-9: errors have a code and a text, and the connection goes on", async () => {
    const client = await exchange.connect("/ws");
    const codes: string[] = [];
    for (const request of [
      { type: "subscribe", channel: "balances" },
      { type: "auth", token: "nonsense" },
      { type: "auth", listenKey: "f".repeat(64) },
      { type: "auth" },
      { type: "subscribe", channel: "gossip" },
      { type: "subscribe", channel: "trades", symbol: "NOPEUSDT" },
      { type: "subscribe", channel: "trades", symbol: ["BTCUSDT"] },
      { type: "subscribe", channel: "kline", symbol: "BTCUSDT", interval: "7m" },
      { type: "subscribe", channel: "kline", symbol: "BTCUSDT", interval: 5 },
      { type: "sing" },
      "[]",
      "no JSON",
      "null",
    ]) {
      client.send(request);
      const reply = await client.next();
      assert.equal(reply["type"], "error", JSON.stringify(request));
      assert.ok(String(reply["error"]).length > 5);
      codes.push(String(reply["code"]));
    }
    const [unauthorized, unknown, invalid] = ["UNAUTHORIZED", "UNKNOWN_SYMBOL", "INVALID_MESSAGE"];
    assert.deepEqual(codes, [
      ...[unauthorized, unauthorized, unauthorized, unauthorized],
      ...["UNKNOWN_CHANNEL", unknown, unknown, "UNKNOWN_INTERVAL", "UNKNOWN_INTERVAL"],
      ...[invalid, invalid, invalid, invalid],
    ]);
    await client.askOwn({ type: "ping" }, { type: "pong" });
    client.ws.close();
  });

  it("FUT-19: who subscribed before having an account is told of all that happens while the wallet is not known", async () => {
    const account = market.engine.state.accounts.count + 1;
    exchange.unknownWallets.add(account);
    const client = await signedIn(account);
    const bot = await exchange.connect(`/ws/${await listenKeys.issue(walletOf(account))}`);
    const snapshot = await client.askOwn({ type: "subscribe", channel: "orders" }, { type: "snapshot" });
    assert.deepEqual([snapshot["seq"], snapshot["data"]], [0, []]);
    assert.equal(await market.trader(500_000), account);
    await market.buy(account, 1, { ticks: BTC_TICKS - 1_000 });
    await market.buy(account, 2, { ticks: BTC_TICKS - 1_000 });
    await client.askOwn({ type: "ping" }, { type: "pong" });
    assert.ok(!client.received.some(({ type }) => (type as unknown) === "update"));
    exchange.learnWallet(account);
    await market.buy(account, 3, { ticks: BTC_TICKS - 1_000 });
    const updates = [await client.next({ type: "update" }), await client.next({ type: "update" })];
    updates.push(await client.next({ type: "update" }));
    assert.deepEqual(
      updates.map(({ data }) => data!["quantity"]),
      ["0.001", "0.002", "0.003"],
    );
    assert.equal((await bot.next())["e"], "ACCOUNT_UPDATE");
    for (let order = 0; order < 3; order += 1) await bot.next({ e: "ORDER_TRADE_UPDATE" });
    client.ws.close();
    bot.ws.close();
  });

  it("signed out, private channels end and public ones go on", async () => {
    const account = await market.trader(10);
    const client = await signedIn(account);
    await client.askOwn({ type: "subscribe", channel: "balances" }, { type: "snapshot" });
    await client.askOwn({ type: "subscribe", channel: "trades", symbol: "BTCUSDT" }, { type: "snapshot" });
    exchange.signedOut.add(`token-${account}`);
    assert.equal((await client.next({ type: "error" }))["code"], "UNAUTHORIZED");
    await market.deposit(account, 5);
    await market.sell(maker, 1, { ticks: BTC_TICKS - 100 });
    await market.buy(maker, 1, { ticks: BTC_TICKS - 100 });
    await client.askOwn({ type: "ping" }, { type: "pong" });
    assert.ok(!client.received.some(({ type, channel }) => `${type} ${channel}` === "update balances"));
    client.ws.close();
  });

  it("unsubscribed, a channel is quiet", async () => {
    const taker = await market.trader();
    const client = await exchange.connect("/ws");
    const request = { channel: "trades", symbol: "BTCUSDT" };
    await client.askOwn({ type: "subscribe", ...request }, { type: "snapshot" });
    await client.askOwn({ type: "unsubscribe", ...request }, { type: "unsubscribed" });
    await market.sell(maker, 1, { ticks: BTC_TICKS - 100 });
    await market.buy(taker, 1, { ticks: BTC_TICKS - 100 });
    await client.askOwn({ type: "ping" }, { type: "pong" });
    assert.ok(!client.received.some(({ type }) => (type as unknown) === "update"));
    assert.equal(exchange.streams.hub.find("own:trades:0"), undefined);
    client.ws.close();
  });
});
