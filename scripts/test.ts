// The one test command: `npm test`, `npm run test:all`, `npm test -- money engine`, `npm test -- --files <path> …`,
// `npm test -- --list`.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "./support/command.ts";
import { parseTestArguments, type Selection, selectSuites } from "./testing/arguments.ts";
import { summary } from "./testing/print.ts";
import { runSuites } from "./testing/run-suites.ts";
import { suites } from "./testing/suites.ts";
import { createWebAppBuild } from "./testing/web-app.ts";

const root = dirname(import.meta.dirname);
const INTERRUPTED_EXIT_CODE = 130;

function listSuites(selections: readonly Selection[]): void {
  for (const { suite, files } of selections) {
    const needs = suite.needs === undefined ? "" : ` (needs ${suite.needs.join(", ")})`;
    console.log(`${suite.name}: ${suite.covers}${needs}\n  ${suite.runBy}: ${suite.because}`);
    for (const file of files) console.log(`  ${file}`);
  }
}

/** Aborts the tests on a signal, and if the bootstrap above is killed (its channel breaks then). */
function abortOnEnd(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  process.on("disconnect", () => controller.abort());
  process.channel?.unref();
  return controller.signal;
}

/** Loads the server's code only if there is something to drop: a run without a database needs none of it. */
async function dropTemplates(folder: string): Promise<void> {
  if (readdirSync(folder).length === 0) return;
  const templates = await import("../apps/server/src/kernel/database/test-templates.ts");
  await templates.dropTemplates(folder);
}

/** Runs with a folder for what the tests of this run share; see `kernel/database/test-templates.ts`. */
async function withTemplates<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-run-"));
  try {
    return await action(folder);
  } finally {
    await dropTemplates(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(selections: readonly Selection[], templates: string): Promise<number> {
  const started_ms = performance.now();
  const signal = abortOnEnd();
  const context = {
    root,
    env: { ...process.env, TEST_TEMPLATES: templates },
    requiresServices: process.env["REQUIRE_SERVICES"] === "1",
    signal,
    buildWebApp: createWebAppBuild(root, signal),
    print: (text: string) => console.log(text),
  };
  const results = await runSuites(selections, context);
  if (signal.aborted) {
    console.log("\nInterrupted.");
    return INTERRUPTED_EXIT_CODE;
  }
  console.log("");
  console.log(summary(results, performance.now() - started_ms));
  const hasFailed = results.some(({ failures }) => failures.length > 0);
  const hasPassed = results.some(({ passed }) => passed > 0);
  return hasFailed || !hasPassed ? 1 : 0;
}

async function main(): Promise<number> {
  const args = parseTestArguments(process.argv.slice(2));
  // npm runs this in the project's root and passes the folder in which it was called.
  const selections = selectSuites(root, process.env["INIT_CWD"] ?? process.cwd(), suites, args);
  if (!args.isList) return withTemplates((folder) => runAll(selections, folder));
  listSuites(selections);
  return 0;
}

const USAGE = `Usage: npm test -- [suite …] [--files path …] [--list]
       npm run test:all -- [--beyond] [suite …] [--files path …] [--list]`;

await runCommand(main, USAGE);
