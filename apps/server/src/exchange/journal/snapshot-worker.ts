import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { makeSnapshot, type SnapshotOrder } from "./make-snapshot.ts";

const order = workerData as SnapshotOrder;
// Only Linux takes it for this thread, others for the whole process.
if (!order.isUrgent && process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
parentPort!.postMessage(await makeSnapshot(order));
