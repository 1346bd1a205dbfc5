import { chmodSync, existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { appendFile, mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ByteWriter, type Command, encodeCommand, stateHash } from "@bourse/engine";
import {
  engineFromNewest,
  filesOfSnapshot,
  listSnapshots,
  openSegmentReader,
  replaySegments,
  snapshotFolder,
} from "../exchange/index.ts";
import { ChainedFraming } from "../kernel/journal/framing.ts";
import { LogBuffer } from "../kernel/journal/log-buffer.ts";
import { journalFolder, listSegments, type Segment, syncFolder } from "../kernel/journal/segments.ts";
import { checkBackup } from "./check.ts";
import { BackupFault, codeOf } from "./fault.ts";
import { copyBeginning, copyFolder, copyWhole, megabytes, Progress, type Say, syncAll } from "./files.ts";
import type { DataPlace } from "./make.ts";
import { DATABASE_FOLDER, DUMP, type Manifest, readManifest, SECRETS } from "./manifest.ts";
import { chainFolder } from "./marks.ts";
import { assertPostgresqlIsEmpty, restorePostgresql } from "./postgresql.ts";
import { writesOf } from "./writes.ts";

export interface RestoreOptions extends DataPlace {
  /** The backup. */
  readonly folder: string;
  /** The last command to restore; undefined for all. */
  readonly until: number | undefined;
  readonly say: Say;
}

export interface Restored {
  readonly command_number: number;
  readonly state_hash: string;
}

/** A server that was refused leaves these. */
const LOCK_FILES = new Set(["lock.sqlite", "lock.json"]);

/**
 * LOG-4: checks the backup, then restores it into an empty place. The data folder is built beside its place and renamed when it is
 * whole; a PostgreSQL database is written in one transaction.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, dataDir, databaseUrl, until, say } = options;
  const manifest = readManifest(folder);
  assertSameKind(manifest, databaseUrl);
  assertEmpty(dataDir);
  if (databaseUrl !== undefined) await assertPostgresqlIsEmpty(databaseUrl);
  const lastNumber = until ?? manifest.command_number;
  assertFits(folder, manifest, lastNumber);
  await checkBackup(folder, say);

  const unfinished = `${dataDir}.restoring`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    await build(folder, unfinished, lastNumber, say);
    const engine = engineFromNewest(unfinished, lastNumber, say);
    for (const _ of replaySegments(unfinished, engine, lastNumber));
    const state_hash = stateHash(engine.state);
    if (lastNumber === manifest.command_number && state_hash !== manifest.state_hash) {
      throw new BackupFault(
        `the restored log leads to the state ${state_hash}: the disk of ${dataDir} is not reliable`,
      );
    }
    await syncAll(unfinished);
    if (databaseUrl !== undefined) {
      say("restoring the database with pg_restore …");
      await restorePostgresql(databaseUrl, join(folder, DUMP));
    }
    await putInPlace(unfinished, dataDir);
    return { command_number: lastNumber, state_hash };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

function assertSameKind({ database: { kind } }: Manifest, databaseUrl: string | undefined): void {
  if (kind === "embedded" && databaseUrl !== undefined) {
    throw new BackupFault("this is a backup of an embedded database: unset DATABASE_URL to restore it");
  }
  if (kind === "postgresql" && databaseUrl === undefined) {
    throw new BackupFault("this is a backup of a PostgreSQL database: set DATABASE_URL to a new, empty one");
  }
}

function assertEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const found = readdirSync(dataDir).find((name) => !LOCK_FILES.has(name));
  if (found === undefined) return;
  throw new BackupFault(`${dataDir} is not empty (${found}): set DATA_DIR to a new folder, or move this one away`);
}

/** Whether database and log agree where the log ends with that command. */
const fits = ({ command_number, database }: Manifest, number: number) =>
  number >= database.fits_from && number <= command_number;

function assertFits(folder: string, manifest: Manifest, number: number): void {
  if (fits(manifest, number)) return;
  const { command_number, database } = manifest;
  const why =
    number > command_number
      ? `this backup ends with command ${command_number}`
      : `the database of this backup has seen command ${database.fits_from}, and cannot be taken back`;
  const range = `it can be restored up to any command from ${database.fits_from} to ${command_number}`;
  throw new BackupFault(`${why}: ${range}. ${otherBackup(folder, number)}`);
}

function otherBackup(folder: string, number: number): string {
  const others = readdirSync(dirname(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== basename(folder))
    .map((entry) => join(dirname(folder), entry.name))
    .flatMap((place) => {
      const manifest = manifestIn(place);
      return manifest === undefined ? [] : [{ place, manifest }];
    })
    .sort((a, b) => b.manifest.command_number - a.manifest.command_number);
  const fitting = others.find(({ manifest }) => fits(manifest, number));
  if (fitting !== undefined) return `${fitting.place} would do for command ${number}`;
  const earlier = others.find(({ manifest }) => manifest.command_number < number);
  const none = `No backup beside it would do for command ${number}`;
  if (earlier === undefined) return none;
  return `${none}; the newest that ends before it is ${earlier.place}, with command ${earlier.manifest.command_number}`;
}

/** Undefined if the folder is no backup, or one that cannot be used. */
function manifestIn(place: string): Manifest | undefined {
  try {
    return readManifest(place);
  } catch (error) {
    if (error instanceof BackupFault) return undefined;
    throw error;
  }
}

async function build(folder: string, to: string, lastNumber: number, say: Say): Promise<void> {
  const progress = new Progress(say, (done) => `restoring: ${megabytes(done)}`);
  const onCopied = (size_bytes: number) => progress.add(size_bytes);
  await mkdir(journalFolder(to), { recursive: true });
  await mkdir(snapshotFolder(to), { recursive: true });
  const segments = listSegments(folder).filter(({ firstNumber }) => firstNumber <= Math.max(lastNumber, 1));
  for (const [place, segment] of segments.entries()) {
    const target = join(journalFolder(to), basename(segment.path));
    if (place < segments.length - 1) await copyWhole(segment.path, target);
    else await copyUntil(segment, target, lastNumber);
  }
  const snapshots = listSnapshots(folder).filter(({ number }) => number <= lastNumber);
  for (const path of snapshots.flatMap(filesOfSnapshot)) {
    await copyWhole(path, join(snapshotFolder(to), basename(path)));
  }
  for (const name of [DATABASE_FOLDER, basename(chainFolder(folder))]) {
    if (existsSync(join(folder, name))) await copyFolder(join(folder, name), join(to, name), onCopied);
  }
  if (!existsSync(join(folder, SECRETS))) return;
  await copyWhole(join(folder, SECRETS), join(to, SECRETS));
  chmodSync(join(to, SECRETS), 0o600);
}

/** The segment up to a command. A write that goes beyond it is written anew, with the commands that are left of it. */
async function copyUntil(segment: Segment, target: string, lastNumber: number): Promise<void> {
  const reader = openSegmentReader(segment);
  try {
    let end = reader.offset_bytes;
    let rest: Uint8Array | undefined;
    for (const { chainBefore, commands } of writesOf(reader)) {
      if (reader.lastNumber > lastNumber) {
        const kept = commands.slice(0, commands.length - (reader.lastNumber - lastNumber));
        if (chainBefore !== undefined && kept.length > 0)
          rest = framed(chainBefore, kept, lastNumber - kept.length + 1);
        break;
      }
      end = reader.offset_bytes;
    }
    await copyBeginning(segment.path, target, end);
    if (rest !== undefined) await appendFile(target, rest);
  } finally {
    reader.close();
  }
}

function framed(chainBefore: Buffer, commands: readonly Command[], firstNumber: number): Uint8Array {
  const records = commands.map((command) => {
    const writer = new ByteWriter();
    encodeCommand(command, writer);
    return writer.bytes.slice();
  });
  const buffer = new LogBuffer();
  new ChainedFraming(chainBefore).write(buffer, records, firstNumber);
  return buffer.bytes;
}

async function putInPlace(unfinished: string, dataDir: string): Promise<void> {
  for (const name of LOCK_FILES) rmSync(join(dataDir, name), { force: true });
  try {
    if (existsSync(dataDir)) rmdirSync(dataDir);
  } catch (error) {
    if (codeOf(error) !== "EBUSY") throw error;
    throw new BackupFault(`${dataDir} is a mount point, which cannot be replaced: set DATA_DIR to a folder inside it`);
  }
  await rename(unfinished, dataDir);
  await syncFolder(dirname(dataDir));
}
