import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { type RawData, type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { AddressSet } from "../../kernel/address-set.ts";
import { ApiError, forbidden, notFound } from "../../kernel/errors.ts";
import { ClientSocket, POLICY_VIOLATION } from "./client-socket.ts";
import { Connection, type ConnectionLimits } from "./connection.ts";
import { Streams, type StreamsOptions } from "./streams.ts";
import {
  clientAddress,
  isAllowedOrigin,
  parseStreamPath,
  refuseUpgrade,
  type StreamRequest,
} from "./upgrade-requests.ts";
import { userTopicKey } from "./user-data-stream.ts";

export interface StreamLimits extends ConnectionLimits {
  readonly connectionsPerAddress: number;
  readonly connections: number;
  readonly maxPayload_bytes: number;
  readonly pingEvery_ms: number;
}

export const STREAM_LIMITS: StreamLimits = {
  maxBuffered_bytes: 1_048_576,
  maxSubscriptions: 1_024,
  messagesPerSecond: 10,
  connectionsPerAddress: 300,
  connections: 20_000,
  maxPayload_bytes: 4_096,
  pingEvery_ms: 180_000,
};

/** What another protocol does with a socket. */
export type DoorSocket = Pick<ClientSocket, "address" | "sendJson" | "setReading" | "close">;

/** Another protocol on the sockets of this server. */
export interface SocketDoor {
  /** Its name in metrics. */
  readonly protocol: string;
  readonly maxPayload_bytes: number;
  /** Whether a request for a socket is this protocol's. */
  serves(url: string): boolean;
  /** Takes over an open socket; returns what receives its messages. */
  open(socket: DoorSocket, url: string): (text: string) => void;
  /** Answers what has been received and refuses what comes later. Called before the sockets are closed. */
  drain(): Promise<void>;
}

export interface StreamServerOptions {
  /** The checks of HTTP requests (SEC-10, RUN-4): throws an `ApiError` for IPs, hosts and paths that are not served. */
  readonly guard: (address: string, host: string, url: string) => void;
  readonly isBanned: (address: string) => boolean;
  /** Origins of pages that may connect, besides those of this host. */
  readonly origins: readonly string[];
  readonly trustProxy: AddressSet;
  readonly limits?: Partial<StreamLimits>;
  /** A protocol besides the streams. */
  readonly door?: SocketDoor;
}

/** For metrics. Sent and dropped are counted from the start. */
export interface StreamTraffic {
  readonly connections: Readonly<Record<string, number>>;
  readonly frames: number;
  readonly bytes: number;
  /** Closed because they read too slowly. */
  readonly dropped: number;
}

/** Every period of a stream is a multiple of this. */
const PULSE_ms = 50;
const HOUSEKEEPING_ms = 1_000;
const CLOSING_ms = 2_000;
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const INTERNAL_ERROR = 1011;

/** The WebSocket side of an HTTP server: both protocols of FUT-19 on its upgrade event. */
export class StreamServer {
  readonly #streams: Streams;
  readonly #options: StreamServerOptions;
  readonly #limits: StreamLimits;
  readonly #sockets: WebSocketServer;
  readonly #doorSockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  /** Those of the other protocol. */
  readonly #guests = new Set<ClientSocket>();
  readonly #perAddress = new Map<string, number>();
  readonly #pulse: NodeJS.Timeout;
  #server: Server | undefined;
  #elapsed_ms = 0;
  /** Counts of closed connections. */
  readonly #past = { frames: 0, bytes: 0, dropped: 0 };

  constructor(streams: Streams, options: StreamServerOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#limits = { ...STREAM_LIMITS, ...options.limits };
    this.#sockets = webSocketServer(this.#limits.maxPayload_bytes);
    this.#doorSockets = webSocketServer(options.door?.maxPayload_bytes ?? this.#limits.maxPayload_bytes);
    streams.listenKeys.onEnded((key, address) => this.#onKeyEnded(key, address));
    this.#pulse = setInterval(() => this.#beat(), PULSE_ms);
    this.#pulse.unref();
  }

  get connections(): number {
    return this.#connections.size + this.#guests.size;
  }

  traffic(): StreamTraffic {
    let { frames, bytes, dropped } = this.#past;
    let own = 0;
    for (const connection of this.#connections) if (connection.isOwn) own += 1;
    for (const socket of this.#all()) {
      frames += socket.sent_frames;
      bytes += socket.sent_bytes;
      if (socket.isTooSlow) dropped += 1;
    }
    const { door } = this.#options;
    const guests = door === undefined ? {} : { [door.protocol]: this.#guests.size };
    return { connections: { bots: this.#connections.size - own, own, ...guests }, frames, bytes, dropped };
  }

  attach(server: Server): void {
    this.#server = server;
    server.on("upgrade", this.#onUpgrade);
  }

  /** Closes all connections. Called before the HTTP server closes, which waits for its sockets. */
  async close(): Promise<void> {
    clearInterval(this.#pulse);
    this.#server?.off("upgrade", this.#onUpgrade);
    await this.#options.door?.drain();
    this.#streams.close();
    for (const socket of this.#all()) socket.close(GOING_AWAY, "the server is closing");
    const until_ms = performance.now() + CLOSING_ms;
    while (this.connections > 0 && performance.now() < until_ms) await pause(10);
    for (const socket of this.#all()) socket.terminate();
  }

  #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Until the library handles the socket, an unhandled error event would end the process.
    const onEarlyError = () => socket.destroy();
    socket.on("error", onEarlyError);
    try {
      const address = clientAddress(request, this.#options.trustProxy);
      const begin = this.#admit(request, address);
      const sockets = begin === this.#onGuest ? this.#doorSockets : this.#sockets;
      sockets.handleUpgrade(request, socket, head, (ws) => {
        socket.off("error", onEarlyError);
        begin(ws, socket, address, request.url ?? "");
      });
    } catch (error) {
      const isForeseen = error instanceof ApiError;
      if (!isForeseen) this.#streams.onError(error);
      refuseUpgrade(socket, isForeseen ? error : new ApiError(503, "SERVICE_UNAVAILABLE", "not now"));
    }
  };

  /** Returns what begins the connection; throws if there is to be none. */
  #admit(request: IncomingMessage, address: string): BeginSocket {
    const { guard, isBanned, origins, door } = this.#options;
    const url = request.url ?? "";
    guard(address, request.headers.host ?? "", url);
    if (isBanned(address)) throw new ApiError(418, "BANNED", "this address is banned for a while");
    if (!isAllowedOrigin(request, origins)) throw forbidden("pages of this origin may not connect");
    const isGuest = door?.serves(url) ?? false;
    if (!isGuest && parseStreamPath(url) === undefined) throw notFound("no stream lives here");
    if ((this.#perAddress.get(address) ?? 0) >= this.#limits.connectionsPerAddress) {
      throw new ApiError(429, "TOO_MANY_CONNECTIONS", "too many connections from this address");
    }
    if (this.connections >= this.#limits.connections) {
      throw new ApiError(503, "SERVICE_UNAVAILABLE", "too many connections");
    }
    return isGuest ? this.#onGuest : this.#onFollower;
  }

  #all(): ClientSocket[] {
    return [...this.#connections, ...this.#guests];
  }

  /** What every socket needs, whatever it speaks. */
  #watch<Kind extends ClientSocket>(ws: WebSocket, socket: Kind, among: Set<Kind>): void {
    among.add(socket);
    this.#perAddress.set(socket.address, (this.#perAddress.get(socket.address) ?? 0) + 1);
    // For invalid or too large frames the library answers with the proper code and closes.
    ws.on("error", () => socket.release());
    ws.on("close", () => {
      among.delete(socket);
      this.#onClosed(socket);
    });
    ws.on("pong", () => {
      socket.isAlive = true;
    });
    ws.on("ping", () => this.#count(socket));
  }

  /** The other protocol counts its messages itself. */
  #onGuest: BeginSocket = (ws, socket, address, url) => {
    const guest = new ClientSocket(ws, socket, this.#limits, address);
    this.#watch(ws, guest, this.#guests);
    const receive = this.#options.door?.open(guest, url);
    ws.on("message", (data, isBinary) => {
      guest.isAlive = true;
      if (isBinary) guest.close(UNSUPPORTED_DATA, "text only");
      else receive?.(String(data));
    });
  };

  #onFollower: BeginSocket = (ws, socket, address, url) => {
    const asked = parseStreamPath(url);
    if (asked === undefined) throw new Error("a socket was opened for a path without streams");
    const client = { address, isWrapped: asked.isWrapped, isOwn: asked.isOwn };
    const connection = new Connection(ws, socket, this.#streams.hub, this.#limits, client);
    this.#watch(ws, connection, this.#connections);
    let working = Promise.resolve();
    ws.on("message", (data, isBinary) => {
      if (!this.#count(connection)) return;
      if (isBinary) {
        connection.close(UNSUPPORTED_DATA, "text only");
        return;
      }
      // One after the other, because messages after a sign-in rely on it, and it takes a moment.
      working = working
        .then(() => this.#onMessage(connection, data, asked))
        .catch((error: unknown) => {
          this.#streams.onError(error);
          connection.close(INTERNAL_ERROR, "internal error");
        });
    });
    this.#streams.bots.open(connection, asked.names);
  };

  #onClosed(socket: ClientSocket): void {
    socket.release();
    this.#past.frames += socket.sent_frames;
    this.#past.bytes += socket.sent_bytes;
    if (socket.isTooSlow) this.#past.dropped += 1;
    const left = (this.#perAddress.get(socket.address) ?? 1) - 1;
    if (left === 0) this.#perAddress.delete(socket.address);
    else this.#perAddress.set(socket.address, left);
  }

  /** Counts a message; false closes the connection because it sends too many. */
  #count(socket: ClientSocket): boolean {
    socket.isAlive = true;
    if (socket.mayReceive()) return true;
    socket.close(POLICY_VIOLATION, "too many messages");
    return false;
  }

  async #onMessage(connection: Connection, data: RawData, { isOwn }: StreamRequest): Promise<void> {
    if (!connection.isOpen) return;
    const message = parseObject(String(data));
    if (message !== undefined && "method" in message) this.#streams.bots.onMessage(connection, message);
    else if (isOwn) await this.#streams.own.onMessage(connection, message ?? {});
    else
      connection.sendJson({ error: { code: 3, msg: "Invalid JSON: a request with a method is expected." }, id: null });
  }

  #onKeyEnded(key: string, address: string): void {
    const topic = this.#streams.hub.find(userTopicKey(address));
    if (topic === undefined) return;
    topic.publish(JSON.stringify({ e: "listenKeyExpired", E: this.#streams.clock.now(), listenKey: key }));
    topic.flush();
    for (const connection of this.#connections) connection.leave(key);
  }

  #beat(): void {
    this.#elapsed_ms += PULSE_ms;
    try {
      this.#streams.hub.poll(this.#elapsed_ms);
      if (this.#elapsed_ms % HOUSEKEEPING_ms === 0) this.#keepHouse();
    } catch (error) {
      this.#streams.onError(error);
    }
    if (this.#elapsed_ms % this.#limits.pingEvery_ms === 0) this.#pingAll();
  }

  #keepHouse(): void {
    this.#streams.listenKeys.sweep();
    for (const connection of this.#connections) {
      if (connection.access?.isValid() !== false) continue;
      this.#streams.own.signOut(connection);
      connection.sendJson({ type: "error", code: "UNAUTHORIZED", error: "the sign-in has ended" });
    }
  }

  /** Closes connections that have not answered since the last ping. */
  #pingAll(): void {
    for (const socket of this.#all()) {
      if (socket.isAlive) socket.ping();
      else socket.terminate();
    }
  }
}

type BeginSocket = (ws: WebSocket, socket: Duplex, address: string, url: string) => void;

function webSocketServer(maxPayload: number): WebSocketServer {
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    closeTimeout: CLOSING_ms,
  };
  return new WebSocketServer(options);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Builds the streams and attaches them to a server's upgrade event. */
export function attachStreams(
  server: Server,
  options: StreamsOptions & StreamServerOptions,
): { readonly streams: Streams; readonly server: StreamServer } {
  const streams = new Streams(options);
  const streamServer = new StreamServer(streams, options);
  streamServer.attach(server);
  return { streams, server: streamServer };
}
