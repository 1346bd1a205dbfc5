import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { makeSnapshot, type SnapshotOrder } from "./make-snapshot.ts";

/** Lowers the priority of this thread. Only Linux can do that for a thread, and a sandbox may forbid it. */
function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    const isRefused = error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR";
    if (!isRefused) throw error;
  }
}

const order = workerData as SnapshotOrder;
if (!order.isUrgent) yieldToOthers();
parentPort!.postMessage(await makeSnapshot(order));
