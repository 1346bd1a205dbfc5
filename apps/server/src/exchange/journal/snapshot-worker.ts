import { parentPort, workerData } from "node:worker_threads";
import { makeSnapshot, type SnapshotRequest } from "./make-snapshot.ts";

parentPort!.postMessage(await makeSnapshot(workerData as SnapshotRequest));
