import { OLDEST_RULES } from "@bourse/engine";
import { type CommandLog, MAX_APPEND_bytes, MAX_RECORD_bytes } from "./command-log.ts";
import { ChainedFraming, type Framing, plainFraming } from "./framing.ts";
import { LogBuffer } from "./log-buffer.ts";
import { CHAINED_HEADER_bytes, FRAME_bytes, formatOfRules, PLAIN_FORMAT, type SegmentHeader } from "./log-format.ts";
import type { SegmentFile } from "./segments.ts";

/** A segment that would exceed this size is followed by a new one. */
export const SEGMENT_bytes = 67_108_864;

export interface JournalOptions {
  /** The last segment, to be continued. */
  readonly segment: SegmentFile;
  /** The number of the next command. */
  readonly nextNumber: number;
  readonly createSegment: (header: SegmentHeader) => Promise<SegmentFile>;
  /** The rules that hold at its end, and the chain there; format 1 without it. */
  readonly at?: JournalPlace;
  readonly segment_bytes?: number;
}

const FIRST_PLACE: JournalPlace = { rulesVersion: OLDEST_RULES, chain: undefined };

/** What the next segment says about the log so far. */
export type JournalPlace = Omit<SegmentHeader, "firstNumber">;

/** The records of one write and one sync, and the callers that wait for them. */
class Group {
  readonly frames = new LogBuffer();
  count = 0;
  /** Before its first frame. */
  place: JournalPlace = FIRST_PLACE;
  /** Whether other rules hold than in the segment before it. */
  beginsSegment = false;
  done = Promise.withResolvers<void>();

  clear(): void {
    this.frames.clear();
    this.count = 0;
    this.beginsSegment = false;
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
  /** Of the next record that is appended; ahead of `#nextNumber` while records are written. */
  #nextTaken: number;
  #rulesVersion: number;
  #framing: Framing;
  #isSegmentDue = false;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#segment = options.segment;
    this.#nextNumber = options.nextNumber;
    this.#nextTaken = options.nextNumber;
    const { rulesVersion, chain } = options.at ?? FIRST_PLACE;
    this.#rulesVersion = rulesVersion;
    this.#framing = chain === undefined ? plainFraming : new ChainedFraming(chain);
    this.#segmentBytes = options.segment_bytes ?? SEGMENT_bytes;
  }

  /** The number of the next command that is not durable yet. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** After the last appended frame. */
  get place(): JournalPlace {
    return { rulesVersion: this.#rulesVersion, chain: this.#framing.chain };
  }

  /**
   * LOG-5: writes what is appended from now on in a segment that says that these rules hold, in their format. `chain` is the one it
   * begins with where frames were not chained before.
   */
  followRules(rulesVersion: number, chain: () => Buffer): void {
    if (rulesVersion === this.#rulesVersion) return;
    const isChained = this.#framing.chain !== undefined || formatOfRules(rulesVersion) === PLAIN_FORMAT;
    this.#begin(rulesVersion, isChained ? this.#framing : new ChainedFraming(chain()));
  }

  /** For a copy that has nothing yet: it begins as the log does that it is a copy of. */
  beginAs({ rulesVersion, chain }: JournalPlace): void {
    if (this.#nextTaken !== 1) throw new Error("the journal has begun already");
    this.#begin(rulesVersion, chain === undefined ? plainFraming : new ChainedFraming(chain));
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
    this.#framing.write(group.frames, records, this.#nextTaken);
    this.#nextTaken += records.length;
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

  #begin(rulesVersion: number, framing: Framing): void {
    this.#rulesVersion = rulesVersion;
    this.#framing = framing;
    this.#isSegmentDue = true;
  }

  #refuse(what: string): Promise<void> {
    this.#failure = new RangeError(`${what} cannot be logged`);
    return Promise.reject(this.#failure);
  }

  #groupFor(size_bytes: number): Group {
    const last = this.#isSegmentDue ? undefined : this.#queue.at(-1);
    if (last !== undefined && last.frames.length + size_bytes <= MAX_APPEND_bytes) return last;
    const group = this.#spare ?? new Group();
    this.#spare = undefined;
    group.place = this.place;
    group.beginsSegment = this.#isSegmentDue;
    this.#isSegmentDue = false;
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
    const isFull = size_bytes > CHAINED_HEADER_bytes && size_bytes + group.frames.length > this.#segmentBytes;
    if (isFull || group.beginsSegment) await this.#roll(group.place);
    await this.#segment.append(group.frames.bytes);
    this.#nextNumber += group.count;
  }

  /** Everything in the old segment is synced already. */
  async #roll(place: JournalPlace): Promise<void> {
    const full = this.#segment;
    this.#segment = await this.#options.createSegment({ firstNumber: this.#nextNumber, ...place });
    await full.close();
  }

  #die(cause: unknown, group: Group): void {
    // The system's own message may name the file, which readiness would show publicly; its code says why.
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    this.#failure ??= new Error(`the command log could not be written${code}`, { cause });
    for (const { done } of [group, ...this.#queue.splice(0)]) done.reject(this.#failure);
  }
}
