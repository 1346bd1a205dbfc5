import { statfs } from "node:fs/promises";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Check } from "./readiness.ts";

export type DiskState = "ample" | "low" | "full";

/** As of `node:fs`. */
export type StatFs = (path: string) => Promise<{ readonly bavail: number; readonly blocks: number }>;

export interface DiskGuardOptions {
  /** The data folder. */
  readonly folder: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly statfs?: StatFs;
  readonly poll_ms?: number;
}

export interface DiskGuard {
  readonly state: DiskState;
  /** Shown by `/readyz`. */
  readonly check: Check;
  /** Looks now; never rejects. */
  look(): Promise<void>;
  stop(): void;
}

const POLL_ms = 5_000;

/**
 * LOG-8: what the state becomes where less than that share of the disk is free; the first line that fits counts. The way back needs
 * more than the way there, so that a disk at the limit does not change its state with every look.
 */
const NEXT: Readonly<Record<DiskState, readonly { readonly below: number; readonly next: DiskState }[]>> = {
  ample: [
    { below: 0.03, next: "full" },
    { below: 0.1, next: "low" },
  ],
  low: [
    { below: 0.03, next: "full" },
    { below: 0.12, next: "low" },
  ],
  full: [
    { below: 0.04, next: "full" },
    { below: 0.12, next: "low" },
  ],
};

export const nextDiskState = (state: DiskState, free: number): DiskState =>
  NEXT[state].find(({ below }) => free < below)?.next ?? "ample";

const NUMBERS: Readonly<Record<DiskState, number>> = { ample: 0, low: 1, full: 2 };

/** LOG-8: watches the free space of the data folder's disk. It has looked once when it is returned. */
export async function startDiskGuard(options: DiskGuardOptions): Promise<DiskGuard> {
  const { folder, log, metrics, poll_ms = POLL_ms } = options;
  const ask = options.statfs ?? statfs;
  let state: DiskState = "ample";
  let free = Number.NaN;
  let hasFailed = false;
  metrics.gauge("bourse_disk_free_ratio", "Free share of the data folder's disk; NaN if unknown", () => free);
  metrics.gauge(
    "bourse_disk_state",
    "0 ample, 1 below 10 %, 2 so full that only reducing orders pass",
    () => NUMBERS[state],
  );

  const tell = () => {
    const found = { folder, free_percent: Math.round(free * 1_000) / 10 };
    if (state === "ample") log.info(found, "the disk has room again");
    else if (state === "low") log.warn(found, "the disk is nearly full: make room");
    else log.error(found, "the disk is full: only cancels and reducing orders are taken until there is room");
  };
  const look = async () => {
    try {
      const { bavail, blocks } = await ask(folder);
      free = bavail / blocks;
      hasFailed = false;
    } catch (err) {
      if (!hasFailed) log.error({ err, folder }, "the disk's free space cannot be read");
      hasFailed = true;
      free = Number.NaN;
      return;
    }
    const next = nextDiskState(state, free);
    if (next === state) return;
    state = next;
    tell();
  };
  await look();
  const timer = setInterval(() => void look(), poll_ms);
  timer.unref();
  return {
    get state() {
      return state;
    },
    check: {
      name: "disk",
      isVital: false,
      run: async () => {
        if (state === "low") throw new Error("less than 10 % of the disk is free");
        if (state === "full") throw new Error("the disk is nearly full: only cancels and reducing orders are taken");
        return "has room";
      },
    },
    look,
    stop: () => clearInterval(timer),
  };
}
