import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from "node:fs";
import { constants, copyFile, mkdir, open } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "../kernel/journal/segments.ts";

export { count, Progress, type Say } from "../kernel/progress.ts";

const MEGABYTE = 1_000_000;

export const megabytes = (size_bytes: number) => `${(size_bytes / MEGABYTE).toFixed(1)} MB`;

/** Paths of all files below a folder, from there and with slashes, in a fixed order. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** PostgreSQL needs its empty folders too. */
export function foldersBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** Of the whole file, or of so many bytes of it. */
export async function hashOf(
  path: string,
  onRead: (size_bytes: number) => void = () => {},
  first_bytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1_048_576, end: first_bytes - 1 })) {
    hash.update(piece as Buffer);
    onRead((piece as Buffer).length);
  }
  return hash.digest("hex");
}

/** A durable copy under this name; where the file system can, without copying the bytes. The folder is not synced. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await syncFile(to);
}

/** The same for the first bytes of a file. */
export async function copyBeginning(from: string, to: string, size_bytes: number): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const empty = size_bytes === 0;
  await pipeline(empty ? [] : createReadStream(from, { end: size_bytes - 1 }), createWriteStream(to, { flags: "wx" }));
  await syncFile(to);
}

/** A folder with everything in it. Files are not synced one by one, because a database has a thousand of them. */
export async function copyFolder(from: string, to: string, onCopied: (size_bytes: number) => void): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const path of foldersBelow(from)) await mkdir(join(to, path), { recursive: true });
  for (const path of filesBelow(from)) {
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    onCopied(statSync(join(to, path)).size);
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes everything below a folder durable. */
export async function syncAll(folder: string): Promise<void> {
  for (const path of filesBelow(folder)) await syncFile(join(folder, path));
  for (const path of foldersBelow(folder)) await syncFolder(join(folder, path));
  await syncFolder(folder);
}
