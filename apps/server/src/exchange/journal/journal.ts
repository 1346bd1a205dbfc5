import { type CommandLog, MOST_APPEND_bytes, MOST_RECORD_bytes } from "../host/command-log.ts";
import { LogBuffer } from "./log-buffer.ts";
import { FRAME_bytes, HEADER_bytes } from "./log-format.ts";
import type { SegmentFile } from "./segments.ts";

/** A segment that would grow beyond it is followed by a new one. */
export const SEGMENT_bytes = 67_108_864;

export interface JournalOptions {
  /** The last segment, to go on with. */
  readonly segment: SegmentFile;
  /** The number of the next command. */
  readonly nextNumber: number;
  readonly createSegment: (firstNumber: number) => Promise<SegmentFile>;
  readonly segment_bytes?: number;
}

/** What goes to the disk with one write and one sync, and those who wait for it. */
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
 * The durable log: segments of records, appended in groups. While one group is written and synced, the next gathers. A
 * write or sync that fails kills the journal for good: nobody knows what is on the disk then, and a later sync would
 * not tell. Recovery is a restart.
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

  /** The number that the next command will have that is not durable yet. */
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
      // A reader would take such a record for damage, and all that is behind it.
      if (length === 0 || length > MOST_RECORD_bytes) return this.#refuse(`a record of ${length} bytes`);
      size_bytes += FRAME_bytes + length;
    }
    if (size_bytes > MOST_APPEND_bytes) return this.#refuse(`${size_bytes} bytes at once`);
    const group = this.#groupFor(size_bytes);
    for (const record of records) group.frames.record(record);
    group.count += records.length;
    this.#running ??= this.#run();
    return group.done.promise;
  }

  /** Finishes what was handed over. */
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
    if (last !== undefined && last.frames.length + size_bytes <= MOST_APPEND_bytes) return last;
    const group = this.#spare ?? new Group();
    this.#spare = undefined;
    this.#queue.push(group);
    return group;
  }

  async #run(): Promise<void> {
    // Whoever was answered just now and asks for more at once comes into the same group as the others.
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

  /** All that is in the old segment is synced already. */
  async #roll(): Promise<void> {
    const full = this.#segment;
    this.#segment = await this.#options.createSegment(this.#nextNumber);
    await full.close();
  }

  #die(cause: unknown, group: Group): void {
    // The system's own message may name the file, which readiness would show to anyone; its code says why.
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    this.#failure ??= new Error(`the command log could not be written${code}`, { cause });
    for (const { done } of [group, ...this.#queue.splice(0)]) done.reject(this.#failure);
  }
}
