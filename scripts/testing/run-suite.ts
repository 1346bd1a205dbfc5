import { type Check, listChecks } from "../checks.ts";
import type { Selection } from "./arguments.ts";
import { addTally, emptyTally, type Tally } from "./collector.ts";
import { probeNeed } from "./needs.ts";
import { details, fileLine, type SuiteResult } from "./print.ts";
import { runFiles } from "./run-files.ts";
import { runShared } from "./run-shared.ts";
import { CHECK_SUITE_NAME, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT_MS, type Suite } from "./suites.ts";

export interface SuiteContext {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whatever is skipped counts as failed: for machines that are supposed to have everything. */
  readonly requiresServices: boolean;
  readonly signal: AbortSignal;
  /** Builds the web app, the first time; what was wrong with it, every time. */
  readonly buildWebApp: () => Promise<string | undefined>;
  readonly print: (text: string) => void;
}

async function runChecks({ root, print }: SuiteContext): Promise<Tally> {
  const total = emptyTally();
  const run = async (check: Check) => ({ ...(await check.run()), name: check.name });
  for (const { name, passed, output, duration_ms } of await Promise.all(listChecks(root).map(run))) {
    const tally = emptyTally();
    if (passed) tally.passed = 1;
    else tally.failures.push({ name, detail: output });
    print(fileLine({ ...tally, file: name, duration_ms, output: "" }));
    if (!passed) print(details(tally));
    addTally(total, tally);
  }
  return total;
}

function withSkipsAsFailures(tally: Tally): Tally {
  const failures = tally.skips.map(({ name, reason }) => ({
    name: `${name} was skipped`,
    detail: `${reason === "" ? "No reason was given." : reason}\nREQUIRE_SERVICES=1 allows no skips.`,
  }));
  return { passed: tally.passed, failures: [...tally.failures, ...failures], skips: [] };
}

async function unmetNeeds(
  suite: Suite,
  context: SuiteContext,
): Promise<{ env: Record<string, string>; reasons: string[] }> {
  const env: Record<string, string> = {};
  const reasons: string[] = [];
  for (const need of suite.needs ?? []) {
    const availability = await probeNeed(need, context.root, context.env);
    if (availability.isAvailable) Object.assign(env, availability.env);
    else reasons.push(availability.reason);
  }
  return { env, reasons };
}

async function runTestFiles({ suite, files }: Selection, context: SuiteContext): Promise<Tally> {
  const { env, reasons } = await unmetNeeds(suite, context);
  if (reasons.length > 0) {
    const tally: Tally = { ...emptyTally(), skips: [{ name: `suite ${suite.name}`, reason: reasons.join("; ") }] };
    const counted = context.requiresServices ? withSkipsAsFailures(tally) : tally;
    context.print(details(counted));
    return counted;
  }
  const buildProblem = suite.usesWebApp === true ? await context.buildWebApp() : undefined;
  if (buildProblem !== undefined) {
    const tally = { ...emptyTally(), failures: [{ name: "the web app could not be built", detail: buildProblem }] };
    context.print(details(tally));
    return tally;
  }
  let printedFailures = 0;
  const total = await (suite.sharedMemory_bytes === undefined ? runFiles : runShared)({
    root: context.root,
    files,
    env: { ...context.env, ...env, ...suite.env },
    concurrency: suite.concurrency ?? DEFAULT_CONCURRENCY,
    ...(suite.sharedMemory_bytes === undefined ? {} : { sharedMemory_bytes: suite.sharedMemory_bytes }),
    timeout_ms: suite.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    ...(suite.preload === undefined ? {} : { preload: suite.preload }),
    signal: context.signal,
    onFile: (tally) => {
      context.print(fileLine(tally));
      const text = details(tally);
      if (text !== "") context.print(text);
      printedFailures += tally.failures.length;
    },
  });
  const ofProcess = details({ ...emptyTally(), failures: total.failures.slice(printedFailures) });
  if (ofProcess !== "") context.print(ofProcess);
  return context.requiresServices ? withSkipsAsFailures(total) : total;
}

/** Runs one suite, printing as it goes. */
export async function runSuite(selection: Selection, context: SuiteContext): Promise<SuiteResult> {
  const { suite, files } = selection;
  const started_ms = performance.now();
  const result = (tally: Tally, note?: string): SuiteResult => ({
    ...tally,
    suite: suite.name,
    duration_ms: performance.now() - started_ms,
    ...(note === undefined ? {} : { note }),
  });
  context.print(`${suite.name}: ${suite.covers}`);
  if (suite.name === CHECK_SUITE_NAME) return result(await runChecks(context));
  if (files.length > 0) return result(await runTestFiles(selection, context));
  if (suite.isOptional === true) return result(emptyTally(), "no files yet");
  const failures = [{ name: `suite ${suite.name} has no files`, detail: `Nothing matches ${suite.files.join(", ")}` }];
  context.print(details({ ...emptyTally(), failures }));
  return result({ ...emptyTally(), failures });
}
