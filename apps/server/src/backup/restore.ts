import { chmodSync, existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { stateHash } from "@bourse/engine";
import { engineFromNewest, filesOfSnapshot, listSnapshots, replaySegments, snapshotFolder } from "../exchange/index.ts";
import { syncFolder } from "../kernel/journal/segments.ts";
import { checkBackup } from "./check.ts";
import { BackupFault, codeOf } from "./fault.ts";
import { copyFolder, copyWhole, megabytes, Progress, type Say, syncAll } from "./files.ts";
import type { DataPlace } from "./make.ts";
import { DATABASE_FOLDER, DUMP, type Manifest, readManifest, SECRETS } from "./manifest.ts";
import { chainFolder } from "./marks.ts";
import { assertPostgresqlIsEmpty, restorePostgresql } from "./postgresql.ts";
import { copyLog, findLog, type LogSource } from "./restored-log.ts";

export interface RestoreOptions extends DataPlace {
  /** The backup. */
  readonly folder: string;
  /** The last command to restore; undefined for all. */
  readonly until: number | undefined;
  /** A folder that has more of the same log: `BACKUP_DIR`, or the data folder that was backed up. */
  readonly log?: string | undefined;
  readonly say: Say;
}

export interface Restored {
  readonly command_number: number;
  readonly state_hash: string;
  /** Commands behind the backup: the database does not know what they brought from outside. */
  readonly commandsBeyond: number;
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
  if (until !== undefined && until < manifest.database.fits_from) refuseUntil(folder, manifest, until);
  await checkBackup(folder, say);
  const source = await findLog(folder, manifest.command_number, options.log);
  const lastNumber = until ?? source.lastNumber;
  if (lastNumber > source.lastNumber) refuseUntil(folder, manifest, lastNumber, source.lastNumber);

  const unfinished = `${dataDir}.restoring`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    await build(options, source, unfinished, lastNumber);
    const state_hash = replayed(unfinished, lastNumber, manifest, say);
    await syncAll(unfinished);
    if (databaseUrl !== undefined) {
      say("restoring the database with pg_restore …");
      await restorePostgresql(databaseUrl, join(folder, DUMP));
    }
    await putInPlace(unfinished, dataDir);
    const commandsBeyond = Math.max(0, lastNumber - manifest.command_number);
    return { command_number: lastNumber, state_hash, commandsBeyond };
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

/** Replays what was restored; where the backup ended, the state is the manifest's. */
function replayed(folder: string, lastNumber: number, { command_number, state_hash }: Manifest, say: Say): string {
  const engine = engineFromNewest(folder, lastNumber, say);
  const { state } = engine;
  if (lastNumber >= command_number) {
    if (state.commandNumber < command_number) for (const _ of replaySegments(folder, engine, command_number));
    const hash = stateHash(state);
    if (hash !== state_hash) {
      throw new BackupFault(`the restored log leads to the state ${hash}: the disk of ${folder} is not reliable`);
    }
  }
  for (const _ of replaySegments(folder, engine, lastNumber));
  return stateHash(state);
}

/** Whether database and log agree where the log ends with that command. */
const fits = ({ command_number, database }: Manifest, number: number) =>
  number >= database.fits_from && number <= command_number;

function refuseUntil(folder: string, manifest: Manifest, number: number, last = manifest.command_number): never {
  const { fits_from } = manifest.database;
  const why =
    number < fits_from
      ? `the database of this backup has seen command ${fits_from}, and cannot be taken back`
      : `${last === manifest.command_number ? "this backup" : "the log"} ends with command ${last}`;
  const range = `it can be restored up to any command from ${fits_from} to ${last}`;
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

async function build({ folder, log, say }: RestoreOptions, source: LogSource, to: string, lastNumber: number) {
  const progress = new Progress(say, (done) => `restoring: ${megabytes(done)}`);
  const onCopied = (size_bytes: number) => progress.add(size_bytes);
  await mkdir(snapshotFolder(to), { recursive: true });
  await copyLog(source, to, lastNumber);
  const snapshots = listSnapshots(folder).filter(({ number }) => number <= lastNumber);
  for (const path of snapshots.flatMap(filesOfSnapshot)) {
    await copyWhole(path, join(snapshotFolder(to), basename(path)));
  }
  // A log that goes beyond the backup has deposits of blocks that only the chain beside it has.
  const chain = [log, folder].map((place) => chainFolder(place ?? folder)).find((place) => existsSync(place));
  for (const place of [join(folder, DATABASE_FOLDER), chain]) {
    if (place !== undefined && existsSync(place)) await copyFolder(place, join(to, basename(place)), onCopied);
  }
  if (!existsSync(join(folder, SECRETS))) return;
  await copyWhole(join(folder, SECRETS), join(to, SECRETS));
  chmodSync(join(to, SECRETS), 0o600);
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
