import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ResultCollector } from "./collector.ts";
import type { FileEnded, RunnerEvent } from "./runner-event.ts";

export interface ProcessSettings {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A module, from the project's root, that the process loads first. */
  readonly preload?: string;
  /** A process with more memory takes no further file. */
  readonly sharedMemory_bytes: number;
  /** How long a file may take. */
  readonly timeout_ms: number;
}

/**
 * How a process ends whose runtime finds itself broken. V8 does so now and then when WebAssembly code, which the embedded database
 * is, comes and goes quickly (nodejs/node issue 64500); a test cannot cause it by a wrong result.
 */
const CRASH_SIGNALS: ReadonlySet<string> = new Set(["SIGTRAP", "SIGSEGV", "SIGILL"]);

/** Whether the process takes another file, takes none, or has crashed and the file is to be run again. */
export type FileOutcome = "next" | "process over" | "crashed";

const canSignalGroups = process.platform !== "win32";

/** Starts a process that leads its own group, with a channel whose end means that the parent has ended. */
function start({ root, env, preload }: ProcessSettings): ChildProcess {
  // Otherwise a test run inside a test run would treat itself as part of the outer one and do nothing.
  const { NODE_TEST_CONTEXT: _outer, ...given } = env;
  const flags = preload === undefined ? [] : [`--import=${pathToFileURL(join(root, preload)).href}`];
  return spawn(process.execPath, [...process.execArgv, ...flags, join(import.meta.dirname, "test-process-main.ts")], {
    cwd: root,
    // Many processes load the same modules: with a compile cache they load in half the time.
    env: { NODE_COMPILE_CACHE: join(root, ".cache", "compiled"), ...given },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: canSignalGroups,
  });
}

/** A process that runs test files one after the other, and the collector of its reports. */
export class TestProcess {
  readonly #child: ChildProcess;
  readonly #collector: ResultCollector;
  readonly #settings: ProcessSettings;
  #file = "";
  #end = Promise.withResolvers<FileEnded | string>();

  constructor(settings: ProcessSettings, collector: ResultCollector) {
    this.#settings = settings;
    this.#collector = collector;
    this.#child = start(settings);
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

  /** Runs a file to its end. A file that may be repeated does not fail when the runtime crashes under it. */
  async run(file: string, mayBeRepeated: boolean): Promise<FileOutcome> {
    this.#file = file;
    this.#end = Promise.withResolvers();
    this.#child.send({ file }, (error) => {
      if (error !== null) this.#end.resolve(`the file's process cannot be used: ${error.message}`);
    });
    const timer = setTimeout(() => this.#giveUp(), this.#settings.timeout_ms);
    const end = await this.#end.promise;
    clearTimeout(timer);
    // The file's output arrives by another pipe.
    await nextTurn();
    await nextTurn();
    if (typeof end === "string") {
      if (mayBeRepeated && CRASH_SIGNALS.has(this.#child.signalCode ?? "")) return "crashed";
      this.#collector.failFile(file, end);
      return "process over";
    }
    // A file that could not be loaded has ended with its failure.
    if (!this.#collector.hasEnded(file)) this.#collector.add(end);
    return (end.memory_bytes ?? 0) <= this.#settings.sharedMemory_bytes ? "next" : "process over";
  }

  #giveUp(): void {
    const underWay = this.#collector.running.join(", ") || "nothing: something was left open";
    this.#end.resolve(`the file ran longer than ${this.#settings.timeout_ms / 1000} s; under way: ${underWay}`);
    this.kill();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (this.#child.connected) this.#child.disconnect();
    await once(this.#child, "exit");
  }

  /** Kills it together with the processes that its tests have started: they share its process group. */
  kill(): void {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (canSignalGroups) process.kill(-this.#child.pid, "SIGKILL");
    else this.#child.kill("SIGKILL");
  }
}
