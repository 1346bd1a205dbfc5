import { Worker } from "node:worker_threads";
import type { Failures } from "../failures.ts";

export interface FileOptions {
  readonly damages: number;
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
  /** How long one damaged file may occupy a thread before it counts as a hang. */
  readonly silence_ms?: number;
}

/** By kind of damage, then by outcome. */
export type Outcomes = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface FileReport {
  readonly damages: number;
  readonly outcomes: Outcomes;
}

/** Messages of the thread. */
export type FileWord =
  | { readonly word: "next"; readonly number: number }
  | { readonly word: "done"; readonly outcomes: Outcomes; readonly failures: ReturnType<Failures["all"]> };

const SILENCE_ms = 120_000;
const SHOW_EVERY = 500;

/** Damages files in a separate thread, so that a recovery that never ends is noticed. */
export function runFiles(options: FileOptions, failures: Failures): Promise<FileReport> {
  const { damages, seed, onProgress, silence_ms = SILENCE_ms } = options;
  const worker = new Worker(new URL("./file-worker.ts", import.meta.url), {
    workerData: { damages, seed },
    name: "files",
  });
  return new Promise((resolve, reject) => {
    let done = 0;
    const onSilence = () => {
      failures.add("files: a recovery does not end", { how: `seed ${seed}`, sent: `damage ${done}`, answered: "" });
      void worker.terminate();
      resolve({ damages: done, outcomes: new Map() });
    };
    let silence = setTimeout(onSilence, silence_ms);
    worker.on("message", (said: FileWord) => {
      clearTimeout(silence);
      if (said.word === "done") {
        failures.take(said.failures);
        resolve({ damages, outcomes: said.outcomes });
        return;
      }
      done = said.number;
      if (done % SHOW_EVERY === 0) onProgress?.(`files: ${done} of ${damages} damages`);
      silence = setTimeout(onSilence, silence_ms);
    });
    worker.once("error", (error) => {
      clearTimeout(silence);
      reject(new Error(`damage ${done} of seed ${seed} brought the process down`, { cause: error }));
    });
  });
}
