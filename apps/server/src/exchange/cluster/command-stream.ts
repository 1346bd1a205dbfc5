import {
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  type JsMsg,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { LogFault } from "../../kernel/journal/log-format.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import { type Random, randomAlphanumeric } from "../../kernel/random.ts";
import { sleep } from "../../kernel/wait.ts";
import { decodePack, encodePack, type Pack } from "./pack.ts";

/** A pack and its sequence number in the stream. */
export interface PlacedPack extends Pack {
  readonly seq: number;
}

/** Another leader has written to the stream. */
export class Superseded extends Error {
  constructor(expectedSeq: number, cause?: unknown) {
    super(`the command stream has gone on behind message ${expectedSeq} without this engine`, { cause });
    this.name = "Superseded";
  }
}

const NANOS_PER_ms = 1_000_000;
/** Within this time NATS recognises a message that is published again. */
const DUPLICATE_WINDOW_ms = 120_000;
const STREAM_NOT_FOUND = 10_059;
const WRONG_LAST_SEQUENCE = 10_071;
const PUBLISH_TIMEOUT_ms = 1_000;
const RETRY_PAUSE_ms = 50;
const REQUEST_EXPIRES_ms = 4_000;
const HEARTBEAT_ms = 500;
const MAX_MISSED_HEARTBEATS = 2;
const IDENTITY_CHARS = 16;
const DESCRIPTION = "Commands of the exchange: ";

const isApiError = (error: unknown, code: number) => error instanceof JetStreamApiError && error.code === code;

/** The log on JetStream: packs in the order in which they became durable. */
export class CommandStream {
  readonly #link: NatsLink;
  /** Created with the stream. Another stream of the same name has another identity. */
  readonly identity: string;

  private constructor(link: NatsLink, identity: string) {
    this.#link = link;
    this.identity = identity;
  }

  /** Creates the stream if it does not exist. */
  static async open(link: NatsLink, random: Random): Promise<CommandStream> {
    const { manager, names, replicas } = link;
    try {
      return new CommandStream(link, identityOf((await manager.streams.info(names.stream)).config.description));
    } catch (error) {
      if (!isApiError(error, STREAM_NOT_FOUND)) throw error;
    }
    const identity = randomAlphanumeric(random, IDENTITY_CHARS);
    try {
      await manager.streams.add({
        name: names.stream,
        subjects: [names.commands],
        description: `${DESCRIPTION}${identity}`,
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        num_replicas: replicas,
        duplicate_window: DUPLICATE_WINDOW_ms * NANOS_PER_ms,
        // No single command is ever deleted; old ones go together from the beginning (LOG-8).
        deny_delete: true,
      });
    } catch (error) {
      // Another process has created the stream meanwhile, with another identity.
      if (!(error instanceof JetStreamApiError)) throw error;
    }
    return CommandStream.open(link, random);
  }

  /** The sequence number of the last message; 0 for an empty stream. */
  async lastSeq(): Promise<number> {
    const { manager, names } = this.#link;
    return (await manager.streams.info(names.stream)).state.last_seq;
  }

  /** The number of the last command; 0 for an empty stream. */
  async lastNumber(): Promise<number> {
    const seq = await this.lastSeq();
    if (seq === 0) return 0;
    const { firstNumber, records } = await this.read(seq);
    return firstNumber + records.length - 1;
  }

  async read(seq: number): Promise<PlacedPack> {
    const { manager, names } = this.#link;
    const message = await manager.streams.getMessage(names.stream, { seq });
    if (message === null) throw new LogFault(`${names.stream} has no message ${seq}`);
    return { ...this.#decode(message.data, seq), seq };
  }

  /**
   * Writes a pack directly behind the message `afterSeq`; resolves with its sequence number when it is durable. Repeats
   * the write under the same id until the pack is in the stream, or another message is (`Superseded`), or the signal is
   * aborted (then it is unknown whether the pack is in the stream).
   */
  async write(pack: Pack, afterSeq: number, signal: AbortSignal): Promise<number> {
    const { jetstream, names } = this.#link;
    const message = encodePack(pack);
    const msgID = `${this.identity}-${pack.term}-${pack.firstNumber}-${pack.records.length}`;
    for (;;) {
      signal.throwIfAborted();
      try {
        const expect = { streamName: names.stream, lastSequence: afterSeq };
        const { seq } = await jetstream.publish(names.commands, message, {
          msgID,
          expect,
          timeout: PUBLISH_TIMEOUT_ms,
          retries: 0,
        });
        if (seq !== afterSeq + 1) throw new Superseded(afterSeq);
        return seq;
      } catch (error) {
        if (error instanceof Superseded) throw error;
        if (isApiError(error, WRONG_LAST_SEQUENCE)) throw new Superseded(afterSeq, error);
      }
      await sleep(RETRY_PAUSE_ms, signal);
    }
  }

  /** The last message whose first command has at most this number; 0 if the stream is empty or begins later. */
  async seqOf(number: number): Promise<number> {
    const { manager, names } = this.#link;
    const { first_seq, last_seq, messages } = (await manager.streams.info(names.stream)).state;
    if (messages === 0) return 0;
    let low = first_seq - 1;
    let high = last_seq;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await this.read(middle)).firstNumber <= number) low = middle;
      else high = middle - 1;
    }
    return low < first_seq ? 0 : low;
  }

  /** LOG-8: removes the messages before the one that contains this command. Returns how many. */
  async forgetBefore(number: number): Promise<number> {
    const { manager, names } = this.#link;
    const seq = await this.seqOf(number);
    return seq === 0 ? 0 : (await manager.streams.purge(names.stream, { seq })).purged;
  }

  /**
   * Yields the packs behind the message `afterSeq`, without gaps, until the signal is aborted. Reconnects if a NATS
   * server fails.
   */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<PlacedPack> {
    let last = afterSeq;
    while (!signal.aborted) {
      let messages: ConsumerMessages | undefined;
      const stop = () => void messages?.close();
      try {
        messages = await this.#consume(last + 1);
        signal.addEventListener("abort", stop);
        // The signal was aborted while the consumer was created, before the listener was added.
        if (signal.aborted) return;
        void closeWhenSilent(messages);
        for await (const message of messages) {
          if (message.seq !== last + 1) {
            await this.#assertHas(last + 1);
            break;
          }
          last = message.seq;
          yield this.#placed(message);
        }
      } catch (error) {
        // A faulty message stays faulty; other errors pass, and the loop tries again.
        if (error instanceof LogFault) throw error;
      } finally {
        signal.removeEventListener("abort", stop);
        // Not awaited: it resolves only when the remaining messages are read.
        stop();
      }
      await sleep(RETRY_PAUSE_ms, signal);
    }
  }

  async #assertHas(seq: number): Promise<void> {
    const { manager, names } = this.#link;
    if ((await manager.streams.info(names.stream)).state.first_seq <= seq) return;
    throw new LogFault(
      `${names.stream} has no message ${seq} any more: this member was behind for too long. Start it with an empty folder`,
    );
  }

  #consume(fromSeq: number): Promise<ConsumerMessages> {
    const { jetstream, names } = this.#link;
    return jetstream.consumers
      .get(names.stream, { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: fromSeq })
      .then((consumer) => consumer.consume({ expires: REQUEST_EXPIRES_ms, idle_heartbeat: HEARTBEAT_ms }));
  }

  #placed(message: JsMsg): PlacedPack {
    return { ...this.#decode(message.data, message.seq), seq: message.seq };
  }

  #decode(data: Uint8Array, seq: number): Pack {
    return decodePack(data, `message ${seq} of ${this.#link.names.stream}`);
  }
}

function identityOf(description: string | undefined): string {
  if (description?.startsWith(DESCRIPTION)) return description.slice(DESCRIPTION.length);
  throw new LogFault("the stream of commands was made by something else");
}

/** Closes a consumer whose server is gone. Missing heartbeats distinguish it from a consumer without new messages. */
async function closeWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const status of messages.status()) {
    const isSilent = status.type === "heartbeats_missed" && status.count >= MAX_MISSED_HEARTBEATS;
    const isGone = status.type === "consumer_not_found" || status.type === "no_responders";
    if (isSilent || isGone) void messages.close();
  }
}
