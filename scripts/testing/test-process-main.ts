// One of the processes in which test files run one after the other (see test-process.ts): what the first one has loaded
// and the machine has optimised, the others find ready.
import { readFileSync } from "node:fs";
import { run } from "node:test";
import { toRunnerEvent } from "./node-events.ts";
import type { RunnerEvent } from "./runner-event.ts";

const { channel } = process;
if (channel === undefined) throw new Error("this file is started by the test command");

const tell = (event: RunnerEvent) => process.send?.(event);
let isRunning = false;

/** An error that came when its test was over is no failure of a test; only the run as a whole has not succeeded. */
function tellLateErrors(file: string, messages: readonly string[]): void {
  const error = messages.filter((message) => message.startsWith("Error: ")).join("\n");
  const outcome = { passed: false, isSuite: false, isTodo: false, onlyChildrenFailed: false, error } as const;
  tell({ kind: "ended", name: file, nesting: 0, duration_ms: 0, ...outcome });
}

/** Within one process the others are then left out without a word. */
const ONLY = /\b(?:test|it|describe|suite)\.only\(|[{,]\s*only:\s*true\b/;

async function runFile(file: string): Promise<void> {
  const started_ms = performance.now();
  if (ONLY.test(readFileSync(file, "utf8"))) tell({ kind: "only", place: file });
  const messages: string[] = [];
  let hasFailed = false;
  for await (const event of run({ files: [file], isolation: "none", concurrency: 1 })) {
    if (event.type === "test:diagnostic") messages.push(event.data.message);
    if (event.type === "test:fail") hasFailed = true;
    if (event.type === "test:summary" && !event.data.success && !hasFailed) tellLateErrors(file, messages);
    const told = toRunnerEvent(event);
    if (told !== undefined) tell(told);
  }
  const duration_ms = performance.now() - started_ms;
  tell({ kind: "fileEnded", file, duration_ms, memory_bytes: process.memoryUsage.rss() });
}

process.on("message", async ({ file }: { file: string }) => {
  isRunning = true;
  // A file is over when nothing is left to do: what it leaves open holds it up, as in a process of its own.
  channel.unref();
  await runFile(file);
  channel.ref();
  isRunning = false;
});
// Where a file is under way nobody is left to report to. This process leads the group of all that the tests started.
process.once("disconnect", () => {
  if (!isRunning) process.exit(0);
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});
