import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { addTally, emptyTally, type FileTally, ResultCollector, type Tally } from "./collector.ts";
import type { RunnerEvent } from "./runner-event.ts";

export interface FileRun {
  readonly root: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly concurrency: number;
  /** A module from the root that every file begins with. */
  readonly preload?: string;
  /** Where a process has come to hold more, the next file gets a fresh one. */
  readonly sharedMemory_bytes?: number;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly onFile: (tally: FileTally) => void;
}

const KEPT_STRAY_CHARS = 20_000;
const canSignalGroups = process.platform !== "win32";

/** Ends a test process together with the processes its tests have started: they share its process group. */
export function killTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (canSignalGroups) process.kill(-child.pid, "SIGKILL");
  else child.kill("SIGKILL");
}

/** Starts a process at the head of a group of its own, with a channel whose end tells it that nobody listens. */
export function startTestProcess(run: FileRun, args: readonly string[]): ChildProcess {
  // A test run inside a test run would otherwise take itself for a part of the outer one and do nothing.
  const { NODE_TEST_CONTEXT: _outer, ...given } = run.env;
  // Every file is a process of its own and loads the same modules: compiled once, they load in half the time.
  const env = { NODE_COMPILE_CACHE: join(run.root, ".cache", "compiled"), ...given };
  const preload = run.preload === undefined ? [] : [`--import=${pathToFileURL(join(run.root, run.preload)).href}`];
  return spawn(process.execPath, [...process.execArgv, ...preload, ...args], {
    cwd: run.root,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: canSignalGroups,
  });
}

function startNodeTest(run: FileRun): ChildProcess {
  const reporter = pathToFileURL(join(import.meta.dirname, "reporter.ts")).href;
  const flags = ["--test", `--test-reporter=${reporter}`, `--test-concurrency=${run.concurrency}`];
  return startTestProcess(run, [...flags, ...run.files]);
}

/** The last word on a run: what its process did is a failure unless the tests it reported explain it. */
function failuresOfProcess(
  run: FileRun,
  collector: ResultCollector,
  end: { code: number | null; signal: NodeJS.Signals | null; isTimedOut: boolean; failed: number; stray: string },
): Tally {
  const tally = emptyTally();
  const unfinished = run.files.filter((file) => !collector.hasEnded(file));
  const evidence = [
    ...(unfinished.length === 0 ? [] : [`not ended: ${unfinished.join(", ")}`]),
    ...(collector.running.length === 0 ? [] : [`under way: ${collector.running.join(", ")}`]),
    ...(end.stray === "" ? [] : [end.stray.trimEnd()]),
  ].join("\n");
  if (end.isTimedOut) {
    tally.failures.push({ name: `the suite ran longer than ${run.timeout_ms / 1000} s`, detail: evidence });
  } else if (end.signal !== null) {
    tally.failures.push({ name: `the suite's process was ended by ${end.signal}`, detail: evidence });
  } else if ((end.code !== 0 && end.failed === 0) || unfinished.length > 0) {
    tally.failures.push({ name: `the suite's process ended with code ${end.code}`, detail: evidence });
  }
  return tally;
}

/** Runs test files with `node --test` and counts what they report. */
export async function runFiles(run: FileRun): Promise<Tally> {
  const total = emptyTally();
  const collector = new ResultCollector((file) => {
    addTally(total, file);
    run.onFile(file);
  });
  const child = startNodeTest(run);
  let stray = "";
  const addStray = (text: string): void => {
    stray = (stray + text).slice(-KEPT_STRAY_CHARS);
  };
  child.stderr?.setEncoding("utf8").on("data", addStray);
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith('{"kind":')) collector.add(JSON.parse(line) as RunnerEvent);
      else addStray(`${line}\n`);
    });
  }
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    killTree(child);
  }, run.timeout_ms);
  const abort = (): void => killTree(child);
  run.signal.addEventListener("abort", abort);
  try {
    const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
      (resolve, reject) => {
        child.on("error", reject);
        child.on("close", (code, signal) => resolve({ code, signal }));
      },
    );
    addTally(total, collector.takeUnfinished());
    addTally(
      total,
      failuresOfProcess(run, collector, { code, signal, isTimedOut, failed: total.failures.length, stray }),
    );
    return total;
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", abort);
  }
}
