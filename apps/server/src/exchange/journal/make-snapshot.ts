import { stateHash } from "@bourse/engine";
import { replaySegments } from "./replay.ts";
import type { SegmentRetention } from "./segment-retention.ts";
import { engineFromNewest, pruneBefore, saveSnapshot } from "./snapshots.ts";
import { Wallets } from "./wallets.ts";

export interface SnapshotRequest {
  readonly folder: string;
  /** The last command in the snapshot; already durable. */
  readonly number: number;
  /** INV-6: the live engine's hash after that command, if it was computed. */
  readonly liveHash: string | undefined;
  readonly projectedNumber: number;
  /** LOG-8: which segments are removed afterwards; all stay without it. */
  readonly segments?: SegmentRetention | undefined;
}

/** What the worker thread receives. */
export interface SnapshotOrder extends SnapshotRequest {
  /** Whether a caller waits for it. Otherwise the thread lowers its priority, so that replies to clients come first. */
  readonly isUrgent: boolean;
}

export interface SnapshotMade {
  readonly number: number;
  readonly hash: string;
  /** Whether the hash was compared with the live engine's. */
  readonly isCompared: boolean;
  readonly replayed: number;
  /** Messages about older snapshots that could not be used. */
  readonly passedOver: readonly string[];
  readonly took_ms: number;
}

/** Replaying the log gives another state than the live engine has. */
export class StateMismatch extends Error {
  constructor(number: number, replayed: string, live: string) {
    super(`INV-6: after command ${number} the log leads to the state ${replayed}, the live engine has ${live}`);
    this.name = "StateMismatch";
  }
}

/** Makes a snapshot from the newest one and the log, then removes files that are no longer needed. */
export async function makeSnapshot(request: SnapshotRequest): Promise<SnapshotMade> {
  const { folder, number, liveHash, projectedNumber, segments } = request;
  const started_ms = performance.now();
  const passedOver: string[] = [];
  const unusable = new Set<string>();
  const wallets = new Wallets();
  const passOver = (line: string, path: string) => {
    passedOver.push(line);
    unusable.add(path);
  };
  const engine = engineFromNewest(folder, number, passOver, wallets);
  const replayed = number - engine.state.commandNumber;
  for (const command of replaySegments(folder, engine, number)) wallets.see(command, engine.state);
  const hash = stateHash(engine.state);
  if (liveHash !== undefined && liveHash !== hash) throw new StateMismatch(number, hash, liveHash);
  await saveSnapshot(folder, engine, hash, wallets);
  await pruneBefore(folder, { projectedNumber, now_ms: engine.state.time_ms, segments, unusable });
  const took_ms = performance.now() - started_ms;
  return { number, hash, isCompared: liveHash !== undefined, replayed, passedOver, took_ms };
}
