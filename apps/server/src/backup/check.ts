import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Engine, readSnapshot, SnapshotFault, stateHash } from "@bourse/engine";
import { readChainLog } from "../chain/index.ts";
import {
  engineFromNewest,
  listSnapshots,
  openSegmentReader,
  replaySegments,
  type SnapshotFile,
} from "../exchange/index.ts";
import { LogFault } from "../kernel/journal/log-format.ts";
import { listSegments } from "../kernel/journal/segments.ts";
import { BackupFault } from "./fault.ts";
import { count, filesBelow, hashOf, megabytes, Progress, type Say } from "./files.ts";
import { DATABASE_FOLDER, DUMP, MANIFEST, type Manifest, type Part, readManifest, SECRETS } from "./manifest.ts";
import { chainFolder } from "./marks.ts";

/** A line of the table that `npm run verify` prints. */
export interface Finding {
  readonly what: string;
  readonly files: number;
  readonly size_bytes: number;
  readonly finding: string;
}

export interface Checked {
  readonly manifest: Manifest;
  readonly findings: readonly Finding[];
}

const ELSEWHERE = "take it from another copy of this backup, or use another backup";

/** Checks everything that can be checked without a server; throws a `BackupFault` at the first thing that is wrong. */
export async function checkBackup(folder: string, say: Say): Promise<Checked> {
  const manifest = readManifest(folder);
  assertComplete(folder, manifest);
  await assertUnchanged(folder, manifest, say);
  try {
    const log = checkLog(folder, manifest, say);
    const state = checkState(folder, manifest, say);
    const blocks = checkChain(folder, manifest);
    return { manifest, findings: tableOf(folder, manifest, { log, state, blocks }) };
  } catch (error) {
    if (error instanceof LogFault) throw new BackupFault(`${error.message}: ${ELSEWHERE}`);
    throw error;
  }
}

/** Every part is there, with its size, and nothing else. */
function assertComplete(folder: string, { parts, folders }: Manifest): void {
  const known = new Set([MANIFEST, ...parts.map(({ path }) => path)]);
  for (const { path, size_bytes } of parts) {
    const place = join(folder, path);
    if (!existsSync(place)) throw new BackupFault(`${place} is missing: ${ELSEWHERE}`);
    const found = statSync(place).size;
    if (found !== size_bytes) {
      throw new BackupFault(`${place} has ${found} bytes, the manifest says ${size_bytes}: ${ELSEWHERE}`);
    }
  }
  for (const path of filesBelow(folder)) {
    if (!known.has(path)) throw new BackupFault(`${join(folder, path)} is not part of this backup: move it elsewhere`);
  }
  for (const path of folders) {
    if (!existsSync(join(folder, path))) throw new BackupFault(`${join(folder, path)} is missing: ${ELSEWHERE}`);
  }
}

async function assertUnchanged(folder: string, { parts }: Manifest, say: Say): Promise<void> {
  const whole = megabytes(sizeOf(parts));
  const progress = new Progress(say, (done) => `checking checksums: ${megabytes(done)} of ${whole}`);
  for (const { path, sha256 } of parts) {
    const found = await hashOf(join(folder, path), (size_bytes) => progress.add(size_bytes));
    if (found === sha256) continue;
    const says = `${join(folder, path)} has changed since it was written: its SHA-256 is ${found}, not ${sha256}`;
    throw new BackupFault(`${says}: ${ELSEWHERE}`);
  }
}

/** Checksums and chain of every write, and that each segment continues the one before. */
function checkLog(folder: string, { command_number, log_chain }: Manifest, say: Say): string {
  const segments = listSegments(folder);
  if (segments.length === 0) throw new BackupFault(`${folder} has no log: ${ELSEWHERE}`);
  const progress = new Progress(say, (done) => `checking the log: ${megabytes(done)}`);
  let chain: Buffer | undefined;
  let lastNumber = segments[0]!.firstNumber - 1;
  for (const segment of segments) {
    const reader = openSegmentReader(segment);
    try {
      if (segment.firstNumber !== lastNumber + 1) {
        const gap = `the log lacks the commands ${lastNumber + 1} to ${segment.firstNumber - 1}`;
        throw new BackupFault(`${gap} before ${segment.path}: ${ELSEWHERE}`);
      }
      if (chain !== undefined && reader.header.chain?.equals(chain) !== true) {
        const other = "does not continue the log: it belongs to another exchange, or was altered";
        throw new BackupFault(`${segment.path} ${other}: ${ELSEWHERE}`);
      }
      reader.skipAll();
      if (reader.torn_bytes > 0) {
        throw new BackupFault(`${segment.path} ends with ${reader.torn_bytes} bytes that are no command: ${ELSEWHERE}`);
      }
    } finally {
      reader.close();
    }
    ({ chain, lastNumber } = reader);
    progress.add(reader.size_bytes);
  }
  const found = chain?.toString("hex") ?? null;
  if (lastNumber === command_number && found === log_chain) {
    return `commands ${count(segments[0]!.firstNumber)} to ${count(lastNumber)}, ${found === null ? "not chained yet" : "chain whole"}`;
  }
  const says = `the log ends with command ${lastNumber} and chain ${found}, the manifest says ${command_number} and ${log_chain}`;
  throw new BackupFault(`${says}: a segment belongs to another exchange. ${ELSEWHERE}`);
}

/** Replays from the oldest snapshot, holds every newer one against the log, and the end against the manifest. */
function checkState(folder: string, { command_number, state_hash }: Manifest, say: Say): string {
  const snapshots = listSnapshots(folder);
  const newer = snapshots.find(({ number }) => number > command_number);
  if (newer !== undefined) {
    throw new BackupFault(
      `${newer.path} is newer than the log, which ends with command ${command_number}: ${ELSEWHERE}`,
    );
  }
  const hashes = new Map(snapshots.map((snapshot) => [snapshot.number, { snapshot, hash: hashOfSnapshot(snapshot) }]));
  const engine = engineFromNewest(folder, snapshots[0]?.number ?? 0, say);
  const from = engine.state.commandNumber;
  const whole = count(command_number - from);
  const progress = new Progress(say, (done) => `replaying the log: ${count(done)} of ${whole} commands`);
  for (const _ of replaySegments(folder, engine, command_number)) {
    const known = hashes.get(engine.state.commandNumber);
    if (known !== undefined) assertState(engine, known.hash, known.snapshot.path);
    progress.add(1);
  }
  assertState(engine, state_hash, join(folder, MANIFEST));
  return `${state_hash} after command ${count(command_number)}, replayed from ${count(from)}`;
}

function hashOfSnapshot({ path, number }: SnapshotFile): string {
  try {
    const { state } = readSnapshot(readFileSync(path));
    if (state.commandNumber === number) return stateHash(state);
    throw new BackupFault(`${path} is the state after command ${state.commandNumber}: ${ELSEWHERE}`);
  } catch (error) {
    if (error instanceof SnapshotFault) throw new BackupFault(`${path}: ${error.message}: ${ELSEWHERE}`);
    throw error;
  }
}

function assertState({ state }: Engine, expected: string, path: string): void {
  const found = stateHash(state);
  if (found === expected) return;
  const says = `the log leads to the state ${found} after command ${state.commandNumber}, ${path} says ${expected}`;
  throw new BackupFault(`${says}: they are not of one exchange. ${ELSEWHERE}`);
}

function checkChain(folder: string, { chain_block }: Manifest): string | undefined {
  if (chain_block === null) return undefined;
  const recorded = readChainLog(chainFolder(folder));
  const found = recorded?.blocks.length ?? 0;
  if (recorded === undefined || recorded.torn_bytes > 0 || found !== chain_block) {
    throw new BackupFault(`the embedded chain ends with block ${found}, not with ${chain_block}: ${ELSEWHERE}`);
  }
  return `blocks up to ${count(found)}`;
}

const sizeOf = (parts: readonly Part[]) => parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0);

function tableOf(
  folder: string,
  { parts, database }: Manifest,
  found: { readonly log: string; readonly state: string; readonly blocks: string | undefined },
): Finding[] {
  const line = (what: string, prefix: string, finding: string): Finding => {
    const chosen = parts.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
    return { what, files: chosen.length, size_bytes: sizeOf(chosen), finding };
  };
  const seen = `has seen command ${count(database.command_number)}, outbox message ${count(database.outbox_number)}`;
  const place = database.kind === "embedded" ? DATABASE_FOLDER : DUMP;
  return [
    { what: "manifest", files: 1, size_bytes: statSync(join(folder, MANIFEST)).size, finding: "whole" },
    line("database", place, `${database.kind}, ${seen}`),
    line("log", "journal", found.log),
    line("snapshots", "snapshots", "each is the state that the log leads to"),
    ...(found.blocks === undefined ? [] : [line("chain", "chain", found.blocks)]),
    ...(existsSync(join(folder, SECRETS)) ? [line("secrets", SECRETS, "of development")] : []),
    { what: "state", files: 0, size_bytes: 0, finding: found.state },
  ];
}

/** As lines of equal columns. */
export function tableText(findings: readonly Finding[]): string[] {
  const rows = findings.map(({ what, files, size_bytes, finding }) => [
    what,
    files === 0 ? "" : `${count(files)} ${files === 1 ? "file" : "files"}`,
    files === 0 ? "" : megabytes(size_bytes),
    finding,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(
    ([what, files, size, finding]) =>
      `ok  ${what!.padEnd(widths[0]!)}  ${files!.padStart(widths[1]!)}  ${size!.padStart(widths[2]!)}  ${finding}`,
  );
}
