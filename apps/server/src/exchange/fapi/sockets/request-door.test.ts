import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { parseAddressSet } from "../../../kernel/address-set.ts";
import { createDoorBench, type DoorBench, type FakeSocket, type SocketReply, type TestKey } from "./testing.ts";

const ORDER = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: 0.1,
  price: "59000",
} as const;

function refused(reply: SocketReply, code: number, status = 400): SocketReply["error"] {
  assert.deepEqual([reply.status, reply.error?.code, reply.result], [status, code, undefined], JSON.stringify(reply));
  return reply.error;
}

function done(reply: SocketReply): Record<string, unknown> {
  assert.equal(reply.status, 200, JSON.stringify(reply));
  assert.ok(reply.result !== undefined);
  return reply.result;
}

async function open(options?: Parameters<typeof createDoorBench>[0]): Promise<DoorBench> {
  const bench = await createDoorBench(options);
  await bench.price("BTCUSDT", 60_000);
  await bench.trader("a11ce", 100_000);
  return bench;
}

describe("requests over a socket", () => {
  let bench: DoorBench;
  let socket: FakeSocket;
  let key: TestKey;
  beforeEach(async () => {
    bench = await open();
    socket = bench.connect();
    key = bench.hmacKey("0xa11ce");
  });
  afterEach(async () => {
    await bench.close();
    assert.deepEqual(bench.socketErrors, []);
  });

  it("WSA-1: an order is placed, read, modified and cancelled with the replies of /fapi", async () => {
    const placed = done(await socket.ask("order.place", key.signed({ ...ORDER, newClientOrderId: "mine" })));
    assert.deepEqual([placed["status"], placed["clientOrderId"], placed["origQty"]], ["NEW", "mine", "0.100"]);
    const { orderId } = placed as { orderId: number };
    const named = { symbol: "BTCUSDT", orderId };
    const overHttp = await bench.call("GET", "/fapi/v1/order", named, "0xa11ce");
    assert.deepEqual(done(await socket.ask("order.status", key.signed(named))), overHttp.json());
    const change = { ...named, side: "BUY", quantity: "0.2", price: "58000" };
    assert.equal(done(await socket.ask("order.modify", key.signed(change)))["price"], "58000.0");
    assert.equal(done(await socket.ask("order.cancel", key.signed(named)))["status"], "CANCELED");
    refused(await socket.ask("order.cancel", key.signed(named)), -2011);
  });

  it("WSA-1: conditional orders are placed and cancelled", async () => {
    const asked = { algoType: "CONDITIONAL", symbol: "BTCUSDT", side: "SELL", type: "STOP_MARKET", quantity: "0.1" };
    const placed = done(await socket.ask("algoOrder.place", key.signed({ ...asked, triggerPrice: "50000" })));
    assert.equal(placed["algoStatus"], "NEW");
    const cancelled = await socket.ask("algoOrder.cancel", key.signed({ algoId: placed["algoId"] as number }));
    assert.equal(done(cancelled)["algoId"], placed["algoId"]);
  });

  it("WSA-1: reads answer what their routes answer", async () => {
    const rows: readonly (readonly [string, string, Record<string, string>])[] = [
      ["account.position", "/fapi/v2/positionRisk", { symbol: "BTCUSDT" }],
      ["v2/account.position", "/fapi/v3/positionRisk", { symbol: "BTCUSDT" }],
      ["account.balance", "/fapi/v2/balance", {}],
      ["v2/account.balance", "/fapi/v3/balance", {}],
      ["account.status", "/fapi/v2/account", {}],
      ["v2/account.status", "/fapi/v3/account", {}],
      ["depth", "/fapi/v1/depth", { symbol: "BTCUSDT", limit: "5" }],
      ["ticker.price", "/fapi/v2/ticker/price", {}],
      ["ticker.book", "/fapi/v1/ticker/bookTicker", { symbol: "BTCUSDT" }],
      ["ping", "/fapi/v1/ping", {}],
      ["time", "/fapi/v1/time", {}],
    ];
    for (const [method, path, params] of rows) {
      const overHttp = await bench.call("GET", path, params, "0xa11ce");
      assert.deepEqual(done(await socket.ask(method, key.signed(params))), overHttp.json(), method);
    }
  });

  it("WSA-1: the user data stream is started, extended and stopped by the key alone", async () => {
    const { apiKey } = key;
    const { listenKey } = done(await socket.ask("userDataStream.start", { apiKey }));
    assert.deepEqual(done(await socket.ask("userDataStream.ping", { apiKey })), { listenKey });
    assert.deepEqual(done(await socket.ask("userDataStream.stop", { apiKey })), {});
    refused(await socket.ask("userDataStream.ping", { apiKey }), -1125);
    refused(await socket.ask("userDataStream.start"), -2014, 401);
  });

  it("WSA-1: what is no request gets a clear refusal and does nothing", async () => {
    const before = bench.hash();
    refused(await socket.send("{", null), -1135);
    refused(await socket.send('{"method":"ping"}', null), -1102);
    refused(await socket.send('{"id":7}', 7), -1102);
    refused(await socket.ask("order.explode", key.signed({ ...ORDER })), -1020, 404);
    refused(await socket.ask("session", {}), -1020, 404);
    refused(await socket.ask("order.place", key.signed({ ...ORDER, price: "0.001" })), -1111);
    refused(await socket.ask("order.place", key.signed({ ...ORDER, symbol: "NONE" })), -1121);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, index]));
    refused(await socket.ask("order.place", key.signed({ ...ORDER, ...many })), -1101);
    assert.equal(bench.hash(), before);
  });

  it("WSA-1: signatures cover the parameters sorted by name, as they are or encoded", async () => {
    const params = { symbol: "BTCUSDT", origClientOrderId: "a:b/c" };
    refused(await socket.ask("order.status", key.signed(params, true)), -2013);
    refused(await socket.ask("order.status", key.signed(params, false)), -2013);
    const { signature, ...unsigned } = key.signed({ ...ORDER });
    refused(await socket.ask("order.place", unsigned), -1102);
    refused(await socket.ask("order.place", { ...unsigned, signature: "00" }), -1022);
    refused(await socket.ask("order.place", { ...unsigned, signature: signature!, price: "58000" }), -1022);
    // A raw text may not turn a part of a value into another parameter.
    const joined = key.signed({ symbol: "BTCUSDT", orderId: 1 }, false);
    const { orderId: _orderId, symbol: _symbol, ...rest } = joined;
    refused(await socket.ask("order.status", { ...rest, orderId: "1&symbol=BTCUSDT" }), -1022);
  });

  it("WSA-1: key, address, permission and time are judged as on /fapi", async () => {
    const parsed = parseAddressSet(["198.51.100.0/24"]);
    assert.ok("set" in parsed);
    const elsewhere = bench.hmacKey("0xa11ce", { ipWhitelist: parsed.set });
    assert.deepEqual(refused(await socket.ask("order.place", elsewhere.signed({ ...ORDER })), -2015, 401)?.details, {
      rule: "ip_whitelist",
    });
    const there = bench.connect("/ws-fapi/v1", "198.51.100.9");
    done(await there.ask("order.place", elsewhere.signed({ ...ORDER })));
    const reader = bench.hmacKey("0xa11ce", { permissions: new Set(["READ"]) });
    refused(await socket.ask("order.place", reader.signed({ ...ORDER })), -2015, 401);
    done(await socket.ask("account.balance", reader.signed({})));
    const late = key.signed({ ...ORDER, timestamp: bench.clock.now() - 5_001 });
    refused(await socket.ask("order.place", late), -1021);
    refused(await socket.ask("order.place", key.signed({ ...ORDER, recvWindow: 60_001 })), -1130);
    refused(await socket.ask("order.place", { ...ORDER }), -2014, 401);
  });

  it("WSA-2: a session needs an Ed25519 key; then requests need neither key nor signature", async () => {
    assert.deepEqual(refused(await socket.ask("session.logon", key.signed({})), -2015, 401)?.details, {
      rule: "ed25519",
    });
    const own = bench.ed25519Key("0xa11ce");
    const { timestamp: _timestamp, ...untimed } = own.signed({});
    refused(await socket.ask("session.logon", untimed), -1102);
    const { apiKey, authorizedSince } = done(await socket.ask("session.logon", own.signed({})));
    assert.deepEqual([apiKey, authorizedSince], [own.apiKey, bench.clock.now()]);
    const timestamp = bench.clock.now();
    assert.equal(done(await socket.ask("order.place", { ...ORDER, timestamp }))["status"], "NEW");
    refused(await socket.ask("order.place", { ...ORDER }), -1102);
    refused(await socket.ask("order.place", { ...ORDER, timestamp: timestamp - 5_001 }), -1021);
    refused(await socket.ask("order.place", { ...ORDER, timestamp, signature: "AAAA" }), -1022);
    assert.equal(done(await socket.ask("session.status"))["apiKey"], own.apiKey);
    assert.equal(done(await socket.ask("session.logout"))["apiKey"], null);
    refused(await socket.ask("order.place", { ...ORDER, timestamp }), -2014, 401);
    refused(await bench.connect().ask("order.place", { ...ORDER, timestamp }), -2014, 401);
  });

  it("WSA-2: single requests may be signed with an Ed25519 key as well", async () => {
    const own = bench.ed25519Key("0xa11ce");
    assert.equal(done(await socket.ask("order.place", own.signed({ ...ORDER })))["status"], "NEW");
    const params = own.signed({ ...ORDER });
    refused(await socket.ask("order.place", { ...params, price: "1" }), -1022);
  });

  it("WSA-2: a session keeps the terms of its key and ends with it", async () => {
    const reader = bench.ed25519Key("0xa11ce", { permissions: new Set(["READ"]) });
    done(await socket.ask("session.logon", reader.signed({})));
    refused(await socket.ask("order.place", { ...ORDER, timestamp: bench.clock.now() }), -2015, 401);
    done(await socket.ask("account.balance", { timestamp: bench.clock.now() }));
    bench.revoke(reader.apiKey);
    refused(await socket.ask("account.balance", { timestamp: bench.clock.now() }), -2015, 401);
    assert.equal(done(await socket.ask("session.status"))["apiKey"], null);

    const expiring = bench.ed25519Key("0xa11ce", { expiresAt_ms: bench.clock.now() + 1_000 });
    done(await socket.ask("session.logon", expiring.signed({})));
    bench.clock.advance(1_000);
    refused(await socket.ask("account.balance", { timestamp: bench.clock.now() }), -2015, 401);
    assert.equal(done(await socket.ask("session.status"))["apiKey"], null);
  });

  it("WSA-1: many requests are in flight at once; too many are no longer read", async () => {
    const replies = Array.from({ length: 150 }, (_, index) =>
      socket.ask("order.place", key.signed({ ...ORDER, newClientOrderId: `n${index}`, quantity: "0.001" })),
    );
    assert.equal(socket.isReading, false);
    const placed = (await Promise.all(replies)).map(done);
    assert.equal(new Set(placed.map(({ orderId }) => orderId)).size, 150);
    assert.equal(socket.isReading, true);
  });

  it("WSA-1: the limits are in the reply unless the connection or the request says otherwise", async () => {
    const { rateLimits } = await socket.ask("order.place", key.signed({ ...ORDER }));
    assert.deepEqual(
      rateLimits?.map(({ rateLimitType, interval, count }) => [rateLimitType, interval, count]),
      [
        ["REQUEST_WEIGHT", "MINUTE", 1],
        ["ORDERS", "SECOND", 1],
        ["ORDERS", "MINUTE", 1],
      ],
    );
    assert.equal((await socket.ask("ping", { returnRateLimits: false })).rateLimits, undefined);
    const quiet = bench.connect("/ws-fapi/v1?returnRateLimits=false");
    assert.equal((await quiet.ask("ping")).rateLimits, undefined);
    assert.equal((await quiet.ask("ping", { returnRateLimits: true })).rateLimits?.length, 1);
  });

  it("WSA-1: while the server closes, what was received is answered and the rest refused without being counted", async () => {
    const pending = socket.ask("order.place", key.signed({ ...ORDER }));
    const drained = bench.door.drain();
    const late = await socket.ask("order.place", key.signed({ ...ORDER }));
    refused(late, -1016, 503);
    assert.equal(done(await pending)["status"], "NEW");
    await drained;
    assert.equal((await bench.limits.weight.peek(socket.address)).used, 1);
  });
});

describe("the budgets of requests over a socket", () => {
  it("WSA-1: weight is that of /fapi, with its reserve and its ban, which closes the connection", async () => {
    const bench = await open({ environment: { RATE_LIMIT_WEIGHT_1M: "10" } });
    const [socket, key] = [bench.connect(), bench.hmacKey("0xa11ce")];
    try {
      const { orderId } = done(await socket.ask("order.place", key.signed({ ...ORDER }))) as { orderId: number };
      for (let index = 0; index < 9; index += 1) done(await socket.ask("ping"));
      refused(await socket.ask("ping"), -1003, 429);
      refused(await socket.send("no request", null), -1003, 429);
      done(await socket.ask("order.cancel", key.signed({ symbol: "BTCUSDT", orderId })));
      for (let index = 0; index < 8; index += 1) refused(await socket.ask("ping"), -1003, 429);
      refused(await socket.ask("ping"), -1003, 418);
      assert.equal(socket.closedWith, 1008);
      const overHttp = await bench.app.inject({
        url: "/fapi/v1/ping",
        headers: { host: "127.0.0.1:8080" },
        remoteAddress: socket.address,
      });
      assert.equal(overHttp.statusCode, 418);
    } finally {
      await bench.close();
    }
  });

  it("WSA-1: orders count for the account, whichever way they come", async () => {
    const bench = await open({ environment: { RATE_LIMIT_ORDERS_10S: "2" } });
    const [socket, key] = [bench.connect(), bench.hmacKey("0xa11ce")];
    try {
      await bench.call("POST", "/fapi/v1/order", { ...ORDER }, "0xa11ce");
      done(await socket.ask("order.place", key.signed({ ...ORDER })));
      refused(await socket.ask("order.place", key.signed({ ...ORDER })), -1015, 429);
      const overHttp = await bench.call("POST", "/fapi/v1/order", { ...ORDER }, "0xa11ce");
      assert.equal(overHttp.statusCode, 429);
    } finally {
      await bench.close();
    }
  });

  it("WSA-1: a process that is out of touch says so", async () => {
    const bench = await open({ beforeHandling: () => Promise.reject(new Error("out of touch")) });
    const [socket, key] = [bench.connect(), bench.hmacKey("0xa11ce")];
    try {
      refused(await socket.ask("order.place", key.signed({ ...ORDER })), -1016, 503);
    } finally {
      await bench.close();
    }
  });
});
