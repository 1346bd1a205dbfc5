// A process in which test files run one after the other (see test-process.ts): later files reuse the modules that
// earlier ones have loaded and the optimised code.
import { readFileSync } from "node:fs";
import { run } from "node:test";
import { usedCpu_ms } from "../support/cpu-time.ts";
import { toRunnerEvent } from "./node-events.ts";
import { trackNoPromisesInNextHook } from "./promise-tracking.ts";
import type { RunnerEvent } from "./runner-event.ts";

const { channel } = process;
if (channel === undefined) throw new Error("this file is started by the test command");

const send = (event: RunnerEvent) => process.send?.(event);
let isRunning = false;
/** Until the file that ended last: the start of the process counts as part of its first file. */
let counted_ms = 0;

/** Node only gives the message of an error without a handler; where it came from is part of the file's output. */
function printStrayErrors(): Disposable {
  const print = (error: unknown) => console.error(error);
  process.on("uncaughtExceptionMonitor", print).on("unhandledRejection", print);
  return {
    [Symbol.dispose]: () => {
      process.off("uncaughtExceptionMonitor", print).off("unhandledRejection", print);
    },
  };
}

/** An error that Node cannot assign to a test, or after the end of its test, is no failure of a test; only the run as a whole fails. */
function reportStrayErrors(file: string, messages: readonly string[]): void {
  const error = messages.join("\n");
  const outcome = { passed: false, isSuite: false, isTodo: false, onlyChildrenFailed: false, error } as const;
  send({ kind: "ended", name: file, nesting: 0, duration_ms: 0, ...outcome });
}

/** Within one process the other tests are then skipped silently. */
const ONLY = /\b(?:test|it|describe|suite)\.only\(|[{,]\s*only:\s*true\b/;

async function runFile(file: string): Promise<void> {
  const started_ms = performance.now();
  if (ONLY.test(readFileSync(file, "utf8"))) send({ kind: "only", place: file });
  const messages: string[] = [];
  let hasFailed = false;
  trackNoPromisesInNextHook();
  using _printing = printStrayErrors();
  for await (const event of run({ files: [file], isolation: "none", concurrency: 1 })) {
    if (event.type === "test:diagnostic" && event.data.message.startsWith("Error: ")) messages.push(event.data.message);
    if (event.type === "test:fail") hasFailed = true;
    const isUnexplained = event.type === "test:summary" && !event.data.success && (!hasFailed || messages.length > 0);
    if (isUnexplained) reportStrayErrors(file, messages);
    const report = toRunnerEvent(event);
    if (report !== undefined) send(report);
  }
  const duration_ms = performance.now() - started_ms;
  const cpu_ms = usedCpu_ms() - counted_ms;
  counted_ms += cpu_ms;
  send({ kind: "fileEnded", file, duration_ms, cpu_ms, memory_bytes: process.memoryUsage.rss() });
}

process.on("message", async ({ file }: { file: string }) => {
  isRunning = true;
  // A file ends when no work is left: open handles delay its end, as in a separate process.
  channel.unref();
  await runFile(file);
  channel.ref();
  isRunning = false;
});
// If a file is running, its results can no longer be reported. This process leads the group of all processes that the
// tests started.
process.once("disconnect", () => {
  if (!isRunning) process.exit(0);
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});
