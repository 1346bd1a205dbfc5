import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { STOP } from "@bourse/engine";
import { BTC, BTC_TICKS } from "../market-data/testing.ts";
import { LISTEN_KEY_LIFE_ms } from "./listen-keys.ts";
import { StreamsForTests, walletOf } from "./testing.ts";

describe("the bots' user data stream", () => {
  const exchange = new StreamsForTests();
  const { market, listenKeys } = exchange;

  before(() => exchange.begin());
  beforeEach(() => market.clear());
  after(() => exchange.end());

  async function trader() {
    const account = await market.trader(10_000);
    const key = await listenKeys.issue(walletOf(account));
    return { account, key, client: await exchange.connect(`/private/ws/${key}`) };
  }

  it("order, partial fill and cancel, every field", async () => {
    const { account, client } = await trader();
    const other = await market.trader();
    const time = market.clock.now();
    const { events } = await market.buy(account, 10, { ticks: BTC_TICKS, clientId: "mine" });
    const order = (events[0] as { order: number }).order;
    const always = {
      s: "BTCUSDT",
      c: "mine",
      S: "BUY",
      o: "LIMIT",
      f: "GTC",
      q: "0.010",
      p: "60000.0",
      i: order,
      T: time,
      a: "0.00",
      R: false,
      ps: "BOTH",
      rp: "0.00",
      si: 0,
      ss: 0,
      V: "EXPIRE_MAKER",
      pm: "NONE",
      gtd: 0,
      sp: "0",
      wt: "CONTRACT_PRICE",
      ot: "LIMIT",
      cp: false,
      pP: false,
    };
    const nothing = { ap: "0", l: "0.000", z: "0.000", L: "0", t: 0, m: false };
    const head = { e: "ORDER_TRADE_UPDATE", E: time, T: time };
    assert.deepEqual(await client.next({ e: "ORDER_TRADE_UPDATE" }), {
      ...head,
      o: { ...always, ...nothing, x: "NEW", X: "NEW", b: "600.00" },
    });

    await market.sell(other, 4, { ticks: BTC_TICKS });
    const lite = await client.next({ e: "TRADE_LITE" });
    const { t, ...rest } = lite;
    const trade = Number(t);
    assert.deepEqual(rest, {
      e: "TRADE_LITE",
      E: time,
      T: time,
      s: "BTCUSDT",
      q: "0.010",
      p: "60000.0",
      m: true,
      c: "mine",
      S: "BUY",
      L: "60000.0",
      l: "0.004",
      i: order,
    });
    const traded = { ap: "60000.0", l: "0.004", z: "0.004", L: "60000.0", t: trade, m: true, N: "USDT", n: "0.048" };
    assert.deepEqual(await client.next(), {
      ...head,
      o: { ...always, ...traded, x: "TRADE", X: "PARTIALLY_FILLED", b: "360.00" },
    });
    assert.deepEqual(await client.next(), {
      e: "ACCOUNT_UPDATE",
      E: time,
      T: time,
      a: {
        m: "ORDER",
        B: [{ a: "USDT", wb: "9999.952", cw: "9999.952", bc: "0.00" }],
        P: [
          {
            s: "BTCUSDT",
            pa: "0.004",
            ep: "60000.0",
            bep: "60030.0150076",
            cr: "0.00",
            up: "0.00",
            mt: "cross",
            iw: "0.00",
            ps: "BOTH",
          },
        ],
      },
    });

    await market.cancel(account, order);
    const left = { ap: "60000.0", l: "0.000", z: "0.004", L: "0", t: 0, m: false };
    assert.deepEqual(await client.next({ e: "ORDER_TRADE_UPDATE" }), {
      ...head,
      o: { ...always, ...left, x: "CANCELED", X: "CANCELED", b: "0.00" },
    });
    client.ws.close();
  });

  it("FUT-25, FUT-26: an order with an end from the book is told with both, and EXPIRED when its time has come", async () => {
    const { account, client } = await trader();
    const goodTill_ms = market.clock.now() + 3_600_000;
    await market.buy(account, 10, { ticks: BTC_TICKS - 100, goodTill_ms });
    await market.buy(account, 10, { ticks: 0, priceMatch: 5, goodTill_ms });
    await market.conditional(account, STOP, {
      triggerTicks: BTC_TICKS - 200,
      ticks: BTC_TICKS - 200,
      timeInForce: 0,
      goodTill_ms,
    });
    const seen = { f: "GTD", gtd: goodTill_ms };
    const told = async (e: string) => ((await client.next({ e })) as { o: Record<string, unknown> }).o;
    const first = await told("ORDER_TRADE_UPDATE");
    assert.deepEqual({ f: first["f"], gtd: first["gtd"], pm: first["pm"] }, { ...seen, pm: "NONE" });
    const second = await told("ORDER_TRADE_UPDATE");
    assert.deepEqual(
      { f: second["f"], gtd: second["gtd"], pm: second["pm"], p: second["p"] },
      { ...seen, pm: "QUEUE", p: first["p"] },
    );
    const waiting = await told("ALGO_UPDATE");
    assert.deepEqual({ f: waiting["f"], gtd: waiting["gtd"], X: waiting["X"] }, { ...seen, X: "NEW" });
    market.clock.advance(3_600_000);
    await market.submit({ kind: "advance_time" });
    for (const { i } of [first, second]) {
      const ended = await told("ORDER_TRADE_UPDATE");
      assert.deepEqual([ended["i"], ended["x"], ended["X"]], [i, "EXPIRED", "EXPIRED"]);
    }
    assert.equal((await told("ALGO_UPDATE"))["X"], "EXPIRED");
  });

  it("an order that takes all it wants is FILLED; what IOC leaves expires with its reason", async () => {
    const { account, client } = await trader();
    const other = await market.trader();
    await market.sell(other, 5, { ticks: BTC_TICKS });
    await market.buy(account, 5, { ticks: BTC_TICKS });
    const { o: filled } = await client
      .next({ e: "ORDER_TRADE_UPDATE" })
      .then(() => client.next({ e: "ORDER_TRADE_UPDATE" }));
    assert.deepEqual([filled!["x"], filled!["X"], filled!["m"], filled!["n"]], ["TRADE", "FILLED", false, "0.15"]);
    await market.buy(account, 5, { ticks: BTC_TICKS, timeInForce: 1 });
    await client.next({ e: "ORDER_TRADE_UPDATE" });
    const { o: expired } = await client.next({ e: "ORDER_TRADE_UPDATE" });
    assert.deepEqual([expired!["x"], expired!["X"], expired!["er"]], ["EXPIRED", "EXPIRED", "2"]);
    client.ws.close();
  });

  it("money, leverage and margin mode are told with their reasons", async () => {
    const { account, client } = await trader();
    await market.deposit(account, 500);
    const { a: deposit } = await client.next({ e: "ACCOUNT_UPDATE" });
    assert.deepEqual(deposit, {
      m: "DEPOSIT",
      B: [{ a: "USDT", wb: "10500.00", cw: "10500.00", bc: "500.00" }],
      P: [],
    });
    await market.submit({ kind: "set_leverage", account, market: BTC, leverage: 20 });
    const config = await client.next({ e: "ACCOUNT_CONFIG_UPDATE" });
    assert.deepEqual(config["ac"], { s: "BTCUSDT", l: 20 });
    await market.submit({ kind: "set_margin_mode", account, market: BTC, mode: 1 });
    const { a: mode } = await client.next({ e: "ACCOUNT_UPDATE" });
    assert.deepEqual([mode!["m"], mode!["P"]![0]!["mt"]], ["MARGIN_TYPE_CHANGE", "isolated"]);
    client.ws.close();
  });

  it("FUT-8: a conditional order goes from NEW over TRIGGERED to FINISHED", async () => {
    const { account, client } = await trader();
    const other = await market.trader();
    await market.sell(other, 2, { ticks: BTC_TICKS });
    await market.buy(account, 2, { ticks: BTC_TICKS });
    await market.buy(other, 2, { ticks: BTC_TICKS - 100 });
    await market.conditional(account, STOP, {
      lots: 2,
      triggerTicks: BTC_TICKS - 50,
      workingType: 1,
      clientId: "stop",
    });
    const opened = (await client.next({ e: "ALGO_UPDATE" }))["o"]!;
    const conditional = Number(opened["aid"]);
    assert.deepEqual(opened, {
      caid: "stop",
      aid: conditional,
      at: "CONDITIONAL",
      o: "STOP_MARKET",
      s: "BTCUSDT",
      S: "SELL",
      ps: "BOTH",
      f: "IOC",
      q: "0.002",
      X: "NEW",
      ai: "",
      ap: "0",
      aq: "0",
      act: "",
      tp: "59995.0",
      p: "0.0",
      V: "EXPIRE_MAKER",
      wt: "MARK_PRICE",
      pm: "NONE",
      cp: false,
      pP: false,
      R: false,
      tt: 0,
      gtd: 0,
      rm: "",
    });
    await market.price(BTC_TICKS - 60);
    assert.equal((await client.next({ e: "ALGO_UPDATE" }))["o"]!["X"], "TRIGGERING");
    const { o: triggered } = await client.next({ e: "ALGO_UPDATE" });
    assert.equal(triggered!["X"], "TRIGGERED");
    const { o: order } = await client.next({ e: "ORDER_TRADE_UPDATE" });
    const { x, o, ot, sp, i } = order!;
    assert.deepEqual(
      { x, o, ot, sp, i: String(i) },
      { x: "NEW", o: "MARKET", ot: "STOP_MARKET", sp: "59995.0", i: triggered!["ai"] },
    );
    const { X, ap, aq, act, ai } = (await client.next({ e: "ALGO_UPDATE" }))["o"]!;
    assert.deepEqual(
      { X, ap, aq, act, ai },
      { X: "FINISHED", ap: "59990.0", aq: "0.002", act: "MARKET", ai: String(i) },
    );
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  /** Long two lots, with a bid for one of them, and a stop for both that fires. */
  async function halfStopped(keepsId: boolean) {
    const { account, client } = await trader();
    const other = await market.trader();
    await market.sell(other, 2, { ticks: BTC_TICKS });
    await market.buy(account, 2, { ticks: BTC_TICKS });
    await market.buy(other, 1, { ticks: BTC_TICKS - 100 });
    const trigger = { lots: 2, triggerTicks: BTC_TICKS - 50, workingType: 1, isReduceOnly: true, keepsId } as const;
    const { events } = await market.conditional(account, STOP, trigger);
    const id = (events[0] as { conditional: number }).conditional;
    await market.price(BTC_TICKS - 60);
    return { account, client, other, id };
  }

  it("FUT-8: what a fired stop left is NEW again with the rest, is never called FINISHED before, and ends with its last order", async () => {
    const { client, other, id } = await halfStopped(false);
    const told: unknown[] = [];
    const next = async () => {
      const { X, q, aid, ai } = (await client.next({ e: "ALGO_UPDATE" }))["o"]!;
      assert.equal(aid, id);
      told.push([X, q, String(ai) !== ""]);
    };
    for (let update = 0; update < 4; update += 1) await next();
    assert.deepEqual(told.splice(0), [
      ["NEW", "0.002", false],
      ["TRIGGERING", "0.002", false],
      ["TRIGGERED", "0.002", true],
      ["NEW", "0.001", false],
    ]);
    await market.buy(other, 1, { ticks: BTC_TICKS - 100 });
    await market.price(BTC_TICKS - 61);
    for (let update = 0; update < 3; update += 1) await next();
    assert.deepEqual(told, [
      ["TRIGGERING", "0.001", false],
      ["TRIGGERED", "0.001", true],
      ["FINISHED", "0.001", true],
    ]);
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  it("FUT-8: a stop order is an order that is NEW again under its id; its next try is another order", async () => {
    const { client, other, id } = await halfStopped(true);
    const next = async () => {
      const { x, X, q, z, i } = (await client.next({ e: "ORDER_TRADE_UPDATE" }))["o"]!;
      return [x, X, q, z, Number(i) === id] as unknown[];
    };
    const told: unknown[][] = [];
    while (told.at(-1)?.[2] !== "0.001") told.push(await next());
    assert.deepEqual(told.slice(-5), [
      ["NEW", "NEW", "0.002", "0.000", true],
      ["NEW", "NEW", "0.002", "0.000", true],
      ["TRADE", "PARTIALLY_FILLED", "0.002", "0.001", true],
      ["EXPIRED", "EXPIRED", "0.002", "0.001", true],
      ["NEW", "NEW", "0.001", "0.000", true],
    ]);
    await market.buy(other, 1, { ticks: BTC_TICKS - 100 });
    await market.price(BTC_TICKS - 61);
    assert.deepEqual(
      [await next(), await next(), await next()],
      [
        ["EXPIRED", "EXPIRED", "0.001", "0.000", true],
        ["NEW", "NEW", "0.001", "0.000", false],
        ["TRADE", "FILLED", "0.001", "0.001", false],
      ],
    );
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  it("FUT-23: whoever is deleveraged is told the price, the mark, the index and why", async () => {
    const { account, client } = await trader();
    const loser = await market.trader(10_000);
    await market.submit({ kind: "set_leverage", account: loser, market: BTC, leverage: 50 });
    await market.sell(account, 100, { ticks: BTC_TICKS });
    await market.buy(loser, 100, { ticks: BTC_TICKS });
    await market.submit({ kind: "set_leverage", account: loser, market: BTC, leverage: 50 });
    const deep = await market.trader();
    await market.sell(deep, 1_500, { ticks: BTC_TICKS });
    await market.buy(loser, 1_500, { ticks: BTC_TICKS });
    const mark = BTC_TICKS - 60_000;
    await market.price(mark);
    const { T, E, ...told } = await client.next({ e: "ADL_UPDATE" });
    const price = "54000.0";
    const wanted = { e: "ADL_UPDATE", s: "BTCUSDT", S: "BUY", q: "0.100", p: price, mp: price, ip: price };
    assert.deepEqual(told, { ...wanted, r: "fund_full" });
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  it("a conditional order that keeps its id is an order to its client", async () => {
    const { account, client } = await trader();
    const trigger = { lots: 2, triggerTicks: BTC_TICKS - 5_000, workingType: 1, keepsId: true } as const;
    const { events } = await market.conditional(account, STOP, trigger);
    const id = (events[0] as { conditional: number }).conditional;
    const { o: opened } = await client.next();
    assert.deepEqual([opened!["o"], opened!["x"], opened!["i"], opened!["sp"]], ["STOP_MARKET", "NEW", id, "59500.0"]);
    await market.cancel(account, id);
    const { o: closed } = await client.next();
    assert.deepEqual(
      [closed!["o"], closed!["x"], closed!["X"], closed!["i"]],
      ["STOP_MARKET", "CANCELED", "CANCELED", id],
    );
    client.ws.close();
  });

  it("FUT-12: a margin call, then a liquidation: CALCULATED, and a forced order for everybody", async () => {
    const { account, client } = await trader();
    const [other, buyer] = [await market.trader(), await market.trader()];
    const watcher = await exchange.connect("/ws/!forceOrder@arr");
    await market.submit({ kind: "set_leverage", account, market: BTC, leverage: 50 });
    await market.sell(other, 1_600, { ticks: BTC_TICKS });
    await market.buy(account, 1_600, { ticks: BTC_TICKS });
    await market.price(BTC_TICKS - 55_810);
    const call = await client.next({ e: "MARGIN_CALL" });
    assert.deepEqual(Object.keys(call), ["e", "E", "cw", "p"]);
    assert.deepEqual(Object.keys(call["p"]![0]!), ["s", "ps", "pa", "mt", "iw", "mp", "up", "mm"]);
    await market.buy(buyer, 1_600, { ticks: BTC_TICKS - 57_500 });
    await market.price(BTC_TICKS - 57_500);
    for (;;) {
      const { o } = await client.next({ e: "ORDER_TRADE_UPDATE" });
      if ((o!["x"] as unknown) !== "CALCULATED") continue;
      assert.equal(o!["c"], `autoclose-${o!["i"]}`);
      assert.equal(o!["o"], "LIQUIDATION");
      break;
    }
    const forced = await watcher.next({ e: "forceOrder" });
    assert.deepEqual(Object.keys(forced["o"]!), ["s", "S", "o", "f", "q", "p", "ap", "X", "l", "z", "T"]);
    assert.deepEqual([forced["o"]!["s"], forced["o"]!["S"]], ["BTCUSDT", "SELL"]);
    await market.price(BTC_TICKS);
    client.ws.close();
  });

  it("subscribed to on a combined connection, the key is the stream's name", async () => {
    const { account, key } = await trader();
    const client = await exchange.connect("/private/stream?streams=");
    assert.deepEqual(await client.ask({ method: "SUBSCRIBE", params: [key], id: 1 }), { result: null, id: 1 });
    await market.deposit(account, 1);
    const wrapped = await client.next({ stream: key });
    assert.equal(wrapped["data"]!["e"], "ACCOUNT_UPDATE");
    client.ws.close();
  });

  it("nobody hears of another's account", async () => {
    const [mine, other] = [await trader(), await trader()];
    await market.deposit(other.account, 5);
    await market.deposit(mine.account, 7);
    const { a } = await mine.client.next();
    assert.equal(a!["B"]![0]!["bc"], "7.00");
    mine.client.ws.close();
    other.client.ws.close();
  });

  it("an unknown listenKey is refused and the connection ended", async () => {
    const client = await exchange.connect(`/ws/${"f".repeat(64)}`);
    assert.deepEqual(await client.next(), {
      error: { code: -1125, msg: "This listenKey does not exist.", streams: ["f".repeat(64)] },
    });
    assert.equal((await client.closed).code, 1008);
  });

  it("a key that is revoked or lapses says so, and nothing after it", async () => {
    const { account, key, client } = await trader();
    await listenKeys.revoke(walletOf(account));
    assert.deepEqual(await client.next(), { e: "listenKeyExpired", E: market.clock.now(), listenKey: key });
    await market.deposit(account, 5);
    assert.deepEqual((await client.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 }))["result"], []);
    assert.equal(client.received.length, 2);

    const second = await trader();
    market.clock.advance(LISTEN_KEY_LIFE_ms);
    const expired = await second.client.next();
    assert.deepEqual([expired["e"], expired["listenKey"]], ["listenKeyExpired", second.key]);
    client.ws.close();
    second.client.ws.close();
  });
});
