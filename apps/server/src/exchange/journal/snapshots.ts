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
/** Of those that recovery may start from. Should the newest be damaged there is another. */
const KEPT_SNAPSHOTS = 2;

export interface SnapshotFile {
  readonly path: string;
  /** The number of the last command that it has seen. */
  readonly number: number;
}

export const snapshotFolder = (folder: string) => join(folder, "snapshots");

export function listSnapshots(folder: string): SnapshotFile[] {
  return numberedFiles(snapshotFolder(folder), SNAPSHOT_NAME);
}

/** Told of a snapshot that cannot be used, which is named in the line. */
export type OnPassedOver = (line: string, path: string) => void;

/**
 * An engine with the newest snapshot that has seen no command after `mostNumber`, a new engine where there is none. One
 * of another engine version or with damage is passed over.
 */
export function engineFromNewest(folder: string, mostNumber: number, onPassedOver: OnPassedOver): Engine {
  for (const { path, number } of listSnapshots(folder).reverse()) {
    if (number > mostNumber) continue;
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

/** Writes a snapshot of the state with this hash, reads it back and only then gives it its name. */
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
  /** Paths of snapshots that nothing can begin with: they do not count. */
  readonly unusable?: ReadonlySet<string>;
}

/** Removes snapshots that recovery will not go back to, and where asked for the segments that it will not either. */
export async function pruneBefore(folder: string, pruning: Pruning): Promise<void> {
  const { projectedNumber, prunesSegments, unusable } = pruning;
  const all = listSnapshots(folder);
  const passed = all.filter(({ number, path }) => number <= projectedNumber && unusable?.has(path) !== true);
  const kept = passed.slice(-KEPT_SNAPSHOTS);
  // With a single snapshot the log's beginning is what there is to fall back on.
  if (kept.length < KEPT_SNAPSHOTS) return;
  for (const { path, number } of all) {
    if (number < kept[0]!.number) rmSync(path);
  }
  if (!prunesSegments) return;
  const segments = listSegments(folder);
  // From the oldest on, one by one: a crash in between leaves no gap.
  for (const [place, { path }] of segments.entries()) {
    const next = segments[place + 1];
    if (next === undefined || next.firstNumber > kept[0]!.number + 1) break;
    rmSync(path);
    await syncFolder(journalFolder(folder));
  }
}
