import type { RunnerEvent, TestEnded } from "./runner-event.ts";

export interface Failure {
  readonly name: string;
  readonly detail: string;
}

export interface Skip {
  readonly name: string;
  readonly reason: string;
}

/** The result of one suite, or of one of its files. */
export interface Tally {
  passed: number;
  readonly failures: Failure[];
  readonly skips: Skip[];
}

export interface FileTally extends Tally {
  readonly file: string;
  readonly duration_ms: number;
  /** Absent if it could not be measured: the process ended before the file did. */
  readonly cpu_ms?: number;
  /** The end of the file's output. */
  readonly output: string;
}

export const emptyTally = (): Tally => ({ passed: 0, failures: [], skips: [] });

export function addTally(total: Tally, part: Tally): void {
  total.passed += part.passed;
  total.failures.push(...part.failures);
  total.skips.push(...part.skips);
}

const KEPT_OUTPUT_CHARS = 20_000;

/**
 * Counts the reports of a test process: tests that ran, not the files and blocks around them. A process runs one file
 * after the other, so reports since the last file's end belong to the next one.
 */
export class ResultCollector {
  #onFile: (tally: FileTally) => void;
  #names: string[] = [];
  #childrenAt: number[] = [];
  #current: Tally = emptyTally();
  #output = new Map<string, string>();
  #running = new Set<string>();
  #ended = new Set<string>();

  constructor(onFile: (tally: FileTally) => void) {
    this.#onFile = onFile;
  }

  /** Tests that have begun and not ended, with their locations. */
  get running(): readonly string[] {
    return [...this.#running];
  }

  hasEnded(file: string): boolean {
    return this.#ended.has(file);
  }

  /** The file's process has ended before the file did. */
  failFile(file: string, detail: string): void {
    this.#running.clear();
    this.#fail(file, detail);
    this.#endFile(file, { duration_ms: 0 });
  }

  add(event: RunnerEvent): void {
    switch (event.kind) {
      case "started":
        this.#names.length = event.nesting;
        this.#names.push(event.name);
        break;
      case "ended":
        this.#addResult(event);
        break;
      case "running":
        if (event.isRunning) this.#running.add(event.test);
        else this.#running.delete(event.test);
        break;
      case "output":
        this.#output.set(event.file, `${this.#output.get(event.file) ?? ""}${event.text}`.slice(-KEPT_OUTPUT_CHARS));
        break;
      case "only":
        this.#fail(`${event.place}: "only" is set`, "Every test has to run: remove it.");
        break;
      case "fileEnded":
        this.#endFile(event.file, event);
        break;
    }
  }

  #addResult(event: TestEnded): void {
    if (event.file !== undefined) {
      this.#addFileResult(event, event.file);
      return;
    }
    const isParent = (this.#childrenAt[event.nesting + 1] ?? 0) > 0;
    this.#childrenAt.length = event.nesting + 1;
    this.#childrenAt[event.nesting] = (this.#childrenAt[event.nesting] ?? 0) + 1;
    const name = [...this.#names.slice(0, event.nesting), event.name].join(" > ");

    if (event.isTodo) this.#fail(name, `It is marked "todo".${event.error === undefined ? "" : `\n${event.error}`}`);
    else if (event.skipped !== undefined) this.#current.skips.push({ name, reason: event.skipped });
    else if (!event.passed) {
      if (!(isParent && event.onlyChildrenFailed)) this.#fail(name, event.error ?? "It failed without an error.");
    } else if (!isParent && !event.isSuite) this.#current.passed += 1;
  }

  #addFileResult(event: TestEnded, file: string): void {
    if (event.passed) this.#fail(file, "The file holds no test.");
    else this.#fail(file, event.error ?? "The file failed without an error.");
    this.#endFile(file, event);
  }

  #fail(name: string, detail: string): void {
    this.#current.failures.push({ name, detail });
  }

  #endFile(file: string, { duration_ms, cpu_ms }: Pick<FileTally, "duration_ms" | "cpu_ms">): void {
    const tally = this.#takeCurrent();
    this.#ended.add(file);
    const times = { duration_ms, ...(cpu_ms === undefined ? {} : { cpu_ms }) };
    this.#onFile({ ...tally, ...times, file, output: this.#output.get(file) ?? "" });
  }

  #takeCurrent(): Tally {
    const tally = this.#current;
    this.#current = emptyTally();
    this.#names = [];
    this.#childrenAt = [];
    return tally;
  }
}
