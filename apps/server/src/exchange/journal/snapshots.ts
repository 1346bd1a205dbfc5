import { readFileSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { Engine, NEWEST_RULES, readSnapshot, SnapshotFault, State, stateHash, writeSnapshot } from "@bourse/engine";
import { LogReader } from "../../kernel/journal/log-reader.ts";
import {
  journalFolder,
  listSegments,
  numbered,
  numberedFiles,
  syncFolder,
  UNFINISHED,
} from "../../kernel/journal/segments.ts";

const SNAPSHOT_NAME = /^(\d{16})\.snapshot$/;
/** Snapshots that recovery can use; the second is there in case the newest is damaged. */
const KEPT_SNAPSHOTS = 2;

export interface SnapshotFile {
  readonly path: string;
  /** The number of its last command. */
  readonly number: number;
}

export const snapshotFolder = (folder: string) => join(folder, "snapshots");

export function listSnapshots(folder: string): SnapshotFile[] {
  return numberedFiles(snapshotFolder(folder), SNAPSHOT_NAME);
}

/** Receives a message about a snapshot that cannot be used, and its path. */
export type OnPassedOver = (line: string, path: string) => void;

/**
 * An engine from the newest snapshot at or before command `maxNumber`, or a new engine if there is none. Snapshots that
 * are damaged or of another engine version are ignored.
 */
export function engineFromNewest(folder: string, maxNumber: number, onPassedOver: OnPassedOver): Engine {
  for (const { path, number } of listSnapshots(folder).reverse()) {
    if (number > maxNumber) continue;
    try {
      const engine = readSnapshot(readFileSync(path));
      if (engine.state.commandNumber === number) return engine;
      onPassedOver(`${path} is passed over: it has seen ${engine.state.commandNumber} commands`, path);
    } catch (error) {
      if (!(error instanceof SnapshotFault)) throw error;
      onPassedOver(`${path} is passed over: ${error.message}`, path);
    }
  }
  return new Engine(new State(firstRulesOf(folder)));
}

/** The rules that the log begins with; a new log begins with the newest. */
function firstRulesOf(folder: string): number {
  const [first] = listSegments(folder);
  if (first === undefined) return NEWEST_RULES;
  const reader = new LogReader(first.path);
  reader.close();
  return reader.header.rulesVersion;
}

/** Writes a snapshot, reads it back, compares the hash, and only then renames it to its final name. */
export async function saveSnapshot(folder: string, engine: Engine, hash: string): Promise<void> {
  const path = join(snapshotFolder(folder), numbered(engine.state.commandNumber, ".snapshot"));
  const unfinished = `${path}${UNFINISHED}`;
  const handle = await open(unfinished, "w");
  try {
    await handle.writeFile(writeSnapshot(engine.state));
    await handle.sync();
  } finally {
    await handle.close();
  }
  const found = stateHash(readSnapshot(readFileSync(unfinished)).state);
  if (found !== hash) throw new Error(`the snapshot ${path} was read back with the hash ${found} instead of ${hash}`);
  await rename(unfinished, path);
  await syncFolder(snapshotFolder(folder));
}

interface Pruning {
  /** The projector's cursor. */
  readonly projectedNumber: number;
  readonly prunesSegments: boolean;
  /** Paths of snapshots that cannot be used; they do not count as kept. */
  readonly unusable?: ReadonlySet<string>;
}

/** Removes snapshots that recovery no longer needs and, if requested, segments too. */
export async function pruneBefore(folder: string, pruning: Pruning): Promise<void> {
  const { projectedNumber, prunesSegments, unusable } = pruning;
  const all = listSnapshots(folder);
  const passed = all.filter(({ number, path }) => number <= projectedNumber && unusable?.has(path) !== true);
  const kept = passed.slice(-KEPT_SNAPSHOTS);
  // With a single usable snapshot the whole log is kept, in case that snapshot is damaged.
  if (kept.length < KEPT_SNAPSHOTS) return;
  for (const { path, number } of all) {
    if (number < kept[0]!.number) rmSync(path);
  }
  if (!prunesSegments) return;
  const segments = listSegments(folder);
  // Oldest first and one by one, so that a crash leaves no gap.
  for (const [place, { path }] of segments.entries()) {
    const next = segments[place + 1];
    if (next === undefined || next.firstNumber > kept[0]!.number + 1) break;
    rmSync(path);
    await syncFolder(journalFolder(folder));
  }
}
