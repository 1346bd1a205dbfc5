import type { AccountEvents } from "@bourse/api";
import WebSocket from "ws";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

export const PRIVATE_CHANNELS = ["orders", "balances", "positions", "vip_tier", "bonus"] as const;
/** These channels send every event; the others send the latest state. */
const COMPLETE: ReadonlySet<string> = new Set(["orders", "vip_tier", "bonus"]);
const PAGE = 1_000;
const CONNECT_LIMIT_ms = 60_000;

/** A private event as a client keeps it: its data as one text, so that two deliveries can be compared. */
export interface ReceivedEvent {
  readonly seq: number;
  readonly channel: string;
  readonly data: unknown;
  readonly text: string;
}

/** A range in which a socket was subscribed to everything: every event with a number in between must have come. */
interface Stretch {
  readonly from: number;
  to: number;
  readonly seqs: Map<number, string>;
}

export interface StreamComplaint {
  readonly what: "lost" | "different" | "unknown" | "incomplete" | "repeated";
  readonly text: string;
}

const eventOf = (seq: number, channel: string, data: unknown): ReceivedEvent => ({
  seq,
  channel,
  data,
  text: JSON.stringify([channel, data]),
});

/** One person's private events: those of the sockets, and those of the list that fills the gaps. */
export class PrivateStream {
  readonly person: Person;
  readonly #world: World;
  #socket: WebSocket | undefined;
  readonly #stretches: Stretch[] = [];
  #stretch: Stretch | undefined;
  #lastListed = 0;
  /** Everything that was received, in order, without repetition: the input of the auditor. */
  readonly events: ReceivedEvent[] = [];
  readonly complaints: StreamComplaint[] = [];
  received = 0;

  constructor(world: World, person: Person) {
    this.#world = world;
    this.person = person;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && this.#stretch !== undefined;
  }

  /** Signs in and subscribes to every private channel. */
  async open(): Promise<void> {
    this.cut();
    const { incarnation } = this.#world;
    const token = await this.person.token();
    const socket = new WebSocket(`ws://127.0.0.1:${incarnation.port}/ws`);
    this.#socket = socket;
    const ready = Promise.withResolvers<void>();
    const timer = setTimeout(() => ready.reject(new Error("the stream did not open in time")), CONNECT_LIMIT_ms);
    const snapshots: number[] = [];
    const aside: [number, string, unknown][] = [];
    socket.on("error", () => undefined);
    socket.once("close", () => {
      ready.resolve();
      if (this.#socket === socket) this.#leave();
    });
    socket.once("open", () => socket.send(JSON.stringify({ type: "auth", token })));
    socket.on("message", (bytes) => {
      const message = JSON.parse(String(bytes)) as { type: string; channel: string; seq: number; data: unknown };
      if (message.type === "auth") {
        for (const channel of PRIVATE_CHANNELS) socket.send(JSON.stringify({ type: "subscribe", channel }));
      } else if (message.type === "snapshot") {
        snapshots.push(message.seq);
        if (snapshots.length < PRIVATE_CHANNELS.length) return;
        this.#begin(Math.max(...snapshots), aside);
        ready.resolve();
      } else if (message.type === "update") {
        if (this.#stretch === undefined) aside.push([message.seq, message.channel, message.data]);
        else this.#receive(message.seq, message.channel, message.data);
      } else if (message.type === "error") {
        ready.reject(new Error(`the stream refuses: ${String(bytes)}`));
      }
    });
    try {
      await ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Breaks the connection. */
  cut(): void {
    const socket = this.#socket;
    this.#leave();
    socket?.terminate();
  }

  /** Stops reading for a while; the platform buffers the messages, or closes the socket. */
  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    if (this.#socket?.isPaused === true) this.#socket.resume();
  }

  /** Whether the socket has delivered the event of this number, or was not open for it. */
  hasReached(seq: number): boolean {
    const stretch = this.#stretch;
    return stretch === undefined || stretch.to >= seq;
  }

  /** Reads the list from where it was left; returns its last number. */
  async catchUp(): Promise<number> {
    for (;;) {
      const url = `/api/v1/account/events?after=${this.#lastListed}&limit=${PAGE}`;
      const page = await this.person.get<AccountEvents>(url);
      if (!page.is_complete && this.#lastListed > 0) {
        this.#complain("incomplete", `events after ${this.#lastListed} are not complete`);
      }
      for (const { seq, channel, data } of page.items) this.#list(eventOf(seq, channel, data));
      this.#lastListed = Math.max(this.#lastListed, page.next_after);
      if (!page.has_more) return this.#lastListed;
    }
  }

  /** The last number on the list that every socket must deliver. */
  get lastComplete(): number {
    return this.events.findLast(({ channel }) => COMPLETE.has(channel))?.seq ?? 0;
  }

  /** Compares what sockets delivered with the list; to be called after `catchUp`. */
  compare(): void {
    for (const stretch of this.#stretches.splice(0)) this.#compare(stretch);
    if (this.#stretch === undefined) return;
    this.#compare(this.#stretch);
    this.#stretch = { from: Math.max(this.#stretch.to, this.#stretch.from), to: this.#stretch.to, seqs: new Map() };
  }

  #compare(stretch: Stretch): void {
    const end = Math.min(stretch.to, this.#lastListed);
    const listed = this.events.filter(({ seq }) => seq > stretch.from && seq <= end);
    for (const { seq, channel, text } of listed) {
      const heard = stretch.seqs.get(seq);
      if (heard === undefined) {
        if (COMPLETE.has(channel)) this.#complain("lost", `a socket did not get event ${seq}: ${text}`);
      } else if (heard !== text) {
        this.#complain("different", `event ${seq} was ${heard} on the socket and is ${text} in the list`);
      }
    }
    const known = new Set(listed.map(({ seq }) => seq));
    for (const [seq, text] of stretch.seqs) {
      const [channel] = JSON.parse(text) as [string];
      if (seq <= end && !known.has(seq) && COMPLETE.has(channel)) {
        this.#complain("unknown", `a socket got event ${seq}, which the list does not have: ${text}`);
      }
    }
  }

  #list(event: ReceivedEvent): void {
    const last = this.events.at(-1);
    if (last !== undefined && event.seq <= last.seq) {
      this.#complain("repeated", `the list has event ${event.seq} after event ${last.seq}`);
      return;
    }
    this.events.push(event);
  }

  #begin(from: number, aside: readonly [number, string, unknown][]): void {
    this.#stretch = { from, to: from, seqs: new Map() };
    for (const [seq, channel, data] of aside) if (seq > from) this.#receive(seq, channel, data);
  }

  #receive(seq: number, channel: string, data: unknown): void {
    const stretch = this.#stretch;
    if (stretch === undefined) return;
    this.received += 1;
    if (stretch.seqs.has(seq)) this.#complain("repeated", `a socket got event ${seq} twice`);
    stretch.seqs.set(seq, JSON.stringify([channel, data]));
    stretch.to = Math.max(stretch.to, seq);
  }

  #leave(): void {
    if (this.#stretch !== undefined) this.#stretches.push(this.#stretch);
    this.#stretch = undefined;
    this.#socket = undefined;
  }

  #complain(what: StreamComplaint["what"], text: string): void {
    this.complaints.push({ what, text: `${this.person.name}: ${text}` });
  }
}
