/** Threads with open databases, passed from one test to the next: opening a database takes longer than most tests. */
import { Worker } from "node:worker_threads";
import type { DatabaseThread } from "../client.ts";
import type { WorkerOptions } from "../protocol.ts";
import { embeddedProgram } from "./templates.ts";

/** Each holds its database twice, in some hundred megabytes. */
const MAX_IDLE = 2;

interface IdleThread {
  readonly templateFile: string;
  readonly worker: Worker;
}

/** The last one returned is last. */
let idle: IdleThread[] = [];

async function giveBack(thread: IdleThread): Promise<void> {
  // A test may have ended the thread.
  if (thread.worker.threadId === -1) return;
  idle.push(thread);
  const surplus = idle.slice(0, -MAX_IDLE);
  idle = idle.slice(-MAX_IDLE);
  for (const { worker } of surplus) await worker.terminate();
}

/** A thread whose database equals the template. */
export async function databaseThread(templateFile: string): Promise<DatabaseThread> {
  const found = idle.findLast((thread) => thread.templateFile === templateFile);
  idle = idle.filter((thread) => thread !== found);
  if (found !== undefined) return { worker: found.worker, isReady: true, release: () => giveBack(found) };
  const workerData: WorkerOptions = { folder: undefined, templateFile, program: await embeddedProgram() };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData, name: "database" });
  return { worker, isReady: false, release: () => giveBack({ templateFile, worker }) };
}
