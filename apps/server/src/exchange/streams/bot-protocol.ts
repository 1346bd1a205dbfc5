import type { Connection } from "./connection.ts";
import { isListenKeyShaped, type ListenKeys } from "./listen-keys.ts";
import { pushed } from "./market-sources.ts";
import type { FollowableTopic, MarketStreams } from "./market-streams.ts";
import { parseStreamName } from "./stream-names.ts";
import type { Hub } from "./topics.ts";
import { userTopicKey } from "./user-data-stream.ts";

export interface BotProtocolOptions {
  readonly hub: Hub;
  readonly marketStreams: MarketStreams;
  readonly listenKeys: Pick<ListenKeys, "resolve">;
}

type MessageId = number | string | null;

/** Codes of refused requests on a stream. */
const UNKNOWN_STREAM = 2;
const MALFORMED = 3;
const NO_LISTEN_KEY = -1125;

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const isId = (id: unknown): id is number | string =>
  Number.isSafeInteger(id) || (typeof id === "string" && id.length <= 64);

/** `SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, and the streams named in a path. */
export class BotProtocol {
  readonly #options: BotProtocolOptions;

  constructor(options: BotProtocolOptions) {
    this.#options = options;
  }

  onMessage(connection: Connection, message: Readonly<Record<string, unknown>>): void {
    const id: MessageId = isId(message["id"]) ? message["id"] : null;
    try {
      if (message["id"] !== undefined && message["id"] !== null && id === null) {
        throw new Refusal(MALFORMED, "Invalid request: the id is neither a whole number nor a text.");
      }
      connection.sendJson({ result: this.#answer(connection, message), id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      connection.sendJson({ error: { code: error.code, msg: error.message }, id });
    }
  }

  /**
   * Opens the streams that a path names. Answers an error for a stream that does not exist; an invalid listenKey closes
   * the connection.
   */
  open(connection: Connection, names: readonly string[]): void {
    for (const name of names) {
      // Some clients put a number into the path and subscribe afterwards.
      if (/^\d{0,9}$/.test(name)) continue;
      try {
        this.#subscribe(connection, [name]);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        connection.sendJson({ error: { code: error.code, msg: error.message } });
        if (error.code === NO_LISTEN_KEY) connection.close(1008, error.message);
      }
    }
  }

  #answer(connection: Connection, { method, params }: Readonly<Record<string, unknown>>): unknown {
    if (method === "LIST_SUBSCRIPTIONS") return connection.subscriptions;
    if (method !== "SUBSCRIBE" && method !== "UNSUBSCRIBE") {
      throw new Refusal(UNKNOWN_STREAM, "Invalid request: unknown method.");
    }
    if (!Array.isArray(params) || !params.every((name) => typeof name === "string")) {
      throw new Refusal(UNKNOWN_STREAM, "Invalid request: params must be a list of stream names.");
    }
    if (method === "SUBSCRIBE") this.#subscribe(connection, params);
    else for (const name of params) connection.leave(name);
    return null;
  }

  /** Subscribes to all names or to none. */
  #subscribe(connection: Connection, names: readonly string[]): void {
    const wanted = [...new Set(names)].filter((name) => !connection.follows(name));
    const topics = wanted.map((name) => this.#topicOf(name));
    if (!connection.hasRoomFor(wanted.length)) {
      throw new Refusal(UNKNOWN_STREAM, "Invalid request: too many streams on one connection.");
    }
    for (const [place, name] of wanted.entries()) {
      const { key, makeSource } = topics[place]!;
      const wrapper = connection.isWrapped ? name : undefined;
      connection.follow(name, this.#options.hub.follow(key, makeSource, connection, wrapper), wrapper);
    }
  }

  #topicOf(name: string): FollowableTopic {
    if (isListenKeyShaped(name)) {
      const address = this.#options.listenKeys.resolve(name);
      if (address === undefined) throw new Refusal(NO_LISTEN_KEY, "This listenKey does not exist.");
      return { key: userTopicKey(address), makeSource: () => pushed };
    }
    const spec = parseStreamName(name);
    const topic = spec && this.#options.marketStreams.topicOf(spec);
    if (topic === undefined) throw new Refusal(UNKNOWN_STREAM, `Invalid request: unknown stream ${name.slice(0, 80)}.`);
    return topic;
  }
}
