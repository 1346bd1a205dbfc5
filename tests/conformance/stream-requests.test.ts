import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { WebSocket } from "ws";
import { waitFor } from "../support/waiting.ts";
import type { Bot } from "./clients/bot.ts";
import { connectorBots } from "./clients/connector.ts";
import { type ConformanceExchange, startExchange } from "./exchange.ts";

type Message = Readonly<Record<string, unknown>>;

/** What the published clients send and read on a socket, written by hand where none of them has a method. */
describe("requests on a stream", () => {
  let exchange: ConformanceExchange;
  let maker: Bot;
  let taker: Bot;
  const sockets: WebSocket[] = [];

  before(async () => {
    exchange = await startExchange();
    [maker, taker] = await Promise.all([
      connectorBots.connect(exchange.baseUrl, exchange.maker),
      connectorBots.connect(exchange.baseUrl, exchange.taker),
    ]);
  });
  after(() => {
    for (const socket of sockets) socket.terminate();
  });

  async function open(path: string) {
    const socket = new WebSocket(`${exchange.baseUrl.replace("http", "ws")}${path}`);
    sockets.push(socket);
    const messages: Message[] = [];
    socket.on("message", (data) => messages.push(JSON.parse(String(data)) as Message));
    await once(socket, "open");
    const ask = async (request: Message): Promise<Message> => {
      socket.send(JSON.stringify(request));
      return waitFor(() => messages.find(({ id }) => id === request["id"]), { what: "the answer" });
    };
    return { messages, ask };
  }

  async function trade(price: number): Promise<void> {
    await maker.limit({ side: "BUY", quantity: 0.001, price });
    await taker.market("SELL", 0.001);
  }

  it("subscribes, lists and unsubscribes, and echoes ids of either kind", async () => {
    const { messages, ask } = await open("/ws/7");
    const id = "0123456789abcdef0123456789abcdef";
    assert.deepEqual(await ask({ method: "SUBSCRIBE", params: ["btcusdt@aggTrade", "btcusdt@bookTicker"], id: 1 }), {
      result: null,
      id: 1,
    });
    assert.deepEqual(await ask({ method: "LIST_SUBSCRIPTIONS", id }), {
      result: ["btcusdt@aggTrade", "btcusdt@bookTicker"],
      id,
    });
    await trade(59_990);
    const seen = await waitFor(() => messages.find(({ e }) => e === "aggTrade"), { what: "the trade" });
    assert.deepEqual([seen["p"], seen["q"], seen["m"]], ["59990.0", "0.001", true]);
    assert.deepEqual(await ask({ method: "UNSUBSCRIBE", params: ["btcusdt@aggTrade"], id: 2 }), {
      result: null,
      id: 2,
    });
    assert.deepEqual((await ask({ method: "LIST_SUBSCRIPTIONS", id: 3 }))["result"], ["btcusdt@bookTicker"]);
    await trade(59_980);
    await waitFor(() => messages.find(({ e, b }) => e === "bookTicker" && b === "59980.0"), { what: "the book" });
    // Messages sent before the book's change have arrived before it.
    assert.equal(messages.filter(({ e }) => e === "aggTrade").length, 1);
  });

  it("serves the streams that it knows, and names the others", async () => {
    const { ask } = await open("/market/stream");
    const refused = await ask({ method: "SUBSCRIBE", params: ["btcusdt@aggTrade", "nopeusdt@aggTrade"], id: 1 });
    const { code, streams } = refused["error"] as { code: number; streams: string[] };
    assert.deepEqual([code, streams], [2, ["nopeusdt@aggTrade"]]);
    assert.deepEqual((await ask({ method: "LIST_SUBSCRIPTIONS", id: 2 }))["result"], ["btcusdt@aggTrade"]);
    assert.equal(((await ask({ method: "ORDER", id: 3 }))["error"] as { code: number }).code, 2);
  });

  it("wraps the events of combined streams in their names, and no others", async () => {
    const combined = await open("/stream?streams=btcusdt@aggTrade/btcusdt@trade");
    const raw = await open("/market/ws/btcusdt@aggTrade");
    await trade(59_970);
    const wrapped = await waitFor(
      () => {
        const names = ["btcusdt@aggTrade", "btcusdt@trade"];
        const found = names.flatMap((name) => combined.messages.filter(({ stream }) => stream === name).slice(0, 1));
        return found.length === names.length ? found : undefined;
      },
      { what: "both events" },
    );
    assert.deepEqual(
      wrapped.map(({ data }) => {
        const { e, p, q } = data as Message;
        return [e, p, q];
      }),
      [
        ["aggTrade", "59970.0", "0.001"],
        ["trade", "59970.0", "0.001"],
      ],
    );
    const plain = await waitFor(() => raw.messages.find(({ e }) => e === "aggTrade"), { what: "the plain event" });
    assert.deepEqual([plain["p"], "stream" in plain], ["59970.0", false]);
  });

  it("sends all markets in one list where a name asks for all", async () => {
    const all = await open("/stream?streams=!markPrice@arr@1s/!miniTicker@arr/!ticker@arr");
    await trade(59_960);
    const lists = await waitFor(
      () => {
        const of = (name: string) => all.messages.find(({ stream }) => stream === name)?.["data"];
        const found = [of("!markPrice@arr@1s"), of("!miniTicker@arr"), of("!ticker@arr")];
        return found.every((list) => Array.isArray(list)) ? (found as Message[][]) : undefined;
      },
      { what: "the lists" },
    );
    const [marks = [], minis = [], tickers = []] = lists;
    assert.deepEqual(marks.map(({ s }) => s).sort(), ["AVAXUSDT", "BTCUSDT", "ETHUSDT", "SOLUSDT"]);
    for (const list of [minis, tickers]) {
      assert.equal(list.find(({ s }) => s === "BTCUSDT")?.["c"], "59960.0");
    }
  });
});
