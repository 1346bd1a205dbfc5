import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FolderLock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly since: string;
}

/** Another process holds the lock. */
export class FolderInUse extends Error {}

const SQLITE_BUSY = 5;

/** The holder's own description; it may be missing between taking the lock and writing it. */
function readHolder(file: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof holder !== "object" || holder === null) return undefined;
    const pid: unknown = Reflect.get(holder, "pid");
    const since: unknown = Reflect.get(holder, "since");
    return typeof pid === "number" && typeof since === "string" ? { pid, since } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && Reflect.get(error, "code") === "ENOENT")) {
      return undefined;
    }
    throw error;
  }
}

function writeHolder(file: string, holder: Holder): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`);
  renameSync(`${file}.new`, file);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "errcode") === SQLITE_BUSY;
}

/**
 * Locks the folder for this process, or throws an error that names the process that holds it. The lock is the one that SQLite takes
 * on a file for an exclusive transaction: the operating system drops it when the process ends, so there are no stale locks. SQLite
 * also refuses a second lock within the same process, which plain file locks would allow. The file itself stays: removing it would
 * let two processes lock two different files.
 */
export function acquireFolderLock(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const holderFile = join(folder, "lock.json");
  const connection = new DatabaseSync(join(folder, "lock.sqlite"));
  try {
    connection.exec("begin exclusive");
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    const holder = readHolder(holderFile);
    const who = holder === undefined ? "another process" : `process ${holder.pid} (since ${holder.since})`;
    throw new FolderInUse(`${resolve(folder)} is in use by ${who}. Stop it or set DATA_DIR to another folder.`);
  }
  writeHolder(holderFile, { pid: process.pid, since: new Date(performance.timeOrigin).toISOString() });
  let isHeld = true;
  const release = () => {
    process.off("exit", release);
    if (!isHeld) return;
    isHeld = false;
    rmSync(holderFile, { force: true });
    connection.close();
  };
  // Besides cleaning up, this keeps a reference to the connection: if it were garbage-collected, it would be closed and the lock
  // lost.
  process.on("exit", release);
  return { release };
}
