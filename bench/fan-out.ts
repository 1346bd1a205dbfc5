import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { Connection } from "../apps/server/src/exchange/streams/connection.ts";
import { STREAM_LIMITS } from "../apps/server/src/exchange/streams/stream-server.ts";
import { Hub, type Topic, type TopicSource } from "../apps/server/src/exchange/streams/topics.ts";
import { type Aim, atLeast, median, perSecond, type Row } from "./support/table.ts";

const SUBSCRIBERS = 1_000;
const MESSAGES_PER_ROUND = 20;
/** Events that are sent together: the result of a busy market's commands between two turns of the event loop. */
const BATCH = 20;
const ROUNDS = 21;
const WARM_UP_ROUNDS = 2;

const pushed: TopicSource = { period_ms: 0, poll: () => [] };

/** A depth update of the stream: ten levels per side. */
function depthEvent(id: number): object {
  const levels = (from: number, step: number) =>
    Array.from({ length: 10 }, (_, place) => [(from + place * step).toFixed(1), (0.001 * (id + place)).toFixed(3)]);
  const ids = { U: id, u: id, pu: id - 1 };
  return {
    e: "depthUpdate",
    E: 1e12 + id,
    T: 1e12 + id,
    s: "BTCUSDT",
    ...ids,
    b: levels(6e4, -0.1),
    a: levels(6e4, 0.1),
  };
}

interface Client {
  readonly ws: WebSocket;
  readonly socket: Duplex;
}

/** Readers that only count bytes, so that the sender is what is measured. */
class Readers {
  readonly #sockets: Socket[] = [];
  received = 0;

  async open(port: number): Promise<void> {
    const opened = Array.from({ length: SUBSCRIBERS }, () => this.#connect(port));
    await Promise.all(opened);
    this.received = 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async until(bytes: number): Promise<void> {
    while (this.received < bytes) await new Promise((resolve) => setImmediate(resolve));
  }

  #connect(port: number): Promise<void> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#sockets.push(socket);
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", () => resolve());
      socket.on("data", (chunk) => {
        this.received += chunk.length;
      });
      socket.write(
        `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
          "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
      );
    });
  }
}

async function listen(clients: Client[]): Promise<Server> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
  server.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) => clients.push({ ws, socket }));
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog: SUBSCRIBERS }, resolve));
  return server;
}

/*
 * Measures the time that the server's thread spends on sending. Sockets accept a whole round, so all of it is included;
 * the readers share the thread and read afterwards, which is not included.
 */

/** The simple way: every message is serialised and framed for every subscriber. */
function sendOneByOne(clients: readonly Client[], events: readonly object[]): number {
  const started_ms = performance.now();
  for (const event of events) for (const { ws } of clients) ws.send(JSON.stringify(event));
  return performance.now() - started_ms;
}

/** Serialised once and shared; `batch` messages are sent in one write. */
function sendShared(hub: Hub, topic: Topic, events: readonly object[], batch: number): number {
  const started_ms = performance.now();
  for (const [place, event] of events.entries()) {
    topic.publish(JSON.stringify(event));
    if ((place + 1) % batch === 0) hub.flush();
  }
  hub.flush();
  return performance.now() - started_ms;
}

/** A stream to a thousand subscribers, against separate sends of the same events. */
export async function benchFanOut(): Promise<Row[]> {
  const clients: Client[] = [];
  const server = await listen(clients);
  const readers = new Readers();
  await readers.open((server.address() as AddressInfo).port);
  while (clients.length < SUBSCRIBERS) await new Promise((resolve) => setImmediate(resolve));
  const hub = new Hub();
  const limits = { ...STREAM_LIMITS, maxBuffered_bytes: Number.MAX_SAFE_INTEGER };
  const client = { address: "127.0.0.1", isWrapped: false };
  for (const { ws, socket } of clients) {
    hub.follow("depth", () => pushed, new Connection(ws, socket, hub, limits, client));
  }
  const topic = hub.find("depth")!;
  const events = Array.from({ length: MESSAGES_PER_ROUND }, (_, place) => depthEvent(place + 1));
  const frame_bytes = events.reduce((sum, event) => sum + JSON.stringify(event).length + 4, 0);
  const ways = {
    plain: () => sendOneByOne(clients, events),
    shared: () => sendShared(hub, topic, events, 1),
    batched: () => sendShared(hub, topic, events, BATCH),
  };
  const rates: Record<keyof typeof ways, number[]> = { plain: [], shared: [], batched: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [way, send] of Object.entries(ways)) {
      const before = readers.received;
      const sending_ms = send();
      await readers.until(before + frame_bytes * SUBSCRIBERS);
      if (round >= 0) rates[way as keyof typeof ways].push((MESSAGES_PER_ROUND * SUBSCRIBERS * 1000) / sending_ms);
    }
  }
  readers.close();
  for (const { ws } of clients) ws.terminate();
  await new Promise((resolve) => server.close(resolve));
  const row = (name: string, way: "shared" | "batched", aim: Aim): Row => ({
    name: `${name}, ${SUBSCRIBERS.toLocaleString("en-US")} subscribers`,
    figure: `${perSecond(median(rates[way]))} messages sent`,
    baseline: `${perSecond(median(rates.plain))} plain ws sends, each serialized`,
    ratio: median(rates[way].map((rate, round) => rate / rates.plain[round]!)),
    aim,
  });
  return [
    row("fan-out, one message a write", "shared", atLeast(2)),
    row(`fan-out, ${BATCH} messages a turn`, "batched", atLeast(8)),
  ];
}
