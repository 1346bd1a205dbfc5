import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listSnapshots } from "../../../apps/server/src/exchange/journal/snapshots.ts";
import { HEADER_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";
import { listSegments } from "../../../apps/server/src/kernel/journal/segments.ts";
import { type Place, recordsOf } from "./log-bytes.ts";

/** A file of the data folder, by its path within it. */
export interface Original {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isSegment: boolean;
  readonly records: readonly Place[];
  /** Of a segment's first command, of a snapshot's last. */
  readonly number: number;
}

export const numbered = (number: number) => String(number).padStart(16, "0");
export const segmentName = (number: number) => `journal/${numbered(number)}.log`;

/** The files of an intact data folder. */
export function readOriginals(folder: string): Original[] {
  const read = (path: string) => ({ name: `${basename(dirname(path))}/${basename(path)}`, bytes: readFileSync(path) });
  const segments = listSegments(folder).map(({ path, firstNumber }) => {
    const file = read(path);
    return { ...file, isSegment: true, records: recordsOf(file.bytes, HEADER_bytes), number: firstNumber };
  });
  const snapshots = listSnapshots(folder).map(({ path, number }) => ({
    ...read(path),
    isSegment: false,
    records: [],
    number,
  }));
  if (segments.length < 3 || snapshots.length < 2) {
    throw new Error(`the journal is too small to be damaged: ${readdirSync(join(folder, "journal")).join(", ")}`);
  }
  return [...segments, ...snapshots];
}
