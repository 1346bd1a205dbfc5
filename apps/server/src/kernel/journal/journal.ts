import { type CommandLog, MAX_APPEND_bytes, MAX_RECORD_bytes } from "./command-log.ts";
import { LogBuffer } from "./log-buffer.ts";
import { FRAME_bytes, HEADER_bytes } from "./log-format.ts";
import type { SegmentFile } from "./segments.ts";

/** A segment that would exceed this size is followed by a new one. */
export const SEGMENT_bytes = 67_108_864;

export interface JournalOptions {
  /** The last segment, to be continued. */
  readonly segment: SegmentFile;
  /** The number of the next command. */
  readonly nextNumber: number;
  readonly createSegment: (firstNumber: number) => Promise<SegmentFile>;
  readonly segment_bytes?: number;
}

/** The records of one write and one sync, and the callers that wait for them. */
class Group {
  readonly frames = new LogBuffer();
  count = 0;
  done = Promise.withResolvers<void>();

  clear(): void {
    this.frames.clear();
    this.count = 0;
    this.done = Promise.withResolvers<void>();
  }
}

/**
 * The durable log: segments of records, appended in groups. While one group is written and synced, the next one is collected. A
 * failed write or sync stops the journal permanently, because the contents of the disk are unknown then and a later sync would not
 * reveal them. The recovery is a restart.
 */
export class Journal implements CommandLog {
  readonly #options: JournalOptions;
  readonly #segmentBytes: number;
  readonly #queue: Group[] = [];
  #spare: Group | undefined;
  #segment: SegmentFile;
  #nextNumber: number;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#segment = options.segment;
    this.#nextNumber = options.nextNumber;
    this.#segmentBytes = options.segment_bytes ?? SEGMENT_bytes;
  }

  /** The number of the next command that is not durable yet. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  append(records: readonly Uint8Array[]): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closing !== undefined) return Promise.reject(new Error("the journal is closed"));
    let size_bytes = 0;
    for (const { length } of records) {
      // A reader would treat such a record, and everything after it, as damage.
      if (length === 0 || length > MAX_RECORD_bytes) return this.#refuse(`a record of ${length} bytes`);
      size_bytes += FRAME_bytes + length;
    }
    if (size_bytes > MAX_APPEND_bytes) return this.#refuse(`${size_bytes} bytes at once`);
    const group = this.#groupFor(size_bytes);
    for (const record of records) group.frames.record(record);
    group.count += records.length;
    this.#running ??= this.#run();
    return group.done.promise;
  }

  /** Finishes accepted records. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#running;
    await this.#segment.close();
  }

  #refuse(what: string): Promise<void> {
    this.#failure = new RangeError(`${what} cannot be logged`);
    return Promise.reject(this.#failure);
  }

  #groupFor(size_bytes: number): Group {
    const last = this.#queue.at(-1);
    if (last !== undefined && last.frames.length + size_bytes <= MAX_APPEND_bytes) return last;
    const group = this.#spare ?? new Group();
    this.#spare = undefined;
    this.#queue.push(group);
    return group;
  }

  async #run(): Promise<void> {
    // Lets callers that were just answered and append again at once join the same group.
    await undefined;
    for (let group = this.#queue.shift(); group !== undefined; group = this.#queue.shift()) {
      try {
        await this.#commit(group);
      } catch (error) {
        this.#die(error, group);
        break;
      }
      group.done.resolve();
      group.clear();
      this.#spare = group;
      await undefined;
    }
    this.#running = undefined;
  }

  async #commit(group: Group): Promise<void> {
    const { size_bytes } = this.#segment;
    if (size_bytes > HEADER_bytes && size_bytes + group.frames.length > this.#segmentBytes) await this.#roll();
    await this.#segment.write(group.frames.bytes);
    await this.#segment.sync();
    this.#nextNumber += group.count;
  }

  /** Everything in the old segment is synced already. */
  async #roll(): Promise<void> {
    const full = this.#segment;
    this.#segment = await this.#options.createSegment(this.#nextNumber);
    await full.close();
  }

  #die(cause: unknown, group: Group): void {
    // The system's own message may name the file, which readiness would show publicly; its code says why.
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    this.#failure ??= new Error(`the command log could not be written${code}`, { cause });
    for (const { done } of [group, ...this.#queue.splice(0)]) done.reject(this.#failure);
  }
}
