import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { unauthorized } from "../../kernel/errors.ts";
import { seededRandom } from "../../kernel/random.ts";
import { MarketData } from "../market-data/market-data.ts";
import { ExchangeForTests } from "../market-data/testing.ts";
import type { EventRow } from "./event-batch.ts";
import type { EventCursor, EventStore, StoredEvents } from "./event-store.ts";
import { type KeptListenKey, type ListenKeyStore, ListenKeys } from "./listen-keys.ts";
import { attachStreams, type SocketDoor, type StreamLimits, type StreamServer } from "./stream-server.ts";
import type { Streams } from "./streams.ts";

export const walletOf = (account: number) => `0x${account.toString(16).padStart(40, "0")}`;

/** In memory only. */
export function memoryKeyStore(): ListenKeyStore {
  const rows = new Map<string, KeptListenKey>();
  return {
    load: async () => [...rows.values()],
    find: async (address) => rows.get(address),
    async put(key) {
      rows.set(key.address, key);
      return key;
    },
    remove: async ({ address }) => void rows.delete(address),
  };
}

/** In memory only. A test can make writes fail before or after they take effect. */
export class MemoryEventStore implements EventStore {
  rows: EventRow[] = [];
  cursor: EventCursor | undefined;
  readonly #floors = new Map<number, number>();
  failure: "none" | "before" | "after" = "none";

  async load(first: EventCursor): Promise<EventCursor> {
    this.cursor ??= first;
    return this.cursor;
  }

  async write(rows: readonly EventRow[], from: number, cursor: EventCursor): Promise<void> {
    if (this.failure === "before") throw new Error("the store does not answer");
    if (this.cursor?.command_number !== from) throw new Error(`the cursor is not at ${from}`);
    this.rows.push(...rows);
    this.cursor = cursor;
    if (this.failure === "after") throw new Error("the store's answer got lost");
  }

  async read(account: number, after_seq: number, maxRows: number): Promise<StoredEvents> {
    const own = this.rows.filter((row) => row.account === account && row.last_seq > after_seq);
    own.sort((a, b) => a.last_seq - b.last_seq);
    return { rows: own.slice(0, maxRows), floor_seq: this.#floors.get(account) ?? 0 };
  }

  async lastSeq(account: number): Promise<number> {
    return Math.max(0, ...this.rows.filter((row) => row.account === account).map((row) => row.last_seq));
  }

  async prune(until_ms: number): Promise<number> {
    const gone = this.rows.filter((row) => row.last_ms <= until_ms);
    this.rows = this.rows.filter((row) => row.last_ms > until_ms);
    for (const { account, last_seq } of gone) {
      this.#floors.set(account, Math.max(last_seq, this.#floors.get(account) ?? 0));
    }
    return gone.length;
  }
}

/** A received message, whose fields a test compares. */
export interface Message {
  readonly [name: string]: Message;
}

/** Whether a message has these fields. */
const fits = (message: Message, fields: object) =>
  Object.entries(fields).every(([name, value]) => (message[name] as unknown) === value);

/** A client that records received messages and can wait for the next one. */
export class TestClient {
  readonly ws: WebSocket;
  readonly received: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  #read = 0;
  #wake: (() => void) | undefined;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.ws = new WebSocket(url, { headers });
    this.ws.on("message", (data) => {
      this.received.push(JSON.parse(String(data)) as Message);
      this.#wake?.();
    });
    this.closed = new Promise((resolve) =>
      this.ws.on("close", (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake?.();
      }),
    );
  }

  async opened(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.ws.once("open", resolve);
      this.ws.once("error", reject);
    });
    return this;
  }

  send(message: unknown): void {
    this.ws.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The next message with these fields; messages before it are skipped. */
  async next(fields: object = {}): Promise<Message> {
    for (;;) {
      while (this.#read < this.received.length) {
        const message = this.received[this.#read]!;
        this.#read += 1;
        if (fits(message, fields)) return message;
      }
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error("the connection was closed before it came");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Sends a request of the bots' protocol and waits for its reply. */
  ask(request: { readonly id: number | string | null; readonly [name: string]: unknown }): Promise<Message> {
    this.send(request);
    return this.next({ id: request.id });
  }

  /** Does the same in the platform's own protocol. */
  askOwn(request: object, fields: object): Promise<Message> {
    this.send(request);
    return this.next(fields);
  }
}

/** An exchange in memory behind a real WebSocket server on a free port. */
export class StreamsForTests {
  readonly market = new ExchangeForTests();
  readonly errors: unknown[] = [];
  readonly listenKeys: ListenKeys;
  readonly #http: Server = createServer();
  readonly #clients: TestClient[] = [];
  /** Tokens `token-<account>` that are no longer valid. */
  readonly signedOut = new Set<string>();
  /** Accounts whose wallets this process has not read yet. */
  readonly unknownWallets = new Set<number>();
  readonly #onKnown: ((account: number, address: string) => void)[] = [];
  guard: (address: string, host: string, url: string) => void = () => undefined;
  isBanned: (address: string) => boolean = () => false;
  streams!: Streams;
  streamServer!: StreamServer;
  marketData!: MarketData;

  constructor() {
    const random = seededRandom("streams");
    this.listenKeys = new ListenKeys({ store: memoryKeyStore(), clock: this.market.clock, random, secret: "secret" });
  }

  async begin(limits: Partial<StreamLimits> = {}, door?: SocketDoor): Promise<this> {
    await this.market.begin();
    const { exchange, clock } = this.market;
    this.marketData = new MarketData({ exchange, clock });
    const { streams, server } = attachStreams(this.#http, {
      exchange,
      clock,
      marketData: this.marketData,
      listenKeys: this.listenKeys,
      eventStore: new MemoryEventStore(),
      rebuildEvents: () => {
        throw new Error("nothing was lost here");
      },
      directory: {
        addressOf: (account) => (this.unknownWallets.has(account) ? undefined : walletOf(account)),
        onKnown: (listener) => this.#onKnown.push(listener),
        numberOf: (address) => {
          const account = Number.parseInt(address.slice(2), 16);
          if (this.unknownWallets.has(account)) return undefined;
          return account <= this.market.engine.state.accounts.count ? account : undefined;
        },
      },
      verifyToken: async (token) => {
        const account = Number(/^token-(\d+)$/.exec(token)?.[1] ?? 0);
        if (account === 0 || this.signedOut.has(token)) throw unauthorized("the access token is invalid or expired");
        return { address: walletOf(account), isValid: () => !this.signedOut.has(token) };
      },
      onError: (error) => this.errors.push(error),
      guard: (...request) => this.guard(...request),
      isBanned: (address) => this.isBanned(address),
      origins: ["https://bourse.example"],
      trustProxy: { isEmpty: true, has: () => false },
      limits,
      ...(door === undefined ? {} : { door }),
    });
    this.streams = streams;
    this.streamServer = server;
    await new Promise<void>((resolve) => this.#http.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Makes the wallet of the account known. */
  learnWallet(account: number): void {
    this.unknownWallets.delete(account);
    for (const listener of this.#onKnown) listener(account, walletOf(account));
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  async connect(path: string, headers?: Record<string, string>): Promise<TestClient> {
    const client = new TestClient(`ws://127.0.0.1:${this.port}${path}`, headers);
    this.#clients.push(client);
    return await client.opened();
  }

  async end(): Promise<void> {
    await this.streamServer.close();
    for (const { ws } of this.#clients) ws.terminate();
    await new Promise((resolve) => this.#http.close(resolve));
    await this.market.exchange.close();
    if (this.errors.length > 0) throw this.errors[0];
  }
}
