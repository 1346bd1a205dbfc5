import { FRAME_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";
import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Place } from "./log-bytes.ts";

/** A way to damage a file's bytes. */
export interface Damage {
  readonly kind: string;
  readonly bytes: Buffer;
}

interface Ground {
  readonly prng: Prng;
  readonly bytes: Buffer;
  readonly records: readonly Place[];
  /** 0 if there is none. */
  readonly header_bytes: number;
}

function changed(bytes: Buffer, at: number, value: (old: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value(copy[at]!) & 0xff;
  return copy;
}

const flip = (ground: Ground, at: number) => changed(ground.bytes, at, (old) => old ^ (1 << ground.prng.below(8)));

/** A structural byte: of a length, a checksum, the start or end of a command, or the header. */
function structural({ prng, records, header_bytes, bytes }: Ground): number {
  if (records.length === 0 || prng.isIn(20)) return prng.below(Math.max(1, header_bytes || bytes.length));
  const { start, end } = prng.pick([records[0]!, records.at(-1)!, prng.pick(records)]);
  return prng.pick([start, start + prng.below(4), start + 4 + prng.below(4), start + FRAME_bytes, end - 1]);
}

/** Where to cut a file: anywhere, between records, within a frame, within a command, within the header. */
function cutPlace({ prng, bytes, records, header_bytes }: Ground): number {
  const record =
    records.length === 0 ? { start: 0, end: bytes.length } : prng.pick([prng.pick(records), records.at(-1)!]);
  return prng.pick([
    prng.below(bytes.length),
    record.start,
    record.start + prng.below(FRAME_bytes),
    Math.min(record.end - 1, record.start + FRAME_bytes),
    record.end - 1,
    prng.below(header_bytes + 1),
    bytes.length - 1 - prng.below(Math.min(16, bytes.length)),
  ]);
}

function zeroed({ prng, bytes, records }: Ground): Buffer {
  const copy = Buffer.from(bytes);
  const last = records.at(-1);
  const start = last !== undefined && prng.isIn(30) ? last.start : prng.below(bytes.length);
  const length = prng.pick([1, 4, 8, 64, 512, bytes.length]);
  copy.fill(0, start, Math.min(bytes.length, start + length));
  return copy;
}

function overwritten({ prng, bytes }: Ground): Buffer {
  const copy = Buffer.from(bytes);
  const start = prng.below(bytes.length);
  for (let at = start; at < Math.min(bytes.length, start + prng.pick([2, 4, 16, 512])); at += 1)
    copy[at] = prng.below(256);
  return copy;
}

const noise = (prng: Prng, length: number) => Buffer.from(Array.from({ length }, () => prng.below(256)));

/**
 * A range that is not a sequence of whole records: records carry no number, so a last segment in which whole records
 * are missing or repeated is a valid log.
 */
function piece({ prng, bytes, records }: Ground): readonly [start: number, end: number] {
  const start = prng.below(bytes.length);
  const end = Math.min(bytes.length, start + prng.pick([1, 2, 8, 100]));
  const isBorder = (at: number) => at === bytes.length || records.some((record) => record.start === at);
  return isBorder(start) && isBorder(end) && start + 1 < end ? [start + 1, end] : [start, end];
}

const KINDS: Readonly<Record<string, (ground: Ground) => Buffer>> = {
  "a bit anywhere": (ground) => flip(ground, ground.prng.below(ground.bytes.length)),
  "a bit that means something": (ground) => flip(ground, structural(ground)),
  "a byte that means something": (ground) => changed(ground.bytes, structural(ground), () => ground.prng.below(256)),
  "a bit of the last record": (ground) => {
    const { start, end } = ground.records.at(-1) ?? { start: 0, end: ground.bytes.length };
    return flip(ground, ground.prng.between(start, end - 1));
  },
  "cut off": (ground) => ground.bytes.subarray(0, cutPlace(ground)),
  "zeroes in it": zeroed,
  "noise in it": overwritten,
  "zeroes behind it": ({ prng, bytes }) => Buffer.concat([bytes, Buffer.alloc(prng.pick([1, 7, 8, 9, 24, 4_096]))]),
  "noise behind it": ({ prng, bytes }) => Buffer.concat([bytes, noise(prng, prng.pick([1, 7, 8, 9, 24, 600]))]),
  "a piece missing": (ground) => {
    const [start, end] = piece(ground);
    return Buffer.concat([ground.bytes.subarray(0, start), ground.bytes.subarray(end)]);
  },
  "a piece twice": (ground) => {
    const [start, end] = piece(ground);
    return Buffer.concat([ground.bytes.subarray(0, end), ground.bytes.subarray(start)]);
  },
  empty: () => Buffer.alloc(0),
  "something else": ({ prng }) => prng.pick([Buffer.from("<html></html>"), Buffer.alloc(100), noise(prng, 200)]),
};

export function damage(prng: Prng, bytes: Buffer, records: readonly Place[], header_bytes: number): Damage {
  const [kind, make] = prng.pick(Object.entries(KINDS));
  return { kind, bytes: Buffer.from(make({ prng, bytes, records, header_bytes })) };
}
