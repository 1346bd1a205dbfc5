import { HEADER_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";
import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import { numbered, type Original, segmentName } from "./originals.ts";

/** Moves, swaps or deletes whole files. */
export function rearrange(
  files: Map<string, Buffer>,
  originals: readonly Original[],
  commands: number,
  prng: Prng,
): string {
  const segments = originals.filter(({ isSegment }) => isSegment);
  const [one, other] = [prng.pick(segments), prng.pick(segments)];
  const snapshot = prng.pick(originals.filter(({ isSegment }) => !isSegment));
  const moves: Readonly<Record<string, () => void>> = {
    "segment missing": () => void files.delete(one.name),
    "last segment missing": () => void files.delete(segments.at(-1)!.name),
    "segments swapped": () => {
      files.set(one.name, other.bytes);
      files.set(other.name, one.bytes);
    },
    "segment twice": () => void files.set(segmentName(prng.between(2, commands + 50)), one.bytes),
    "segment with another's header": () =>
      void files.set(
        one.name,
        Buffer.concat([other.bytes.subarray(0, HEADER_bytes), one.bytes.subarray(HEADER_bytes)]),
      ),
    "header of another version": () => {
      const bytes = Buffer.from(one.bytes);
      bytes[prng.pick([8, 12])] = 200 + prng.below(50);
      files.set(one.name, bytes);
    },
    "empty segment behind": () => void files.set(segmentName(commands + 1), Buffer.alloc(0)),
    "files of others beside it": () => void files.set("journal/notes.txt", Buffer.from("x")),
    "snapshot missing": () => void files.delete(snapshot.name),
    "all snapshots missing": () => {
      for (const { name, isSegment } of originals) if (!isSegment) files.delete(name);
    },
    "snapshot of another number": () =>
      void files.set(`snapshots/${numbered(prng.between(1, commands))}.snapshot`, snapshot.bytes),
    "first segment and a snapshot gone": () => {
      files.delete(segments[0]!.name);
      files.set(snapshot.name, snapshot.bytes.subarray(0, prng.below(snapshot.bytes.length)));
    },
  };
  const [kind, move] = prng.pick(Object.entries(moves));
  move();
  return kind;
}
