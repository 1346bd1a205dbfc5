import { connect, type Socket } from "node:net";
import { CLOSE, clientFrame, PING, PONG, readFrames, TEXT } from "./frames.ts";

export interface StreamOptions {
  readonly baseUrl: string;
  readonly path: string;
  /** The client's IP as a proxy would send it: a server allows each IP a number of sockets. */
  readonly forwardedFor?: string;
  readonly onText: (payload: Buffer) => void;
  /** Called once, for either side's close; the code is that of the server's close frame, 0 without one. */
  readonly onClosed: (code: number) => void;
}

const HEADER_END = "\r\n\r\n";
/** Sockets are read one after the other, each completely, so that they can share the buffer. */
const SHARED = Buffer.allocUnsafe(262_144);
const EMPTY = Buffer.alloc(0);

/** A WebSocket client with little overhead, because thousands of them run in one process. */
export class StreamSocket {
  readonly #options: StreamOptions;
  readonly #socket: Socket;
  readonly opened: Promise<void>;
  #rest = EMPTY;
  #isOpen = false;
  #code = 0;
  #onOpen: () => void = () => {};
  #onRefused: (error: Error) => void = () => {};

  constructor(options: StreamOptions) {
    this.#options = options;
    this.opened = new Promise((resolve, reject) => {
      this.#onOpen = resolve;
      this.#onRefused = reject;
    });
    const { hostname, port, host } = new URL(options.baseUrl);
    const callback = (read: number) => {
      this.#onBytes(SHARED.subarray(0, read));
      return true;
    };
    const onread = { buffer: SHARED, callback };
    this.#socket = connect({ host: hostname, port: Number(port || 80), noDelay: true, onread });
    const forwarded = options.forwardedFor === undefined ? "" : `x-forwarded-for: ${options.forwardedFor}\r\n`;
    this.#socket.write(
      `GET ${options.path} HTTP/1.1\r\nhost: ${host}\r\n${forwarded}upgrade: websocket\r\nconnection: Upgrade\r\n` +
        "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
    );
    // "close" follows.
    this.#socket.on("error", (error) => this.#onRefused(error));
    this.#socket.on("close", () => {
      this.#onRefused(new Error("the socket was closed before it was open"));
      options.onClosed(this.#code);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#socket.destroyed;
  }

  /** Whether it is open or was open. */
  get wasOpen(): boolean {
    return this.#isOpen;
  }

  /** Stops reading: what the server sends accumulates, first in the kernel, then in the server. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onBytes(read: Buffer): void {
    const bytes = this.#rest.length === 0 ? read : Buffer.concat([this.#rest, read]);
    const from = this.#isOpen ? 0 : this.#readHeader(bytes);
    const rest = from === undefined ? bytes : bytes.subarray(from);
    const end = this.#isOpen ? readFrames(rest, (opcode, payload) => this.#onFrame(opcode, payload)) : 0;
    // Copied, because the next read overwrites the buffer.
    this.#rest = end === rest.length ? EMPTY : Buffer.from(rest.subarray(end));
  }

  /** The offset at which the frames begin; undefined while the header is incomplete. */
  #readHeader(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(HEADER_END);
    if (end === -1) return undefined;
    const head = bytes.toString("latin1", 0, end);
    if (!head.startsWith("HTTP/1.1 101 ")) {
      this.#onRefused(new Error(`the server refused a socket: ${bytes.toString("latin1").slice(0, 400)}`));
      this.#socket.destroy();
      return undefined;
    }
    this.#isOpen = true;
    this.#onOpen();
    return end + HEADER_END.length;
  }

  #onFrame(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) this.#options.onText(payload);
    else if (opcode === PING) this.#socket.write(clientFrame(PONG, payload));
    else if (opcode === CLOSE) {
      this.#code = payload.length >= 2 ? payload.readUInt16BE(0) : 0;
      this.#socket.end(clientFrame(CLOSE, payload.subarray(0, 2)));
    }
  }
}
