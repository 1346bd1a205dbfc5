import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stateHash } from "@bourse/engine";
import { chainLogPath, readChainLog } from "../chain/index.ts";
import { filesOfSnapshot, listSnapshots, snapshotFolder } from "../exchange/index.ts";
import { openEmbedded } from "../kernel/database/embedded/open.ts";
import { acquireFolderLock, FolderInUse, type FolderLock } from "../kernel/folder-lock.ts";
import { journalFolder, listSegments, syncFolder, UNFINISHED } from "../kernel/journal/segments.ts";
import { checkBackup } from "./check.ts";
import { type Cut, findCut } from "./cut.ts";
import { BackupFault, codeOf } from "./fault.ts";
import {
  copyBeginning,
  copyFolder,
  copyWhole,
  filesBelow,
  foldersBelow,
  hashOf,
  megabytes,
  Progress,
  type Say,
  syncAll,
} from "./files.ts";
import { copyByServer } from "./live-copy.ts";
import { DATABASE_FOLDER, DUMP, FORMAT, type Manifest, type Part, SECRETS, writeManifest } from "./manifest.ts";
import { chainFolder, type Marks, marksOf } from "./marks.ts";
import { type Positions, readPositions } from "./positions.ts";
import { dumpPostgresql } from "./postgresql.ts";

/** Where an exchange keeps its data. */
export interface DataPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

export interface BackupOptions extends DataPlace {
  /** Is created. */
  readonly folder: string;
  readonly release: string;
  readonly say: Say;
}

/** A follower's copy of the log may be this far behind what the database has marked as delivered. */
const MAX_WAIT_ms = 30_000;
const LOOK_AGAIN_ms = 500;

/** LOG-4: a consistent cut of everything, also while the exchange trades. It has its name only when it is whole and checked. */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { folder, dataDir, say } = options;
  assertFree(folder);
  if (!existsSync(journalFolder(dataDir)) || marksOf(dataDir) === undefined) {
    throw new BackupFault(`${dataDir} has no log of an exchange: set DATA_DIR to the folder that the server uses`);
  }
  const unfinished = `${folder}${UNFINISHED}`;
  rmSync(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const lock = lockIfFree(dataDir);
  try {
    say(lock === undefined ? "the exchange runs; it goes on trading" : "no process uses the data folder");
    const { positions, marks } = await copyDatabase(options, unfinished, lock !== undefined);
    const cut = await cutOf(options, positions, marks, lock === undefined);
    await copyLog(dataDir, unfinished, cut, say);
    const chain_block = await copyChain(dataDir, unfinished, marks);
    if (existsSync(join(dataDir, SECRETS))) await copyWhole(join(dataDir, SECRETS), join(unfinished, SECRETS));
    lock?.release();
    const manifest = await describe(options, unfinished, positions, cut, chain_block);
    await writeManifest(unfinished, manifest);
    await syncAll(unfinished);
    await checkBackup(unfinished, say);
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    lock?.release();
  }
}

function assertFree(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new BackupFault(`${folder} is a file: name a folder`);
  if (readdirSync(folder).length > 0) {
    throw new BackupFault(`${folder} is not empty: a backup gets a folder of its own, name a new one`);
  }
  rmdirSync(folder);
}

/** Undefined if a running process has it. */
function lockIfFree(dataDir: string): FolderLock | undefined {
  try {
    return acquireFolderLock(dataDir);
  } catch (error) {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  }
}

interface CopiedDatabase {
  readonly positions: Positions;
  readonly marks: Marks;
}

/** First of all: the log is ahead of the database, and is cut to fit it afterwards. */
async function copyDatabase(options: BackupOptions, to: string, isStopped: boolean): Promise<CopiedDatabase> {
  const { dataDir, databaseUrl, say } = options;
  if (databaseUrl !== undefined) {
    say("dumping the database with pg_dump …");
    const { positions, marks } = await dumpPostgresql(databaseUrl, dataDir, join(to, DUMP), say);
    return { positions, marks: marks! };
  }
  const [from, copy] = [join(dataDir, DATABASE_FOLDER), join(to, DATABASE_FOLDER)];
  if (!existsSync(from)) {
    throw new BackupFault(`${from} does not exist: set DATABASE_URL if the exchange uses a PostgreSQL server`);
  }
  say("copying the embedded database …");
  const progress = new Progress(say, (done) => `copying the database: ${megabytes(done)}`);
  if (isStopped) await copyFolder(from, copy, (size_bytes) => progress.add(size_bytes));
  const marks = isStopped ? marksOf(dataDir)! : await copyByServer(dataDir, copy, say);
  // To open the copy shows that it can be opened, and leaves it as a clean stop does.
  const database = await openEmbedded({ folder: copy });
  try {
    return { positions: await readPositions(database.db), marks };
  } finally {
    await database.close();
  }
}

async function cutOf(
  { dataDir, say }: BackupOptions,
  positions: Positions,
  marks: Marks,
  isLive: boolean,
): Promise<Cut> {
  const until_ms = performance.now() + (isLive ? MAX_WAIT_ms : 0);
  for (let end = marks; ; end = { ...marksOf(dataDir)! }) {
    try {
      return findCut(dataDir, positions, end, say);
    } catch (error) {
      // Snapshots come and go while an exchange runs, and a copy of a log elsewhere may still be behind.
      const mayPass = error instanceof BackupFault || codeOf(error) === "ENOENT";
      if (!mayPass || performance.now() > until_ms) throw error;
      await delay(LOOK_AGAIN_ms);
    }
  }
}

async function copyLog(dataDir: string, to: string, cut: Cut, say: Say): Promise<void> {
  const progress = new Progress(say, (done) => `copying the log: ${megabytes(done)}`);
  const copies: string[] = [];
  for (const { path, firstNumber } of listSegments(dataDir)) {
    const target = join(journalFolder(to), basename(path));
    if (firstNumber > cut.segment.firstNumber) break;
    try {
      if (firstNumber < cut.segment.firstNumber) await copyWhole(path, target);
      else await copyBeginning(path, target, cut.size_bytes);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || existsSync(path)) throw error;
      // LOG-8: removed meanwhile because it is old, after all before it.
      for (const copy of copies.splice(0)) rmSync(copy);
      continue;
    }
    copies.push(target);
    progress.add(statSync(target).size);
  }
  await mkdir(snapshotFolder(to), { recursive: true });
  const snapshots = listSnapshots(dataDir).filter(({ number }) => number <= cut.engine.state.commandNumber);
  for (const path of snapshots.flatMap(filesOfSnapshot)) {
    await copyWhole(path, join(snapshotFolder(to), basename(path))).catch((error: unknown) => {
      // Removed meanwhile because there are newer ones.
      if (codeOf(error) !== "ENOENT") throw error;
    });
  }
}

/** Returns the last block; null without an embedded chain. */
async function copyChain(dataDir: string, to: string, { chain_bytes }: Marks): Promise<number | null> {
  if (chain_bytes === null) return null;
  const target = chainLogPath(chainFolder(to));
  await copyBeginning(chainLogPath(chainFolder(dataDir)), target, chain_bytes);
  const { blocks, size_bytes, torn_bytes } = readChainLog(chainFolder(to))!;
  if (torn_bytes > 0) {
    // A block was being written.
    rmSync(target);
    await copyBeginning(chainLogPath(chainFolder(dataDir)), target, size_bytes);
  }
  return blocks.length;
}

async function describe(
  { databaseUrl, release, say }: BackupOptions,
  folder: string,
  positions: Positions,
  { engine, chain, fitsFrom }: Cut,
  chain_block: number | null,
): Promise<Manifest> {
  const { commandNumber, externalNumber, rulesVersion } = engine.state;
  const parts: Part[] = [];
  const progress = new Progress(say, (done) => `computing checksums: ${megabytes(done)}`);
  for (const path of filesBelow(folder)) {
    const sha256 = await hashOf(join(folder, path), (size_bytes) => progress.add(size_bytes));
    parts.push({ path, size_bytes: statSync(join(folder, path)).size, sha256 });
  }
  return {
    format: FORMAT,
    release,
    made_at: new Date().toISOString(),
    rules_version: rulesVersion,
    command_number: commandNumber,
    state_hash: stateHash(engine.state),
    external_number: externalNumber,
    log_chain: chain?.toString("hex") ?? null,
    database: {
      kind: databaseUrl === undefined ? "embedded" : "postgresql",
      command_number: positions.command_number,
      fits_from: fitsFrom,
      outbox_number: positions.outbox_number,
      accounts: positions.accounts,
      chain_block: positions.chain_block,
    },
    chain_block,
    folders: foldersBelow(folder),
    parts,
  };
}
