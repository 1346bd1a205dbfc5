import { parentPort, workerData } from "node:worker_threads";
import { type RehearsalRequest, rehearseRules } from "./rehearse-rules.ts";

parentPort!.postMessage(rehearseRules(workerData as RehearsalRequest));
