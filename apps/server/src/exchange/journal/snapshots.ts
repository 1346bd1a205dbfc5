import { existsSync, readFileSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { Engine, NEWEST_RULES, readSnapshot, SnapshotFault, State, stateHash, writeSnapshot } from "@bourse/engine";
import { LogReader } from "../../kernel/journal/log-reader.ts";
import { listSegments, numbered, numberedFiles, syncFolder, UNFINISHED } from "../../kernel/journal/segments.ts";
import { removeSegments, type SegmentRetention } from "./segment-retention.ts";
import type { Wallets } from "./wallets.ts";

const SNAPSHOT_NAME = /^(\d{16})\.snapshot$/;
/** Snapshots that recovery can use; the second is there in case the newest is damaged. */
const KEPT_SNAPSHOTS = 2;

export interface SnapshotFile {
  readonly path: string;
  /** The number of its last command. */
  readonly number: number;
}

export const snapshotFolder = (folder: string) => join(folder, "snapshots");

export const snapshotPath = (folder: string, number: number) =>
  join(snapshotFolder(folder), numbered(number, ".snapshot"));

export function listSnapshots(folder: string): SnapshotFile[] {
  return numberedFiles(snapshotFolder(folder), SNAPSHOT_NAME);
}

/** Receives a message about a snapshot that cannot be used, and its path. */
export type OnPassedOver = (line: string, path: string) => void;

/**
 * An engine from the newest snapshot at or before command `maxNumber`, or a new engine if there is none. Snapshots that
 * are damaged or need rules of a later release are ignored, and so are those without their wallets where these are asked for.
 */
export function engineFromNewest(
  folder: string,
  maxNumber: number,
  onPassedOver: OnPassedOver,
  wallets?: Wallets,
): Engine {
  for (const { path, number } of listSnapshots(folder).reverse()) {
    if (number > maxNumber) continue;
    try {
      const engine = readSnapshot(readFileSync(path));
      const { state } = engine;
      const isNamedRight = state.commandNumber === number;
      const problem = isNamedRight
        ? wallets?.load(walletsPath(path), state)
        : `it has seen ${state.commandNumber} commands`;
      if (problem === undefined) return engine;
      onPassedOver(`${path} is passed over: ${problem}`, path);
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

/** LOG-1: the private file beside a snapshot. */
export const walletsPath = (snapshot: string) => snapshot.replace(/\.snapshot$/, ".wallets");

/** A snapshot and its wallets, where it has some; the snapshot last, so that a copy that was cut short has none without them. */
export function filesOfSnapshot({ path }: Pick<SnapshotFile, "path">): readonly string[] {
  const wallets = walletsPath(path);
  return existsSync(wallets) ? [wallets, path] : [path];
}

/** Writes a snapshot, reads it back, compares the hash, and only then renames it to its final name. Its wallets are there by then. */
export async function saveSnapshot(folder: string, engine: Engine, hash: string, wallets: Wallets): Promise<void> {
  const path = snapshotPath(folder, engine.state.commandNumber);
  const unfinished = `${path}${UNFINISHED}`;
  if (wallets.count > 0) await writeSynced(walletsPath(path), wallets.bytes());
  await writeSynced(unfinished, writeSnapshot(engine.state));
  const found = stateHash(readSnapshot(readFileSync(unfinished)).state);
  if (found !== hash) throw new Error(`the snapshot ${path} was read back with the hash ${found} instead of ${hash}`);
  await rename(unfinished, path);
  await syncFolder(snapshotFolder(folder));
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "w");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Pruning {
  /** The projector's cursor. */
  readonly projectedNumber: number;
  /** The time of the log's end. */
  readonly now_ms: number;
  /** Without it all segments stay. */
  readonly segments?: SegmentRetention | undefined;
  /** Paths of snapshots that cannot be used; they do not count as kept. */
  readonly unusable?: ReadonlySet<string>;
}

/** Removes snapshots that recovery no longer needs and, if requested, segments too. */
export async function pruneBefore(folder: string, pruning: Pruning): Promise<void> {
  const { projectedNumber, now_ms, segments, unusable } = pruning;
  const all = listSnapshots(folder);
  const passed = all.filter(({ number, path }) => number <= projectedNumber && unusable?.has(path) !== true);
  const kept = passed.slice(-KEPT_SNAPSHOTS);
  // With a single usable snapshot the whole log is kept, in case that snapshot is damaged.
  if (kept.length < KEPT_SNAPSHOTS) return;
  const neededAfter = kept[0]!.number;
  for (const { path, number } of all) {
    if (number >= neededAfter) continue;
    rmSync(path);
    rmSync(walletsPath(path), { force: true });
  }
  if (segments !== undefined) await removeSegments(folder, segments, { neededAfter, now_ms });
}
