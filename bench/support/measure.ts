import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function seconds(action: () => void): number {
  const started_ms = performance.now();
  action();
  return (performance.now() - started_ms) / 1000;
}

/** Processor time of this thread. */
export function cpuSeconds(action: () => void): number {
  const before = process.threadCpuUsage();
  action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * The collector can be called only if the runtime allows it; this sets the flag at run time. Typed arrays are freed a
 * moment after a collection.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let i = 0; i < 2; i++) {
    collect();
    await pause(100);
  }
}

export const kibibytes = (bytes: number) => `${bytes < 0 ? "" : "+"}${(bytes / 1024).toFixed(0)} KiB`;
