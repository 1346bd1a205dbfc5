import { type FileTally, ResultCollector } from "./collector.ts";
import { type ProcessSettings, TestProcess } from "./test-process.ts";

/** Files that run in the same kind of process: those of one suite. */
export interface Batch extends ProcessSettings {
  readonly files: readonly string[];
  /** Only the first lane runs its files, before all others. */
  readonly isSerial?: boolean;
  /** Called before a file runs; false if none of the batch's files can run. */
  prepare?(): Promise<boolean>;
  onFile(tally: FileTally): void;
}

export interface Pool {
  /** How many files run in parallel. */
  readonly lanes: number;
  readonly signal: AbortSignal;
  /** Told of a file under which the runtime crashed, before it runs again. */
  readonly onCrash?: (file: string) => void;
}

const say = (file: string) => console.log(`again   ${file}: the runtime crashed under it`);

/**
 * Runs the files of all batches in parallel, in order, in few processes, because most of a short file's time is loading
 * the sources. A lane without files in one batch continues with the next one, so no core waits for a batch to end. If a
 * file's process ends, the file fails and the next one runs in another process; only if the runtime itself crashed, the file runs
 * once more.
 */
export async function runPool(batches: readonly Batch[], { lanes, signal, onCrash = say }: Pool): Promise<void> {
  const waiting = batches.map((batch) => ({ batch, files: [...batch.files] }));
  const running = new Set<TestProcess>();
  /** Files under which the runtime has crashed once. */
  const repeated = new Set<string>();

  const isFor = (lane: number, isSerial: boolean) => (entry: (typeof waiting)[number]) =>
    entry.files.length > 0 && (entry.batch.isSerial ?? false) === isSerial && (lane === 0 || !isSerial);

  async function nextBatch(lane: number) {
    for (;;) {
      const next = waiting.find(isFor(lane, true)) ?? waiting.find(isFor(lane, false));
      if (next === undefined || signal.aborted) return undefined;
      if ((await next.batch.prepare?.()) ?? true) return next;
      next.files.length = 0;
    }
  }

  async function useProcess({ batch, files }: { batch: Batch; files: string[] }): Promise<void> {
    const collector = new ResultCollector((tally) => {
      if (!signal.aborted) batch.onFile(tally);
    });
    // Another lane may have taken the last one in the meantime.
    let file = files.shift();
    if (file === undefined || signal.aborted) return;
    const shared = new TestProcess(batch, collector);
    running.add(shared);
    while (file !== undefined && !signal.aborted) {
      const outcome = await shared.run(file, !repeated.has(file));
      if (outcome === "crashed") {
        repeated.add(file);
        files.unshift(file);
        onCrash(file);
      }
      if (outcome !== "next") break;
      file = files.shift();
    }
    await shared.end();
    running.delete(shared);
  }

  async function run(lane: number): Promise<void> {
    for (let next = await nextBatch(lane); next !== undefined; next = await nextBatch(lane)) await useProcess(next);
  }

  const stop = (): void => {
    for (const shared of running) shared.kill();
  };
  signal.addEventListener("abort", stop);
  try {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
