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
const MAX_SHOWN_CHARS = 80;

class Refusal extends Error {
  readonly code: number;
  /** The names that were not known; the others of the request are served. */
  readonly streams: readonly string[] | undefined;

  constructor(code: number, message: string, streams?: readonly string[]) {
    super(message);
    this.code = code;
    this.streams = streams;
  }

  get body() {
    const { code, message: msg, streams } = this;
    return streams === undefined ? { code, msg } : { code, msg, streams };
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
      connection.sendJson({ error: error.body, id });
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
        connection.sendJson({ error: error.body });
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

  /**
   * Subscribes to the names that are known, and then refuses the others by name: a bot that also asks for a stream of another
   * exchange trades on with the rest. More streams than fit are refused as a whole.
   */
  #subscribe(connection: Connection, names: readonly string[]): void {
    const wanted = [...new Set(names)].filter((name) => !connection.follows(name));
    const topics = wanted.map((name) => ({ name, topic: this.#topicOf(name) }));
    const unknown = topics.flatMap(({ name, topic }) => (topic === undefined ? [name] : []));
    if (!connection.hasRoomFor(wanted.length - unknown.length)) {
      throw new Refusal(UNKNOWN_STREAM, "Invalid request: too many streams on one connection.");
    }
    for (const { name, topic } of topics) {
      if (topic === undefined) continue;
      const wrapper = connection.isWrapped ? name : undefined;
      connection.follow(name, this.#options.hub.follow(topic.key, topic.makeSource, connection, wrapper), wrapper);
    }
    if (unknown.length > 0) throw refusalOf(unknown);
  }

  /** Undefined if there is no such stream. */
  #topicOf(name: string): FollowableTopic | undefined {
    if (isListenKeyShaped(name)) {
      const address = this.#options.listenKeys.resolve(name);
      return address === undefined ? undefined : { key: userTopicKey(address), makeSource: () => pushed };
    }
    const spec = parseStreamName(name);
    return spec && this.#options.marketStreams.topicOf(spec);
  }
}

/** A listenKey that is gone has its own code, because clients ask for a new one when they read it. */
function refusalOf(unknown: readonly string[]): Refusal {
  if (unknown.some(isListenKeyShaped)) return new Refusal(NO_LISTEN_KEY, "This listenKey does not exist.", unknown);
  const shown = unknown.map((name) => name.slice(0, MAX_SHOWN_CHARS)).join(", ");
  return new Refusal(UNKNOWN_STREAM, `Invalid request: unknown stream ${shown}.`, unknown);
}
