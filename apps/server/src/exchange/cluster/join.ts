import { rmSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import {
  createSegment,
  listSegments,
  removeUnfinished,
  syncFolder,
  UNFINISHED,
} from "../../kernel/journal/segments.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import { engineFromNewest, snapshotFolder, snapshotPath, walletsPath } from "../journal/snapshots.ts";
import { SNAPSHOT_EVERY_commands } from "../journal/snapshotter.ts";
import { Wallets } from "../journal/wallets.ts";
import type { CommandStream } from "./command-stream.ts";
import { findSnapshots, type OfferedSnapshot, readSnapshotParts, type SnapshotPart } from "./snapshot-sharing.ts";

export interface JoinOptions {
  readonly link: NatsLink;
  readonly stream: CommandStream;
  readonly folder: string;
  /** Later snapshots are of no use: the tables lack what is before them. */
  readonly projectedNumber: number;
  /** A shorter log is read from its beginning. */
  readonly minCommands?: number | undefined;
  readonly onProgress: (line: string) => void;
}

/**
 * LOG-8: a member without a copy of the log begins it at a snapshot of another member instead of the first command. Without another
 * member, or one whose snapshots will do, it copies the stream from its beginning.
 */
export async function joinFromSnapshot(options: JoinOptions): Promise<void> {
  const { link, stream, folder, projectedNumber, onProgress } = options;
  if (listSegments(folder).length > 0) return;
  if (await isReadFromBeginning(stream, options.minCommands ?? SNAPSHOT_EVERY_commands)) return;
  removeUnfinished(snapshotFolder(folder));
  for (const offered of await findSnapshots(link, stream, projectedNumber)) {
    // The stream begins behind it.
    if ((await stream.seqOf(offered.number)) === 0) continue;
    const problem = await fetchSnapshot(link, folder, offered, onProgress);
    if (problem === undefined) return beginCopy(stream, folder, offered.number);
    onProgress(`a snapshot of another member is passed over: ${problem}`);
  }
}

/** A short log is, as long as its beginning is there. */
async function isReadFromBeginning(stream: CommandStream, minCommands: number): Promise<boolean> {
  const lastNumber = await stream.lastNumber();
  return lastNumber === 0 || (lastNumber < minCommands && (await stream.seqOf(1)) > 0);
}

/** Answers what is wrong with it; then nothing of it is left. */
async function fetchSnapshot(
  link: NatsLink,
  folder: string,
  offered: OfferedSnapshot,
  onProgress: (line: string) => void,
): Promise<string | undefined> {
  const path = snapshotPath(folder, offered.number);
  onProgress(`fetching the state after command ${offered.number} from another member`);
  const problems: string[] = [];
  try {
    await download(link, offered, "wallets", walletsPath(path));
    await download(link, offered, "snapshot", path);
    await syncFolder(snapshotFolder(folder));
    const found = engineFromNewest(folder, offered.number, (line) => problems.push(line), new Wallets());
    if (found.state.commandNumber === offered.number) return undefined;
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  rmSync(path, { force: true });
  rmSync(walletsPath(path), { force: true });
  return problems.join("; ") || "it is gone";
}

/** Makes no file if the member has none. */
async function download(link: NatsLink, offered: OfferedSnapshot, part: SnapshotPart, path: string): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`;
  let handle: FileHandle | undefined;
  try {
    for await (const bytes of readSnapshotParts(link, offered, part)) {
      handle ??= await open(unfinished, "w");
      await handle.writeFile(bytes);
    }
    await handle?.sync();
  } finally {
    await handle?.close();
  }
  if (handle !== undefined) await rename(unfinished, path);
}

/** The copy begins with the message that contains the snapshot's last command, whose place in the chain the message says. */
async function beginCopy(stream: CommandStream, folder: string, number: number): Promise<void> {
  const { firstNumber, place } = await stream.read(await stream.seqOf(number));
  const file = await createSegment(folder, { firstNumber, ...place });
  await file.close();
}
