import type { ChannelAddress, PublicChannel, StreamMessage, StreamSnapshot, StreamUpdate } from "@bourse/api/client";
import { placeOf } from "./sequence.ts";
import type { Transport } from "./transport.ts";

/** One flow of market data: which channel, of which market. */
export type PublicAddress = Extract<ChannelAddress, { readonly channel: PublicChannel }>;
export type PublicPush = StreamSnapshot<PublicChannel> | StreamUpdate<PublicChannel>;
export type PublicHandler = (push: PublicPush) => void;

export const keyOf = (address: PublicAddress): string =>
  address.channel === "kline" ? `kline:${address.symbol}:${address.interval}` : `${address.channel}:${address.symbol}`;

interface Followed {
  readonly address: PublicAddress;
  readonly handlers: Set<PublicHandler>;
  /** Of the last push; undefined until the snapshot of this connection is here. */
  seq: number | undefined;
  isAsked: boolean;
}

/** Long enough for a page that leaves a channel and wants it again in the next moment. */
const LINGER_MS = 500;

const PUBLIC: readonly string[] = ["orderbook", "trades", "ticker", "markprice", "kline"] satisfies PublicChannel[];
const isPublicPush = (message: StreamMessage): message is PublicPush =>
  (message.type === "snapshot" || message.type === "update") && PUBLIC.includes(message.channel);

/** Public channels, each followed once however many look at it. Every handler gets a snapshot first, then what is new. */
export class PublicFeed {
  readonly #transport: Transport;
  readonly #followed = new Map<string, Followed>();

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.listen({
      onOpen: () => this.#askAll(),
      onLost: () => this.#forgetConnection(),
      onMessage: (message) => isPublicPush(message) && this.#onPush(message),
    });
  }

  follow(address: PublicAddress, handler: PublicHandler): () => void {
    const key = keyOf(address);
    const followed = this.#followed.get(key) ?? { address, handlers: new Set(), seq: undefined, isAsked: false };
    this.#followed.set(key, followed);
    // A second subscriber's snapshot is requested like the first: the server sends it again.
    followed.isAsked = false;
    followed.handlers.add(handler);
    const release = this.#transport.hold();
    this.#ask(followed);
    return () => {
      followed.handlers.delete(handler);
      setTimeout(() => {
        this.#leaveIfUnused(key, followed);
        release();
      }, LINGER_MS);
    };
  }

  #ask(followed: Followed): void {
    if (!this.#transport.isOpen || followed.isAsked) return;
    followed.isAsked = true;
    followed.seq = undefined;
    this.#transport.send({ type: "subscribe", ...followed.address });
  }

  #askAll(): void {
    for (const followed of this.#followed.values()) this.#ask(followed);
  }

  #forgetConnection(): void {
    for (const followed of this.#followed.values()) {
      followed.isAsked = false;
      followed.seq = undefined;
    }
  }

  #leaveIfUnused(key: string, followed: Followed): void {
    if (followed.handlers.size > 0 || this.#followed.get(key) !== followed) return;
    this.#followed.delete(key);
    this.#transport.send({ type: "unsubscribe", ...followed.address });
  }

  #onPush(push: PublicPush): void {
    const followed = this.#followed.get(keyOf(push));
    if (followed === undefined) return;
    if (push.type === "snapshot") {
      followed.seq = push.seq;
    } else {
      // Updates before the snapshot are ignored: the snapshot includes them.
      if (followed.seq === undefined) return;
      const place = placeOf(followed.seq, push.seq);
      if (place === "known") return;
      if (place === "gap") {
        followed.isAsked = false;
        this.#ask(followed);
        return;
      }
      followed.seq = push.seq;
    }
    for (const handler of followed.handlers) handler(push);
  }
}
