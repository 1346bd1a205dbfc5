import { FRAME_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";

/** The offsets of a record and of the next one. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The records of an intact log behind a header of that size. */
export function recordsOf(bytes: Buffer, header_bytes: number): Place[] {
  const places: Place[] = [];
  for (let start = header_bytes; start < bytes.length; ) {
    const end = start + FRAME_bytes + bytes.readUInt32LE(start);
    places.push({ start, end });
    start = end;
  }
  return places;
}

/** The first differing byte, or the length of the shorter one; undefined if both are equal. */
export function firstDifference(one: Buffer, other: Buffer): number | undefined {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) if (one[at] !== other[at]) return at;
  return one.length === other.length ? undefined : shorter;
}

/** Whether one of the records is still intact somewhere behind this byte. */
export function hasWholeRecordBehind(
  damaged: Buffer,
  original: Buffer,
  records: readonly Place[],
  from: number,
): boolean {
  return records.some(({ start, end }) => damaged.indexOf(original.subarray(start, end), from) !== -1);
}
