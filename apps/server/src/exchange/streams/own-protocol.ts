import { ApiError } from "../../kernel/errors.ts";
import { isInterval } from "../market-data/kline-series.ts";
import type { Access, Connection } from "./connection.ts";
import type { ListenKeys } from "./listen-keys.ts";
import { pushed } from "./market-sources.ts";
import { type OwnMarketChannels, ownMessage, PUBLIC_CHANNELS, type PublicChannel } from "./own-channels.ts";
import { PRIVATE_CHANNELS, type PrivateChannel } from "./private-facts.ts";
import type { PrivateViews } from "./private-views.ts";
import type { Hub } from "./topics.ts";

export interface OwnProtocolOptions {
  readonly hub: Hub;
  readonly markets: OwnMarketChannels;
  readonly views: PrivateViews;
  readonly listenKeys: Pick<ListenKeys, "resolve" | "extend">;
  /** The wallet of an access token; rejects an invalid token or one of another role. */
  readonly verifyToken: (token: string) => Promise<Access>;
  readonly onError: (error: unknown) => void;
}

type Message = Readonly<Record<string, unknown>>;

class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const privateTopicKey = (channel: PrivateChannel, address: string) => `own:${channel}:${address}`;

const isPublic = (channel: unknown): channel is PublicChannel => PUBLIC_CHANNELS.includes(channel as PublicChannel);
const isPrivate = (channel: unknown): channel is PrivateChannel => PRIVATE_CHANNELS.includes(channel as PrivateChannel);
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

interface Wanted {
  readonly name: string;
  readonly header: string;
}

/** The platform's own protocol on `/ws` (FUT-19, WIRE-9). */
export class OwnProtocol {
  readonly #options: OwnProtocolOptions;

  constructor(options: OwnProtocolOptions) {
    this.#options = options;
  }

  async onMessage(connection: Connection, message: Message): Promise<void> {
    try {
      await this.#answer(connection, message);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      connection.sendJson({ type: "error", code: error.code, error: error.message });
    }
  }

  /** Ends the private subscriptions of a connection whose sign-in has ended; public ones continue. */
  signOut(connection: Connection): void {
    if (connection.access === undefined) return;
    for (const name of connection.subscriptions) {
      if (isPrivate(name.split(":")[1])) connection.leave(name);
    }
    connection.access = undefined;
  }

  async #answer(connection: Connection, message: Message): Promise<void> {
    switch (message["type"]) {
      case "auth":
        await this.#signIn(connection, message);
        return;
      case "subscribe":
        this.#subscribe(connection, message);
        return;
      case "unsubscribe": {
        const { name, header } = this.#wanted(connection, message);
        connection.leave(name);
        connection.sendText(`{"type":"unsubscribed",${header}}`);
        return;
      }
      case "ping":
        connection.sendJson({ type: "pong" });
        return;
      default:
        throw new Refusal("INVALID_MESSAGE", "the type is not auth, subscribe, unsubscribe or ping");
    }
  }

  async #signIn(connection: Connection, { listenKey, token }: Message): Promise<void> {
    const access = typeof listenKey === "string" ? this.#byListenKey(listenKey) : await this.#byToken(textOf(token));
    if (connection.access?.address !== access.address) this.signOut(connection);
    connection.access = access;
    connection.sendJson({ type: "auth", status: "ok", address: access.address });
    // Interface 5: using the key extends it. The reply does not wait for the write.
    if (typeof listenKey === "string") this.#options.listenKeys.extend(access.address).catch(this.#options.onError);
  }

  #byListenKey(listenKey: string): Access {
    const address = this.#options.listenKeys.resolve(listenKey);
    if (address === undefined) throw new Refusal("UNAUTHORIZED", "this listenKey does not exist");
    return { address, isValid: () => this.#options.listenKeys.resolve(listenKey) === address };
  }

  async #byToken(token: string): Promise<Access> {
    try {
      return await this.#options.verifyToken(token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new Refusal("UNAUTHORIZED", error.message);
    }
  }

  #subscribe(connection: Connection, message: Message): void {
    const { hub, views } = this.#options;
    const { name, header, topic, snapshot } = this.#wanted(connection, message);
    if (!connection.follows(name)) {
      if (!connection.hasRoomFor(1))
        throw new Refusal("TOO_MANY_SUBSCRIPTIONS", "too many subscriptions on one connection");
      connection.follow(name, hub.follow(topic.key, topic.makeSource, connection), undefined);
    }
    connection.sendText(`{"type":"subscribed",${header}}`);
    // The connection follows the topic before the snapshot is taken, so that it misses no update. The flush sends
    // pending updates first, because the snapshot already contains them.
    hub.find(topic.key)!.flush();
    const { channel } = message;
    const seq = isPrivate(channel) ? views.lastSeq(connection.access!.address) : hub.find(topic.key)!.seq;
    connection.sendText(ownMessage("snapshot", header, seq, snapshot()));
  }

  #wanted(
    connection: Connection,
    { channel, symbol, interval }: Message,
  ): Wanted & {
    readonly topic: { readonly key: string; readonly makeSource: () => typeof pushed };
    readonly snapshot: () => unknown;
  } {
    if (isPublic(channel)) {
      if (channel === "kline" && interval !== undefined && !isInterval(textOf(interval))) {
        throw new Refusal("UNKNOWN_INTERVAL", "there is no such interval");
      }
      const found = this.#options.markets.find(channel, textOf(symbol), textOf(interval) || "1m");
      if (found === undefined) throw new Refusal("UNKNOWN_SYMBOL", "there is no such symbol");
      return { name: found.key, header: found.header, topic: found, snapshot: () => found.snapshot() };
    }
    if (!isPrivate(channel)) throw new Refusal("UNKNOWN_CHANNEL", "there is no such channel");
    const { access } = connection;
    if (access?.isValid() !== true) throw new Refusal("UNAUTHORIZED", "sign in first: this channel is private");
    const key = privateTopicKey(channel, access.address);
    const snapshot = () => this.#options.views.snapshot(channel, access.address);
    return { name: key, header: `"channel":"${channel}"`, topic: { key, makeSource: () => pushed }, snapshot };
  }
}
