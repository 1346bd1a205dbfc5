import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DIGEST_bytes, type Engine, NEWEST_RULES } from "@bourse/engine";
import { Journal } from "../../kernel/journal/journal.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import {
  continueSegment,
  createSegment,
  journalFolder,
  listSegments,
  removeUnfinished,
  type SegmentFile,
  type SegmentUse,
  segmentPath,
} from "../../kernel/journal/segments.ts";
import { type Applied, appliedOf } from "../host/exchange.ts";
import { chainFrom, openSegmentReader, replaySegments } from "./replay.ts";
import { engineFromNewest, listSnapshots, snapshotFolder } from "./snapshots.ts";
import { Wallets } from "./wallets.ts";

export interface RecoverOptions {
  /** The data folder, which no other process uses: the log is in `journal/`, snapshots are in `snapshots/`. */
  readonly folder: string;
  /** The last command that the projector has written; infinite if no later command is to be passed on. */
  readonly projectedNumber: number;
  /** Receives every command after `projectedNumber`, in order; recovery awaits its promise. */
  readonly onApplied?: (applied: Applied) => void | Promise<void>;
  /** Lines for the operator: what was cut off or ignored, and the progress of a long recovery. */
  readonly onProgress?: (line: string) => void;
  readonly segment_bytes?: number;
  /** Stops after this command, for a process that reads the rest by following the log. */
  readonly until?: number;
  /** If this log is a copy of another one: appends what it lacks before it is read. */
  readonly complete?: (log: Journal) => Promise<void>;
  /** Whether this log is a copy of one that is durable elsewhere: then it is not synced. */
  readonly isCopy?: boolean;
  /** Wraps the journal's files, for tests of disk failures. */
  readonly disk?: JournalDisk;
}

/** Returns the file that the journal writes to instead of `file`, whose path is `path`. */
export type JournalDisk = (file: SegmentFile, path: string) => SegmentFile;

export interface Recovered {
  /** In the state after the last command of the log. */
  readonly engine: Engine;
  /** Appends behind the last command of the log. */
  readonly log: Journal;
  /** The last command of the snapshot used; 0 without one. */
  readonly snapshotNumber: number;
  /** Commands applied after the snapshot. */
  readonly replayed: number;
  /** Bytes of an unfinished write at the end of the log. Its commands were never acknowledged. */
  readonly torn_bytes: number;
  /** LOG-1: whose the accounts are, as far as the log says. */
  readonly wallets: Wallets;
}

const SHOW_EVERY_ms = 2_000;
const TURN_EVERY_commands = 4_096;

/**
 * Restores the engine after the last durable command: the newest snapshot at or before the projector's cursor, and
 * every command since. Commands that the database lacks are passed to `onApplied`. Throws a `LogFault` if the log is
 * damaged, of another engine version, or behind the database.
 */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { folder, projectedNumber, segment_bytes, onProgress = () => {}, disk = (file) => file } = options;
  removeUnfinished(journalFolder(folder));
  removeUnfinished(snapshotFolder(folder));
  const use = { isCopy: options.isCopy };
  const tail = await openTail(folder, use, onProgress);
  const { file, path, lastNumber: foundNumber, torn_bytes } = tail;
  const log = new Journal({
    segment: disk(file, path),
    nextNumber: foundNumber + 1,
    at: tail,
    createSegment: async (header) =>
      disk(await createSegment(folder, header, use), segmentPath(folder, header.firstNumber)),
    ...(segment_bytes === undefined ? {} : { segment_bytes }),
  });
  try {
    await options.complete?.(log);
    const lastNumber = Math.min(log.nextNumber - 1, options.until ?? Number.POSITIVE_INFINITY);
    assertSameHistory(folder, projectedNumber, log.nextNumber - 1);
    const wallets = new Wallets();
    const engine = engineFromNewest(folder, projectedNumber, onProgress, wallets);
    const snapshotNumber = engine.state.commandNumber;
    await replay(options, engine, lastNumber, wallets);
    // A crash may have come between a change of rules and the segment that says so.
    if (options.until === undefined) log.followRules(engine.state.rulesVersion, () => chainFrom(engine.state));
    return { engine, log, snapshotNumber, replayed: lastNumber - snapshotNumber, torn_bytes, wallets };
  } catch (error) {
    await log.close();
    throw error;
  }
}

interface Tail {
  readonly file: SegmentFile;
  readonly path: string;
  readonly lastNumber: number;
  readonly torn_bytes: number;
  readonly rulesVersion: number;
  readonly chain: Buffer | undefined;
}

/** Makes the end of the log durable before any of it is used. */
async function openTail(folder: string, use: SegmentUse, onProgress: (line: string) => void): Promise<Tail> {
  const last = listSegments(folder).at(-1);
  if (last === undefined) {
    // No two exchanges have the same chain, so that a segment of another one is found out.
    const start = { rulesVersion: NEWEST_RULES, chain: randomBytes(DIGEST_bytes) };
    const file = await createSegment(folder, { firstNumber: 1, ...start }, use);
    return { file, path: segmentPath(folder, 1), lastNumber: 0, torn_bytes: 0, ...start };
  }
  const reader = openSegmentReader(last);
  try {
    reader.skipAll();
  } finally {
    reader.close();
  }
  const { torn_bytes, lastNumber, offset_bytes, chain, header } = reader;
  if (torn_bytes > 0) {
    const kept = `command ${lastNumber} is the last one`;
    onProgress(`the log's last write was not finished: ${torn_bytes} bytes of ${last.path} are cut off, ${kept}`);
  }
  const file = await continueSegment(last.path, offset_bytes, use);
  return { file, path: last.path, lastNumber, torn_bytes, rulesVersion: header.rulesVersion, chain };
}

function assertSameHistory(folder: string, projectedNumber: number, lastNumber: number): void {
  if (projectedNumber > lastNumber && projectedNumber !== Number.POSITIVE_INFINITY) {
    const both = `the database has seen command ${projectedNumber}, the log in ${journalFolder(folder)}`;
    throw new LogFault(
      `${both} ends with command ${lastNumber}: they do not belong together, or part of the log is lost`,
    );
  }
  const newest = listSnapshots(folder).at(-1);
  if (newest === undefined || newest.number <= lastNumber) return;
  throw new LogFault(`${newest.path} has seen more than the log, which ends with command ${lastNumber}`);
}

async function replay(options: RecoverOptions, engine: Engine, lastNumber: number, wallets: Wallets): Promise<void> {
  const { folder, projectedNumber, onApplied } = options;
  const { state } = engine;
  const progress = new Progress(engine, lastNumber, options.onProgress);
  for (const command of replaySegments(folder, engine, lastNumber)) {
    wallets.see(command, state);
    if (onApplied !== undefined && state.commandNumber > projectedNumber) {
      const waiting = onApplied(appliedOf(engine, command));
      if (waiting !== undefined) await waiting;
    }
    if (state.commandNumber % TURN_EVERY_commands !== 0) continue;
    progress.tick();
    // Lets signals and timers run during a long recovery.
    await nextTurn();
  }
}

class Progress {
  readonly #engine: Engine;
  readonly #firstNumber: number;
  readonly #lastNumber: number;
  readonly #show: ((line: string) => void) | undefined;
  readonly #started_ms = performance.now();
  #shown_ms = this.#started_ms;

  constructor(engine: Engine, lastNumber: number, show: ((line: string) => void) | undefined) {
    this.#engine = engine;
    this.#firstNumber = engine.state.commandNumber;
    this.#lastNumber = lastNumber;
    this.#show = show;
  }

  tick(): void {
    const now_ms = performance.now();
    if (now_ms - this.#shown_ms < SHOW_EVERY_ms) return;
    this.#shown_ms = now_ms;
    const done = this.#engine.state.commandNumber - this.#firstNumber;
    const perSecond = done / ((now_ms - this.#started_ms) / 1_000);
    const of = `${count(done)} of ${count(this.#lastNumber - this.#firstNumber)} commands`;
    this.#show?.(`recovering: ${of}, ${count(perSecond)} a second`);
  }
}

const count = (value: number) => Math.round(value).toLocaleString("en-US");
