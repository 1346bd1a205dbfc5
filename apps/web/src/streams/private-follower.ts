import {
  type AccountEvent,
  type AccountEventPage,
  type PrivateChannel,
  RequestRefused,
  type StreamMessage,
  type StreamSnapshot,
  type StreamUpdate,
} from "@bourse/api/client";
import { createStore, type Store } from "../lib/store.ts";
import { retryPause_ms } from "./connection-machine.ts";
import { inOrder, type PrivateMessage } from "./private-messages.ts";
import { PrivateSequence } from "./sequence.ts";
import { CONNECTING, type FlowState, LIVE, type Transport } from "./transport.ts";

export type PrivateState = FlowState | { readonly kind: "signed-out" };
export type PrivateListener = (message: PrivateMessage) => void;

export interface PrivateFollowerOptions {
  readonly transport: Transport;
  /** The wallet that is signed in, if any. */
  readonly address: () => string | undefined;
  /** A token that is good now; never the refused one. */
  readonly token: (refused: string | undefined) => Promise<string | undefined>;
  readonly missedAfter: (seq: number) => Promise<AccountEventPage>;
}

const SIGNED_OUT: PrivateState = { kind: "signed-out" };
const CHANNELS: readonly PrivateChannel[] = ["balances", "orders", "positions", "vip_tier", "bonus"];
const isPrivatePush = (
  message: StreamMessage,
): message is StreamSnapshot<PrivateChannel> | StreamUpdate<PrivateChannel> =>
  (message.type === "snapshot" || message.type === "update") && CHANNELS.some((channel) => channel === message.channel);

/** More than this is read anew instead of told again one by one. */
const MAX_PAGES = 10;
const MAX_ASIDE = 5_000;
/** A page that is left and come back to within this time goes on where it was. */
const LINGER_MS = 2_000;
/** As if so many tries had been in vain: a second or two. */
const SIGN_IN_PAUSE = 2;

const eventOf = ({ seq, channel, data }: StreamUpdate<PrivateChannel>): AccountEvent =>
  ({ seq, channel, time: data.time, data }) as AccountEvent;

/** The steps of one connection; a new one takes its place whenever the connection or the sign-in changes. */
interface Attempt {
  readonly snapshots: Map<PrivateChannel, StreamSnapshot<PrivateChannel>>;
  /** Updates that wait until what was missed has been told; undefined once the flow is whole. */
  aside: AccountEvent[] | undefined;
  token: string | undefined;
}

/** The private channels of whoever is signed in, without gaps over reconnects and restarts of the server. */
export class PrivateFollower {
  readonly state: Store<PrivateState> = createStore<PrivateState>(SIGNED_OUT);
  readonly #options: PrivateFollowerOptions;
  readonly #sequence = new PrivateSequence();
  readonly #listeners = new Set<PrivateListener>();
  /** By channel: up to where its snapshot reaches. Another channel's may reach further than an update still under way. */
  readonly #floors = new Map<PrivateChannel, number>();
  #address: string | undefined;
  #attempt: Attempt | undefined;
  #release: (() => void) | undefined;

  constructor(options: PrivateFollowerOptions) {
    this.#options = options;
    options.transport.listen({
      onOpen: () => this.#begin(undefined),
      onLost: () => this.#onLost(),
      onMessage: (message) => this.#onMessage(message),
    });
  }

  /** While somebody listens the flow is kept. Whoever comes later is told at once that it is whole. */
  subscribe(listener: PrivateListener): () => void {
    this.#listeners.add(listener);
    this.#follow();
    if (this.state.get().kind === "live") {
      queueMicrotask(() => this.#listeners.has(listener) && listener({ kind: "caught-up", hasGap: false }));
    }
    return () => {
      this.#listeners.delete(listener);
      setTimeout(() => this.#stopIfUnused(), LINGER_MS);
    };
  }

  /** Somebody has signed in or out, or the token was renewed. */
  sessionChanged(): void {
    this.#follow();
  }

  #follow(): void {
    const address = this.#listeners.size === 0 ? undefined : this.#options.address();
    if (address === this.#address) return;
    if (this.#address !== undefined) this.#stop();
    this.#address = address;
    if (address === undefined) return;
    this.state.set(CONNECTING);
    this.#release = this.#options.transport.hold();
    this.#begin(undefined);
  }

  #stopIfUnused(): void {
    if (this.#listeners.size === 0) this.#follow();
  }

  #stop(): void {
    if (this.#attempt !== undefined && this.#options.address() === this.#address) {
      for (const channel of CHANNELS) this.#options.transport.send({ type: "unsubscribe", channel });
    }
    this.#attempt = undefined;
    this.#address = undefined;
    this.#sequence.reset();
    this.state.set(SIGNED_OUT);
    this.#release?.();
    this.#release = undefined;
  }

  #onLost(): void {
    this.#attempt = undefined;
    this.#sequence.cut();
    if (this.state.get().kind === "live") this.state.set({ kind: "stale", since: Date.now() });
  }

  /** Signs the connection in; what follows comes as messages. */
  #begin(refused: string | undefined): void {
    if (this.#address === undefined || !this.#options.transport.isOpen) return;
    const attempt: Attempt = { snapshots: new Map(), aside: [], token: undefined };
    this.#attempt = attempt;
    this.#signIn(attempt, refused).catch(() => this.#again(attempt, refused));
  }

  async #signIn(attempt: Attempt, refused: string | undefined): Promise<void> {
    const token = await this.#options.token(refused);
    if (this.#attempt !== attempt || token === undefined) return;
    if (token === refused) throw new Error("the token could not be renewed");
    attempt.token = token;
    this.#options.transport.send({ type: "auth", token });
  }

  /** A token could not be had just now, because the server does not answer: asked again while that is still wanted. */
  #again(attempt: Attempt, refused: string | undefined): void {
    const pause_ms = retryPause_ms(SIGN_IN_PAUSE, Math.random());
    setTimeout(() => this.#attempt === attempt && this.#begin(refused), pause_ms);
  }

  #onMessage(message: StreamMessage): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    this.#sequence.settle(performance.now());
    if (message.type === "auth") {
      for (const channel of CHANNELS) this.#options.transport.send({ type: "subscribe", channel });
    } else if (message.type === "error" && message.code === "UNAUTHORIZED") {
      // Of the token that was sent, or of one that has ended meanwhile; the answers to what was behind it come too.
      if (attempt.token === undefined) return;
      this.#sequence.cut();
      this.#begin(attempt.token);
    } else if (isPrivatePush(message)) {
      this.#onPush(attempt, message);
    }
  }

  #onPush(attempt: Attempt, push: StreamSnapshot<PrivateChannel> | StreamUpdate<PrivateChannel>): void {
    if (push.type === "update") {
      const event = eventOf(push);
      if (attempt.aside === undefined) this.#tell(event, false);
      else if (attempt.aside.length < MAX_ASIDE) attempt.aside.push(event);
      else {
        this.#sequence.cut();
        this.#begin(undefined);
      }
      return;
    }
    if (attempt.aside === undefined) return;
    attempt.snapshots.set(push.channel, push);
    if (attempt.snapshots.size < CHANNELS.length) return;
    void this.#catchUp(attempt, 0);
  }

  /** Everything from the last number that is certain: what was missed, the state as it is now, what came meanwhile. */
  async #catchUp(attempt: Attempt, tries: number): Promise<void> {
    try {
      const missed = await this.#readMissed();
      if (this.#attempt === attempt) this.#resume(attempt, missed);
    } catch (error) {
      if (this.#attempt !== attempt) return;
      if (error instanceof RequestRefused && error.status < 500 && error.status !== 429 && error.status !== 408) {
        // It will not be told. The state is known all the same.
        this.#resume(attempt, undefined);
        return;
      }
      setTimeout(
        () => this.#attempt === attempt && void this.#catchUp(attempt, tries + 1),
        retryPause_ms(tries, Math.random()),
      );
    }
  }

  /** Undefined where not all of it can be told any more. */
  async #readMissed(): Promise<AccountEvent[] | undefined> {
    const { settled } = this.#sequence;
    // The first time: nobody has missed anything.
    if (settled === undefined) return [];
    const events: AccountEvent[] = [];
    let after = settled;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items: more, next_after, last_seq, has_more, is_complete } = await this.#options.missedAfter(after);
      // Numbers that have gone back are those of another past.
      if (!is_complete || last_seq < settled) return undefined;
      events.push(...more);
      if (!has_more) return events;
      after = next_after;
    }
    return undefined;
  }

  #resume(attempt: Attempt, missed: AccountEvent[] | undefined): void {
    const snapshots = [...attempt.snapshots.values()];
    if (missed === undefined) this.#sequence.reset();
    for (const { channel, seq } of snapshots) this.#floors.set(channel, seq);
    for (const message of inOrder(snapshots, missed ?? [], attempt.aside ?? [])) {
      if (message.kind === "event") this.#tell(message.event, message.isMissed);
      else this.#emit(message);
    }
    this.#sequence.begin(Math.min(...this.#floors.values()));
    attempt.aside = undefined;
    this.state.set(LIVE);
    this.#emit({ kind: "caught-up", hasGap: missed === undefined });
  }

  #tell(event: AccountEvent, isMissed: boolean): void {
    if (!isMissed && event.seq <= (this.#floors.get(event.channel) ?? -1)) return;
    if (this.#sequence.take(event.seq, performance.now())) this.#emit({ kind: "event", event, isMissed });
  }

  #emit(message: PrivateMessage): void {
    for (const listener of [...this.#listeners]) listener(message);
  }
}
