import { existsSync, statSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { ByteWriter, type Command, encodeCommand } from "@bourse/engine";
import { openSegmentReader } from "../exchange/index.ts";
import { ChainedFraming } from "../kernel/journal/framing.ts";
import { LogBuffer } from "../kernel/journal/log-buffer.ts";
import { journalFolder, listSegments, type Segment } from "../kernel/journal/segments.ts";
import { BackupFault } from "./fault.ts";
import { copyBeginning, copyWhole, hashOf } from "./files.ts";
import { writesOf } from "./writes.ts";

/** The log that a restore writes: the backup's, and what another folder has of the same log behind it. */
export interface LogSource {
  readonly segments: readonly Segment[];
  readonly lastNumber: number;
}

/** LOG-4: `folder` is a backup; `log`, if given, is `BACKUP_DIR` or the data folder of the exchange that was backed up. */
export async function findLog(folder: string, backupNumber: number, log: string | undefined): Promise<LogSource> {
  const segments = listSegments(folder);
  if (log === undefined) return { segments, lastNumber: backupNumber };
  if (!existsSync(journalFolder(log))) throw new BackupFault(`${log} has no folder journal: it holds no log`);
  const { path, firstNumber } = segments.at(-1)!;
  const [same, ...later] = listSegments(log).filter((segment) => segment.firstNumber >= firstNumber);
  if (same?.firstNumber !== firstNumber) {
    throw new BackupFault(
      `${log} lacks ${basename(path)}, with which the backup's log ends: the log cannot go on there`,
    );
  }
  const size_bytes = statSync(path).size;
  if (
    statSync(same.path).size < size_bytes ||
    (await hashOf(same.path, undefined, size_bytes)) !== (await hashOf(path))
  ) {
    throw new BackupFault(
      `${same.path} does not continue the backup's log: it belongs to another exchange, or was altered`,
    );
  }
  const all = [...segments.slice(0, -1), same, ...later];
  return { segments: all, lastNumber: lastNumberOf(all.at(-1)!) };
}

function lastNumberOf(segment: Segment): number {
  const reader = openSegmentReader(segment);
  try {
    reader.skipAll();
    return reader.lastNumber;
  } finally {
    reader.close();
  }
}

/** Writes the log up to a command. */
export async function copyLog({ segments }: LogSource, to: string, lastNumber: number): Promise<void> {
  await mkdir(journalFolder(to), { recursive: true });
  const needed = segments.filter(({ firstNumber }) => firstNumber <= Math.max(lastNumber, 1));
  for (const [place, segment] of needed.entries()) {
    const target = join(journalFolder(to), basename(segment.path));
    if (place < needed.length - 1) await copyWhole(segment.path, target);
    else await copyUntil(segment, target, lastNumber);
  }
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
