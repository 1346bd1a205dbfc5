import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { textFrames } from "./frames.ts";
import type { Hub, Subscriber, Topic } from "./topics.ts";

/** RFC 6455: the server closes the connection because the client violates its rules. */
export const POLICY_VIOLATION = 1008;

export interface ConnectionLimits {
  /** Bytes that may be buffered for a slow reader. */
  readonly maxBuffered_bytes: number;
  readonly maxSubscriptions: number;
  readonly messagesPerSecond: number;
}

/** The signed-in wallet. */
export interface Access {
  readonly address: string;
  /** False after sign-out, expiry or revocation; checked every second. */
  isValid(): boolean;
}

interface Followed {
  readonly topic: Topic;
  readonly wrapper: string | undefined;
}

/** How many seconds' worth of messages a client may send at once after a pause. */
const BURST_s = 2;

/** One client: its subscriptions, its sign-in and its limits. */
export class Connection implements Subscriber {
  readonly address: string;
  /** Whether events of bots' streams are wrapped in the name of their stream. */
  readonly isWrapped: boolean;
  /** Whether it connected by the path of the platform's own protocol. */
  readonly isOwn: boolean;
  access: Access | undefined;
  isAlive = true;
  /** Whether it was closed because it read too slowly. */
  isTooSlow = false;
  sent_frames = 0;
  sent_bytes = 0;
  /** By the name of the subscription. */
  readonly #followed = new Map<string, Followed>();
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #hub: Hub;
  readonly #limits: ConnectionLimits;
  #allowance: number;
  #counted_ms = performance.now();

  constructor(
    ws: WebSocket,
    socket: Duplex,
    hub: Hub,
    limits: ConnectionLimits,
    client: { readonly address: string; readonly isWrapped: boolean; readonly isOwn?: boolean },
  ) {
    this.#ws = ws;
    this.#socket = socket;
    this.#hub = hub;
    this.#limits = limits;
    this.#allowance = limits.messagesPerSecond * BURST_s;
    this.address = client.address;
    this.isWrapped = client.isWrapped;
    this.isOwn = client.isOwn ?? false;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  get subscriptions(): readonly string[] {
    return [...this.#followed.keys()];
  }

  hasRoomFor(subscriptions: number): boolean {
    return this.#followed.size + subscriptions <= this.#limits.maxSubscriptions;
  }

  follows(name: string): boolean {
    return this.#followed.has(name);
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

  follow(name: string, topic: Topic, wrapper: string | undefined): void {
    this.#followed.set(name, { topic, wrapper });
  }

  leave(name: string): boolean {
    const followed = this.#followed.get(name);
    if (followed === undefined) return false;
    this.#followed.delete(name);
    const { topic, wrapper } = followed;
    for (const other of this.#followed.values()) {
      // Another subscription uses the same topic and wrapper, so the topic stays followed.
      if (other.topic === topic && other.wrapper === wrapper) return true;
    }
    this.#hub.leave(topic, this, wrapper);
    return true;
  }

  leaveAll(): void {
    for (const name of [...this.#followed.keys()]) this.leave(name);
  }

  ping(): void {
    this.isAlive = false;
    this.#ws.ping();
  }

  /** Ends all subscriptions and closes after the buffered data are sent. */
  close(code: number, reason: string): void {
    this.leaveAll();
    this.#ws.close(code, reason);
  }

  terminate(): void {
    this.leaveAll();
    this.#ws.terminate();
  }
}
