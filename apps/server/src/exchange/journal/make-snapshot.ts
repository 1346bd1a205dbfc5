import { stateHash } from "@bourse/engine";
import { replaySegments } from "./replay.ts";
import { engineFromNewest, pruneBefore, saveSnapshot } from "./snapshots.ts";

export interface SnapshotRequest {
  readonly folder: string;
  /** The last command that the snapshot is to have seen; durable already. */
  readonly number: number;
  /** INV-6: the hash of the live engine's state after that command, where it was taken. */
  readonly liveHash: string | undefined;
  readonly projectedNumber: number;
  readonly prunesSegments: boolean;
}

/** What the thread that makes it gets. */
export interface SnapshotOrder extends SnapshotRequest {
  /** Whether somebody waits for it; else replies to clients come first where cores are few. */
  readonly isUrgent: boolean;
}

export interface SnapshotMade {
  readonly number: number;
  readonly hash: string;
  /** Whether the hash was compared with that of the live engine. */
  readonly isCompared: boolean;
  readonly replayed: number;
  /** What is to be said of older snapshots that it could not begin with. */
  readonly passedOver: readonly string[];
  readonly took_ms: number;
}

/** What the log leads to is not what the live engine has in memory. */
export class StateMismatch extends Error {
  constructor(number: number, replayed: string, live: string) {
    super(`INV-6: after command ${number} the log leads to the state ${replayed}, the live engine has ${live}`);
    this.name = "StateMismatch";
  }
}

/** Makes a snapshot from the newest one and the log alone, then removes what is no longer needed. */
export async function makeSnapshot(request: SnapshotRequest): Promise<SnapshotMade> {
  const { folder, number, liveHash, projectedNumber, prunesSegments } = request;
  const started_ms = performance.now();
  const passedOver: string[] = [];
  const unusable = new Set<string>();
  const engine = engineFromNewest(folder, number, (line, path) => {
    passedOver.push(line);
    unusable.add(path);
  });
  const replayed = number - engine.state.commandNumber;
  for (const _ of replaySegments(folder, engine, number));
  const hash = stateHash(engine.state);
  if (liveHash !== undefined && liveHash !== hash) throw new StateMismatch(number, hash, liveHash);
  await saveSnapshot(folder, engine, hash);
  await pruneBefore(folder, { projectedNumber, prunesSegments, unusable });
  const took_ms = performance.now() - started_ms;
  return { number, hash, isCompared: liveHash !== undefined, replayed, passedOver, took_ms };
}
