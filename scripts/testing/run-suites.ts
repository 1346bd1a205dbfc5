import { type Check, listChecks } from "../checks.ts";
import { usedCpu_ms } from "../support/cpu-time.ts";
import type { Selection } from "./arguments.ts";
import { addTally, emptyTally, type FileTally, type Tally } from "./collector.ts";
import { probeNeed } from "./needs.ts";
import { details, fileLine, type SuiteResult } from "./print.ts";
import { type Batch, runPool } from "./run-pool.ts";
import { CHECK_SUITE_NAME, DEFAULT_SHARED_MEMORY_BYTES, DEFAULT_TIMEOUT_MS, type Suite } from "./suites.ts";

/** Files that run in parallel: most of them start a thread or a process of their own. */
const LANES = 2;

export interface RunContext {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether skipped suites count as failed: for machines that must have all services. */
  readonly requiresServices: boolean;
  readonly signal: AbortSignal;
  /** Builds the web app at the first call; every call resolves with the build's error, if any. */
  readonly buildWebApp: () => Promise<string | undefined>;
  readonly print: (text: string) => void;
}

function withSkipsAsFailures(tally: Tally): Tally {
  const failures = tally.skips.map(({ name, reason }) => ({
    name: `${name} was skipped`,
    detail: `${reason === "" ? "No reason was given." : reason}\nREQUIRE_SERVICES=1 allows no skips.`,
  }));
  return { passed: tally.passed, failures: [...tally.failures, ...failures], skips: [] };
}

/** One suite's part of a run: prints its progress and sums up its results. */
class SuiteRun {
  readonly suite: Suite;
  readonly #files: readonly string[];
  readonly #context: RunContext;
  readonly #total = emptyTally();
  #duration_ms = 0;
  #cpu_ms = 0;
  #note: string | undefined;
  #isPrepared: Promise<boolean> | undefined;

  constructor({ suite, files }: Selection, context: RunContext) {
    this.suite = suite;
    this.#files = files;
    this.#context = context;
  }

  get result(): SuiteResult {
    return {
      ...this.#total,
      suite: this.suite.name,
      duration_ms: this.#duration_ms,
      cpu_ms: this.#cpu_ms,
      ...(this.#note === undefined ? {} : { note: this.#note }),
    };
  }

  async runChecks(): Promise<void> {
    const before_ms = usedCpu_ms();
    const run = async (check: Check) => ({ ...(await check.run()), name: check.name });
    for (const { name, passed, output, duration_ms } of await Promise.all(listChecks(this.#context.root).map(run))) {
      const tally = emptyTally();
      if (passed) tally.passed = 1;
      else tally.failures.push({ name, detail: output });
      this.#addFile({ ...tally, file: name, duration_ms, output: "" });
    }
    // The checks run side by side, so only their sum is known.
    this.#cpu_ms += usedCpu_ms() - before_ms;
  }

  /** The files to run; undefined if there are none, with the reason printed. */
  async toBatch(): Promise<Batch | undefined> {
    const { suite } = this;
    if (this.#files.length === 0) {
      if (suite.isOptional === true) this.#note = "no files yet";
      else this.#fail(`suite ${suite.name} has no files`, `Nothing matches ${suite.files.join(", ")}`);
      return undefined;
    }
    const { root, env } = this.#context;
    const found: Record<string, string> = {};
    const missing: string[] = [];
    for (const need of suite.needs ?? []) {
      const availability = await probeNeed(need, root, env);
      if (availability.isAvailable) Object.assign(found, availability.env);
      else missing.push(availability.reason);
    }
    if (missing.length > 0) {
      this.#add({ ...emptyTally(), skips: [{ name: `suite ${suite.name}`, reason: missing.join("; ") }] });
      return undefined;
    }
    return {
      root,
      files: this.#files,
      env: { ...env, ...found, ...suite.env },
      ...(suite.preload === undefined ? {} : { preload: suite.preload }),
      sharedMemory_bytes: suite.sharedMemory_bytes ?? DEFAULT_SHARED_MEMORY_BYTES,
      timeout_ms: suite.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      isSerial: suite.isSerial ?? false,
      prepare: () => {
        this.#isPrepared ??= this.#prepare();
        return this.#isPrepared;
      },
      onFile: (tally) => this.#addFile(tally),
    };
  }

  async #prepare(): Promise<boolean> {
    const problem = this.suite.usesWebApp === true ? await this.#context.buildWebApp() : undefined;
    if (problem !== undefined) this.#fail("the web app could not be built", problem);
    return problem === undefined;
  }

  #addFile(tally: FileTally): void {
    this.#context.print(fileLine(this.suite.name, tally));
    this.#duration_ms += tally.duration_ms;
    this.#cpu_ms += tally.cpu_ms ?? 0;
    this.#add(tally);
  }

  #fail(name: string, detail: string): void {
    this.#add({ ...emptyTally(), failures: [{ name, detail }] });
  }

  #add(tally: Tally & { readonly output?: string }): void {
    const { output = "" } = tally;
    const counted = this.#context.requiresServices ? withSkipsAsFailures(tally) : tally;
    const text = details({ ...counted, output });
    if (text !== "") this.#context.print(text);
    addTally(this.#total, counted);
  }
}

/** Runs the suites in parallel and prints their progress. */
export async function runSuites(
  selections: readonly Selection[],
  context: RunContext,
): Promise<readonly SuiteResult[]> {
  const runs = selections.map((selection) => new SuiteRun(selection, context));
  await runs.find(({ suite }) => suite.name === CHECK_SUITE_NAME)?.runChecks();
  const batches: Batch[] = [];
  for (const run of runs) {
    if (run.suite.name === CHECK_SUITE_NAME) continue;
    const batch = await run.toBatch();
    if (batch !== undefined) batches.push(batch);
  }
  await runPool(batches, { lanes: LANES, signal: context.signal });
  return runs.map(({ result }) => result);
}
