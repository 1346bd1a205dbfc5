import type { CommandLog, Origin } from "../../kernel/journal/command-log.ts";
import type { Journal } from "../../kernel/journal/journal.ts";
import type { CommandStream } from "./command-stream.ts";
import { type PackedRecord, packedLength } from "./pack.ts";

/** What a message may hold: servers take a megabyte by default. */
const MAX_PER_MESSAGE_bytes = 524_288;

export interface StreamLogOptions {
  readonly stream: Pick<CommandStream, "write">;
  /** The copy on this machine's disk: from it snapshots are made and a restart begins. */
  readonly copy: Pick<Journal, "append" | "close" | "place" | "followRules">;
  readonly term: number;
  /** Of the last message in the stream, which this term has begun with. */
  readonly lastSeq: number;
  readonly nextNumber: number;
  /** Given when this process leads no longer: nothing is written any more. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly records: readonly PackedRecord[];
  readonly done: PromiseWithResolvers<void>;
}

/**
 * The command log of the engine that leads. One message is on its way at a time, behind a place of the stream that it names,
 * so that a message of somebody else's can never come in between; what is appended meanwhile goes with the next one.
 */
export class StreamLog implements CommandLog {
  readonly #options: StreamLogOptions;
  #queue: Waiting[] = [];
  #lastSeq: number;
  #nextNumber: number;
  #takenNumber: number;
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: StreamLogOptions) {
    this.#options = options;
    this.#lastSeq = options.lastSeq;
    this.#nextNumber = options.nextNumber;
    this.#takenNumber = options.nextNumber - 1;
  }

  /** The last command that was handed over: others may see it in the stream before this process hears that it arrived. */
  get takenNumber(): number {
    return this.#takenNumber;
  }

  append(records: readonly Uint8Array[], origins: readonly (Origin | undefined)[] = []): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const done = Promise.withResolvers<void>();
    this.#takenNumber += records.length;
    this.#queue.push({ records: records.map((bytes, place) => ({ bytes, origin: origins[place] })), done });
    this.#running ??= this.#run();
    return done.promise;
  }

  followRules(rulesVersion: number, chain: () => Buffer): void {
    this.#options.copy.followRules(rulesVersion, chain);
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#options.copy.close();
  }

  async #run(): Promise<void> {
    await undefined;
    while (this.#queue.length > 0) {
      const taken = this.#queue.splice(0);
      try {
        await this.#write(taken.flatMap(({ records }) => records));
      } catch (error) {
        this.#failure = error;
        for (const { done } of [...taken, ...this.#queue.splice(0)]) done.reject(error);
        break;
      }
      for (const { done } of taken) done.resolve();
      await undefined;
    }
    this.#running = undefined;
  }

  async #write(records: readonly PackedRecord[]): Promise<void> {
    const { stream, copy, term, signal } = this.#options;
    for (let at = 0; at < records.length; ) {
      const part = takePart(records, at);
      const pack = { term, firstNumber: this.#nextNumber, records: part, place: copy.place };
      this.#lastSeq = await stream.write(pack, this.#lastSeq, signal);
      this.#nextNumber += part.length;
      at += part.length;
      await copy.append(part.map(({ bytes }) => bytes));
    }
  }
}

/** As many as fit into a message, one at least. */
function takePart(records: readonly PackedRecord[], from: number): readonly PackedRecord[] {
  let length_bytes = 0;
  let end = from;
  while (end < records.length) {
    length_bytes += packedLength(records[end]!.bytes);
    if (end > from && length_bytes > MAX_PER_MESSAGE_bytes) break;
    end += 1;
  }
  return records.slice(from, end);
}
