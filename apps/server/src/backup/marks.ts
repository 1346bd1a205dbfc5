import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { chainLogPath } from "../chain/index.ts";
import { listSegments } from "../kernel/journal/segments.ts";

export const chainFolder = (folder: string) => join(folder, "chain");

/** Where log and embedded chain ended at one moment. */
export interface Marks {
  /** The first command of the log's last segment, and how long the segment was. */
  readonly segment: number;
  readonly size_bytes: number;
  /** Of the chain's log; null without an embedded chain. */
  readonly chain_bytes: number | null;
}

/** Synchronous, so that nothing of this process happens in between. */
export function marksOf(folder: string): Marks | undefined {
  const last = listSegments(folder).at(-1);
  if (last === undefined) return undefined;
  const chain = chainLogPath(chainFolder(folder));
  return {
    segment: last.firstNumber,
    size_bytes: statSync(last.path).size,
    chain_bytes: existsSync(chain) ? statSync(chain).size : null,
  };
}
