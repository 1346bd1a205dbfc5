import { connect, type Socket } from "node:net";

/** Status 0: the connection broke before an answer. */
export type ReplyListener = (status: number, body: string) => void;

interface Asked {
  readonly text: string;
  readonly onSent: (() => void) | undefined;
  readonly onReply: ReplyListener;
}

const HEADER_END = "\r\n\r\n";
const STATUS_AT = "HTTP/1.1 ".length;
const CONNECTED_AT_ONCE = 100;

/** A kept-alive connection with one open request at a time. */
class KeptAlive {
  readonly #host: string;
  readonly #port: number;
  readonly #onIdle: (connection: KeptAlive) => void;
  #socket: Socket | undefined;
  #received = "";
  #asked: Asked | undefined;

  constructor(host: string, port: number, onIdle: (connection: KeptAlive) => void) {
    this.#host = host;
    this.#port = port;
    this.#onIdle = onIdle;
  }

  send(asked: Asked): void {
    this.#asked = asked;
    this.#socket ??= this.#open();
    this.#socket.write(asked.text, "latin1");
    asked.onSent?.();
  }

  /** Resolves once it is connected or has failed: then the next request tries again. */
  connect(): Promise<void> {
    this.#socket ??= this.#open();
    const socket = this.#socket;
    return new Promise((resolve) => {
      socket.once("connect", resolve);
      socket.once("close", () => resolve());
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    // The "close" event follows and handles it.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#received = "";
      if (this.#asked !== undefined) this.#answer(0, "");
    });
    return socket;
  }

  #onData(chunk: Buffer): void {
    this.#received += chunk.toString("latin1");
    const headerEnd = this.#received.indexOf(HEADER_END);
    if (headerEnd === -1) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, headerEnd))?.[1];
    if (length === undefined) throw new Error(`a reply without content-length: ${this.#received.slice(0, headerEnd)}`);
    const begin = headerEnd + HEADER_END.length;
    const end = begin + Number(length);
    if (this.#received.length < end) return;
    const status = Number(this.#received.slice(STATUS_AT, STATUS_AT + 3));
    const body = this.#received.slice(begin, end);
    this.#received = this.#received.slice(end);
    this.#answer(status, body);
  }

  #answer(status: number, body: string): void {
    const asked = this.#asked!;
    this.#asked = undefined;
    asked.onReply(status, body);
    if (this.#asked === undefined) this.#onIdle(this);
  }
}

/** A fixed number of connections to one server; requests without a free connection wait in a queue. */
export class HttpPool {
  readonly host: string;
  readonly #connections: readonly KeptAlive[];
  readonly #idle: KeptAlive[];
  #line: Asked[] = [];
  /** The index of the first waiting request. */
  #head = 0;

  constructor(baseUrl: string, size: number) {
    const { hostname, port, host } = new URL(baseUrl);
    this.host = host;
    this.#connections = Array.from(
      { length: size },
      () => new KeptAlive(hostname, Number(port || 80), (connection) => this.#onIdle(connection)),
    );
    this.#idle = [...this.#connections];
  }

  /** The number of requests that wait for a connection. */
  get waiting(): number {
    return this.#line.length - this.#head;
  }

  get underWay(): number {
    return this.#connections.length - this.#idle.length;
  }

  /**
   * Connects some at a time, because the backlog of a listening socket is short and connections beyond it wait for
   * seconds.
   */
  async connect(): Promise<void> {
    for (let at = 0; at < this.#connections.length; at += CONNECTED_AT_ONCE) {
      await Promise.all(this.#connections.slice(at, at + CONNECTED_AT_ONCE).map((connection) => connection.connect()));
    }
  }

  send(text: string, onReply: ReplyListener, onSent?: () => void): void {
    const asked = { text, onSent, onReply };
    const connection = this.#idle.pop();
    if (connection === undefined) this.#line.push(asked);
    else connection.send(asked);
  }

  /** Drops the waiting requests and returns their number. */
  dropLine(): number {
    const dropped = this.waiting;
    this.#line = [];
    this.#head = 0;
    return dropped;
  }

  close(): void {
    this.dropLine();
    for (const connection of this.#connections) connection.close();
  }

  #onIdle(connection: KeptAlive): void {
    const next = this.#line[this.#head];
    if (next === undefined) {
      this.#idle.push(connection);
      return;
    }
    this.#head += 1;
    if (this.#head > 1_024) {
      this.#line.splice(0, this.#head);
      this.#head = 0;
    }
    connection.send(next);
  }
}
