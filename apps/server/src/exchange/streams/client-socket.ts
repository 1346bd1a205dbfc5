import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { textFrames } from "./frames.ts";

/** RFC 6455: the server closes the connection because the client violates its rules. */
export const POLICY_VIOLATION = 1008;

export interface SocketLimits {
  /** Bytes that may be buffered for a slow reader. */
  readonly maxBuffered_bytes: number;
  readonly messagesPerSecond: number;
}

/** How many seconds' worth of messages a client may send at once after a pause. */
const BURST_s = 2;

/** One client's socket with its limits, whatever it speaks. */
export class ClientSocket {
  readonly address: string;
  isAlive = true;
  /** Whether it was closed because it read too slowly. */
  isTooSlow = false;
  sent_frames = 0;
  sent_bytes = 0;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #limits: SocketLimits;
  #allowance: number;
  #counted_ms = performance.now();

  constructor(ws: WebSocket, socket: Duplex, limits: SocketLimits, address: string) {
    this.#ws = ws;
    this.#socket = socket;
    this.#limits = limits;
    this.#allowance = limits.messagesPerSecond * BURST_s;
    this.address = address;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  /**
   * Writes finished frames directly to the socket, because the library would build them again for each client. The
   * library also writes whole frames and does not compress, so both can write to one socket.
   */
  send(frames: Buffer, count: number): void {
    if (!this.isOpen) return;
    this.#socket.write(frames);
    this.sent_frames += count;
    this.sent_bytes += frames.length;
    if (this.#ws.bufferedAmount <= this.#limits.maxBuffered_bytes) return;
    this.isTooSlow = true;
    this.close(POLICY_VIOLATION, "too slow");
  }

  sendText(text: string): void {
    this.send(textFrames([text]), 1);
  }

  sendJson(message: object): void {
    this.sendText(JSON.stringify(message));
  }

  /** Counts a message; false if there are too many. */
  mayReceive(): boolean {
    const now_ms = performance.now();
    const rate = this.#limits.messagesPerSecond;
    this.#allowance = Math.min(rate * BURST_s, this.#allowance + ((now_ms - this.#counted_ms) * rate) / 1000);
    this.#counted_ms = now_ms;
    this.#allowance -= 1;
    return this.#allowance >= 0;
  }

  /** Stops reading, so that the client's own buffers fill up, and continues. */
  setReading(isReading: boolean): void {
    if (isReading) this.#ws.resume();
    else this.#ws.pause();
  }

  ping(): void {
    this.isAlive = false;
    this.#ws.ping();
  }

  /** Gives up what the socket holds here. */
  release(): void {}

  /** Closes after the buffered data are sent. */
  close(code: number, reason: string): void {
    this.release();
    this.#ws.close(code, reason);
  }

  terminate(): void {
    this.release();
    this.#ws.terminate();
  }
}
