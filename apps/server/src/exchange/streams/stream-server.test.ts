import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import { forbidden } from "../../kernel/errors.ts";
import type { SocketDoor, StreamLimits } from "./stream-server.ts";
import { StreamsForTests } from "./testing.ts";
import { clientAddress } from "./upgrade-requests.ts";

async function withStreams(limits: Partial<StreamLimits>, run: (exchange: StreamsForTests) => Promise<void>) {
  const exchange = await new StreamsForTests().begin(limits);
  try {
    await run(exchange);
  } finally {
    await exchange.end();
  }
}

/** A protocol that answers with the text, and one last time when the server closes. */
function echoDoor(): SocketDoor {
  const farewells: (() => void)[] = [];
  return {
    protocol: "echo",
    maxPayload_bytes: 10_000,
    serves: (url) => url.startsWith("/echo"),
    open(socket, url) {
      farewells.push(() => socket.sendJson({ farewell: url }));
      return (text) => socket.sendJson({ text });
    },
    drain: async () => {
      for (const farewell of farewells) farewell();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the stream server", () => {
  it("what is too large, too much or no text ends the connection", async () => {
    await withStreams({}, async (exchange) => {
      const large = await exchange.connect("/ws");
      large.send(JSON.stringify({ method: "SUBSCRIBE", params: ["x".repeat(5_000)], id: 1 }));
      assert.equal((await large.closed).code, 1009);
      const binary = await exchange.connect("/ws");
      binary.ws.send(Buffer.from([1, 2, 3]));
      assert.equal((await binary.closed).code, 1003);
      const hasty = await exchange.connect("/ws");
      for (let i = 0; i < 60; i += 1) hasty.send({ method: "LIST_SUBSCRIPTIONS", id: i });
      assert.equal((await hasty.closed).code, 1008);
      const pinging = await exchange.connect("/ws");
      for (let i = 0; i < 60; i += 1) pinging.ws.ping();
      assert.equal((await pinging.closed).code, 1008);
    });
  });

  it("one address has so many connections and no more; room comes back", async () => {
    await withStreams({ connectionsPerAddress: 2 }, async (exchange) => {
      const first = await exchange.connect("/ws");
      await exchange.connect("/ws");
      await assert.rejects(exchange.connect("/ws"), /429/);
      first.ws.close();
      await first.closed;
      while (exchange.streamServer.connections > 1) await turn();
      await exchange.connect("/ws");
    });
  });

  it("one connection has so many streams and no more", async () => {
    await withStreams({ maxSubscriptions: 2 }, async (exchange) => {
      const client = await exchange.connect("/ws");
      const params = ["btcusdt@trade", "btcusdt@depth", "btcusdt@aggTrade"];
      assert.ok((await client.ask({ method: "SUBSCRIBE", params, id: 1 }))["error"]);
      const { result } = await client.ask({ method: "LIST_SUBSCRIPTIONS", id: 2 });
      assert.deepEqual(result, []);
      const own = await exchange.connect("/ws");
      for (const channel of ["trades", "ticker"]) {
        await own.askOwn({ type: "subscribe", channel, symbol: "BTCUSDT" }, { type: "snapshot" });
      }
      const request = { type: "subscribe", channel: "orderbook", symbol: "BTCUSDT" };
      assert.equal((await own.askOwn(request, { type: "error" }))["code"], "TOO_MANY_SUBSCRIPTIONS");
    });
  });

  it("FUT-19: a slow consumer is dropped with 1008, the others are not", async () => {
    await withStreams({}, async (exchange) => {
      const [slow, quick] = [await exchange.connect("/ws/btcusdt@trade"), await exchange.connect("/ws/btcusdt@trade")];
      slow.ws.pause();
      const topic = exchange.streams.hub.find("trade:0")!;
      let sent = 0;
      while (exchange.streamServer.traffic().dropped === 0 && sent < 10_000) {
        topic.publish(JSON.stringify({ n: sent, filling: "x".repeat(30_000) }));
        assert.equal((await quick.next())["n"], sent);
        sent += 1;
      }
      slow.ws.resume();
      assert.equal((await slow.closed).code, 1008);
      assert.ok(slow.received.length <= sent);
      await waitFor(() => exchange.streamServer.connections === 1, { what: "the slow one to be gone" });
      assert.equal(exchange.streamServer.traffic().dropped, 1, "and is still counted");
      topic.publish(JSON.stringify({ n: "last" }));
      assert.equal((await quick.next())["n"], "last");
    });
  });

  it("whoever does not answer a ping is gone by the next", async () => {
    await withStreams({ pingEvery_ms: 100 }, async (exchange) => {
      const [dead, alive] = [await exchange.connect("/ws"), await exchange.connect("/ws")];
      const pinged = new Promise((resolve) => alive.ws.once("ping", resolve));
      dead.ws.pause();
      await pinged;
      while (exchange.streamServer.connections === 2) await turn();
      await alive.askOwn({ type: "ping" }, { type: "pong" });
    });
  });

  it("closing says good-bye", async () => {
    const exchange = await new StreamsForTests().begin();
    const client = await exchange.connect("/ws");
    await exchange.end();
    assert.equal((await client.closed).code, 1001);
  });

  it("WSA-1: another protocol has its own frames and the limits of all sockets, and finishes before the end", async () => {
    const exchange = await new StreamsForTests().begin({ connectionsPerAddress: 2 }, echoDoor());
    const stream = await exchange.connect("/ws");
    const echo = await exchange.connect("/echo?a=1");
    const text = "x".repeat(5_000);
    echo.send(text);
    assert.equal((await echo.next())["text"] as unknown, text);
    // The messages of streams are counted, those of the other protocol are not.
    for (let i = 0; i < 60; i += 1) echo.send("again");
    for (let i = 0; i < 60; i += 1) await echo.next({ text: "again" });
    assert.deepEqual(exchange.streamServer.traffic().connections, { bots: 0, own: 1, echo: 1 });
    await assert.rejects(exchange.connect("/echo"), /429/);
    await assert.rejects(exchange.connect("/ech"), /404/);
    stream.ws.close();
    await stream.closed;
    while (exchange.streamServer.connections > 1) await turn();
    const large = await exchange.connect("/echo");
    large.send("x".repeat(10_001));
    assert.equal((await large.closed).code, 1009);
    while (exchange.streamServer.connections > 1) await turn();
    const binary = await exchange.connect("/echo");
    binary.ws.send(Buffer.from([1, 2, 3]));
    assert.equal((await binary.closed).code, 1003);
    await exchange.end();
    assert.equal((await echo.closed).code, 1001);
    assert.deepEqual(echo.received.at(-1) as unknown, { farewell: "/echo?a=1" });
  });

  it("SEC-10: the rules of HTTP hold: addresses, hosts, bans", async () => {
    const exchange = new StreamsForTests();
    exchange.guard = (_address, host) => {
      if (!host.startsWith("127.0.0.1")) throw forbidden("this development server answers only to local host names");
    };
    await exchange.begin();
    await assert.rejects(exchange.connect("/ws", { host: "evil.example" }), /403/);
    exchange.isBanned = () => true;
    await assert.rejects(exchange.connect("/ws"), /418/);
    exchange.isBanned = () => false;
    await exchange.connect("/ws");
    await exchange.end();
  });

  it("a forwarded address counts only behind a trusted proxy", () => {
    const request = (remoteAddress: string, forwarded?: string) =>
      ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as never;
    const trusted = { isEmpty: false, has: (address: string) => address.startsWith("10.") };
    assert.equal(clientAddress(request("::ffff:9.9.9.9", "1.1.1.1"), trusted), "9.9.9.9");
    assert.equal(clientAddress(request("10.0.0.1", "1.1.1.1"), trusted), "1.1.1.1");
    assert.equal(clientAddress(request("10.0.0.1", "6.6.6.6, 1.1.1.1, 10.0.0.2"), trusted), "1.1.1.1");
    assert.equal(clientAddress(request("10.0.0.1"), trusted), "10.0.0.1");
  });
});
