import type { StreamMessage, StreamRequest } from "@bourse/api/client";
import { createStore, type Store } from "../lib/store.ts";
import { type ConnectionEvent, type ConnectionState, retryPause_ms, transitionOf } from "./connection-machine.ts";
import { SendBudget } from "./send-budget.ts";

/** How the flow stands: dimmed and with its age where it has stopped. */
export type FlowState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "stale"; readonly since: number };

export const CONNECTING: FlowState = { kind: "connecting" };
export const LIVE: FlowState = { kind: "live" };

/** The parts of a browser's socket that are used, so that tests can bring their own. */
export interface SocketLike {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface TransportOptions {
  readonly openSocket: () => SocketLike;
  /** Text that is no message of the protocol, and refusals without a waiting request. */
  readonly onFault: (error: Error) => void;
}

export interface TransportListener {
  onOpen(): void;
  onMessage(message: StreamMessage): void;
  onLost(): void;
}

const CONNECT_TIMEOUT_MS = 8_000;
/** Quiet for so long: asks whether the other side is still there. */
const QUIET_MS = 5_000;
const ANSWER_WITHIN_MS = 4_000;
/** After waking up one wants to know soon. */
const PROBE_WITHIN_MS = 1_500;

/** The page's one socket: open while it is needed, watched, and reopened when it is lost. */
export class Transport {
  readonly state: Store<FlowState> = createStore<FlowState>(CONNECTING);
  readonly #options: TransportOptions;
  readonly #listeners = new Set<TransportListener>();
  #connection: ConnectionState = "idle";
  #socket: SocketLike | undefined;
  #triesInVain = 0;
  #holders = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: StreamRequest[] = [];
  #queueTimer: ReturnType<typeof setTimeout> | undefined;
  #budget = new SendBudget(0);

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#connection === "open";
  }

  listen(listener: TransportListener): void {
    this.#listeners.add(listener);
  }

  /** The socket is open while it is held. */
  hold(): () => void {
    this.#holders += 1;
    if (this.#holders === 1) this.#on("wanted");
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) this.#on("unwanted");
    };
  }

  wake(): void {
    this.#on("woken");
  }

  /** Sent in its turn; forgotten where the connection is lost before. */
  send(request: StreamRequest): void {
    if (!this.isOpen) return;
    this.#queue.push(request);
    this.#drain();
  }

  #on(event: ConnectionEvent): void {
    const { to, action } = transitionOf(this.#connection, event);
    this.#connection = to;
    if (action === "connect") this.#connect();
    else if (action === "wait") this.#wait();
    else if (action === "drop") this.#drop();
    else if (action === "probe") this.#probe(PROBE_WITHIN_MS);
  }

  #connect(): void {
    this.#setTimer(CONNECT_TIMEOUT_MS, () => this.#lose());
    const socket = this.#options.openSocket();
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#lose();
    socket.onmessage = ({ data }) => this.#received(data);
  }

  #opened(): void {
    this.#on("opened");
    this.#budget = new SendBudget(performance.now());
    this.#watch();
    this.state.set(LIVE);
    for (const listener of this.#listeners) listener.onOpen();
  }

  #received(data: unknown): void {
    this.#triesInVain = 0;
    this.#watch();
    const message = parseMessage(data);
    if (message === undefined) {
      this.#options.onFault(new Error("the stream has sent something that is no message"));
      return;
    }
    for (const listener of this.#listeners) listener.onMessage(message);
  }

  /** Any message is a sign of life; after a while without one it is asked for. */
  #watch(): void {
    this.#setTimer(QUIET_MS, () => this.#probe(ANSWER_WITHIN_MS));
  }

  #probe(within_ms: number): void {
    this.#socket?.send(JSON.stringify({ type: "ping" } satisfies StreamRequest));
    this.#setTimer(within_ms, () => this.#lose());
  }

  #lose(): void {
    const wasOpen = this.isOpen;
    this.#letGo();
    if (this.state.get().kind === "live") this.state.set({ kind: "stale", since: Date.now() });
    this.#on("lost");
    if (wasOpen) for (const listener of this.#listeners) listener.onLost();
  }

  #wait(): void {
    const pause_ms = retryPause_ms(this.#triesInVain, Math.random());
    this.#triesInVain += 1;
    this.#setTimer(pause_ms, () => this.#on("due"));
  }

  /** It is no longer needed: this is no failure, and no data is stale. */
  #drop(): void {
    this.#letGo();
    clearTimeout(this.#timer);
    this.#triesInVain = 0;
    this.state.set(CONNECTING);
    for (const listener of this.#listeners) listener.onLost();
  }

  #letGo(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#queue = [];
    clearTimeout(this.#queueTimer);
    this.#queueTimer = undefined;
    if (socket === undefined) return;
    socket.onopen = null;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
  }

  #drain(): void {
    if (this.#queueTimer !== undefined) return;
    while (this.#queue.length > 0) {
      if (!this.#budget.take(performance.now())) {
        this.#queueTimer = setTimeout(() => {
          this.#queueTimer = undefined;
          this.#drain();
        }, this.#budget.wait_ms);
        return;
      }
      this.#socket?.send(JSON.stringify(this.#queue.shift()));
    }
  }

  #setTimer(delay_ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, delay_ms);
  }
}

function parseMessage(data: unknown): StreamMessage | undefined {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === "object" && value !== null && "type" in value ? (value as StreamMessage) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
