import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { addTally, emptyTally, type FileTally, ResultCollector, type Tally } from "./collector.ts";
import { type FileRun, killTree, startTestProcess } from "./run-files.ts";
import type { FileEnded, RunnerEvent } from "./runner-event.ts";

/** A process that runs files one after the other, and the collector of what it tells. */
class SharedProcess {
  readonly #child: ChildProcess;
  readonly #collector: ResultCollector;
  readonly #mostMemory_bytes: number;
  #file = "";
  #end = Promise.withResolvers<FileEnded | string>();

  constructor(run: FileRun, collector: ResultCollector) {
    this.#collector = collector;
    this.#mostMemory_bytes = run.sharedMemory_bytes ?? Number.POSITIVE_INFINITY;
    this.#child = startTestProcess(run, [join(import.meta.dirname, "shared-process.ts")]);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        collector.add({ kind: "output", file: this.#file, text });
      });
    }
    this.#child.on("message", (event: RunnerEvent) => {
      if (event.kind === "fileEnded") this.#end.resolve(event);
      else collector.add(event);
    });
    this.#child.on("error", (error) => this.#end.resolve(`the file's process cannot be used: ${error.message}`));
    this.#child.on("close", (code, signal) => {
      this.#end.resolve(`the file's process ${signal === null ? `ended with code ${code}` : `was ended by ${signal}`}`);
    });
  }

  /** Runs a file to its end; false where the process takes no more. */
  async run(file: string): Promise<boolean> {
    this.#file = file;
    this.#end = Promise.withResolvers();
    this.#child.send({ file }, (error) => {
      if (error !== null) this.#end.resolve(`the file's process cannot be used: ${error.message}`);
    });
    const end = await this.#end.promise;
    // What the file has printed comes on another way.
    await nextTurn();
    await nextTurn();
    if (typeof end === "string") {
      this.#collector.failFile(file, end);
      return false;
    }
    // A file that could not be loaded has ended with its failure.
    if (!this.#collector.hasEnded(file)) this.#collector.add(end);
    return (end.memory_bytes ?? 0) <= this.#mostMemory_bytes;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (this.#child.connected) this.#child.disconnect();
    await once(this.#child, "exit");
  }

  kill(): void {
    killTree(this.#child);
  }
}

/**
 * Runs test files in few processes, each one file after the other: most of a short file's time is loading the sources.
 * A file whose process ends fails, and the next one begins in another process.
 */
export async function runShared(run: FileRun): Promise<Tally> {
  const total = emptyTally();
  const waiting = [...run.files];
  const unfinished = new Set(run.files);
  const processes = new Set<SharedProcess>();
  const collectors: ResultCollector[] = [];
  let isOver = false;
  const onFile = (tally: FileTally) => {
    if (isOver) return;
    unfinished.delete(tally.file);
    addTally(total, tally);
    run.onFile(tally);
  };

  const useProcess = async (collector: ResultCollector): Promise<void> => {
    const shared = new SharedProcess(run, collector);
    processes.add(shared);
    for (let file = waiting.shift(); file !== undefined && !isOver; file = waiting.shift()) {
      if (!(await shared.run(file))) break;
    }
    await shared.end();
    processes.delete(shared);
  };
  const lane = async (): Promise<void> => {
    const collector = new ResultCollector(onFile);
    collectors.push(collector);
    while (waiting.length > 0 && !isOver) await useProcess(collector);
  };

  const stop = (): void => {
    isOver = true;
    for (const shared of processes) shared.kill();
  };
  const timer = setTimeout(() => {
    const underWay = collectors.flatMap(({ running }) => running);
    total.failures.push({
      name: `the suite ran longer than ${run.timeout_ms / 1000} s`,
      detail: [`not ended: ${[...unfinished].join(", ")}`, `under way: ${underWay.join(", ")}`].join("\n"),
    });
    stop();
  }, run.timeout_ms);
  run.signal.addEventListener("abort", stop);
  try {
    await Promise.all(Array.from({ length: Math.min(run.concurrency, run.files.length) }, lane));
    return total;
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", stop);
  }
}
