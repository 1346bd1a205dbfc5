import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { UsageError } from "../support/command.ts";
import { CHECK_SUITE_NAME, filesOf, type Suite } from "./suites.ts";

/** What runs without named suites: `npm test`, `npm run test:all`, or what the second has beyond the first. */
export type Scope = "test" | "all" | "beyond";

export interface Selection {
  readonly suite: Suite;
  readonly files: readonly string[];
}

export interface TestArguments {
  readonly isList: boolean;
  readonly scope: Scope;
  readonly suiteNames: readonly string[];
  readonly paths: readonly string[];
}

/** `[--all | --beyond] [suite …] [--files path …] [--list]`; `npm run test:all` passes `--all` itself. */
export function parseTestArguments(args: readonly string[]): TestArguments {
  const suiteNames: string[] = [];
  const paths: string[] = [];
  let isList = false;
  let scope: Scope | undefined;
  let isInFiles = false;
  for (const arg of args) {
    if (arg === "--list") isList = true;
    else if (arg === "--all") scope = "all";
    else if (arg === "--beyond") scope = "beyond";
    else if (arg === "--files") isInFiles = true;
    else if (arg.startsWith("-")) throw new UsageError(`unknown option ${arg}`);
    else (isInFiles ? paths : suiteNames).push(arg);
  }
  if (isInFiles && paths.length === 0) throw new UsageError("--files needs at least one path");
  // A list shows everything, with the command that runs it.
  return { isList, scope: scope ?? (isList ? "all" : "test"), suiteNames, paths };
}

function fromRoot(root: string, callerFolder: string, path: string): string {
  const found = [resolve(root, path), resolve(callerFolder, path)].find((candidate) => existsSync(candidate));
  if (found === undefined) throw new UsageError(`there is no file ${path}`);
  return relative(root, found).split(sep).join("/");
}

const isIn = (scope: Scope, { runBy }: Suite): boolean =>
  scope === "all" || (scope === "test") === (runBy === "npm test");

/** The suites to run with their files: those of the command, the named ones, or those that contain the given files. */
export function selectSuites(
  root: string,
  callerFolder: string,
  suites: readonly Suite[],
  { scope, suiteNames, paths }: TestArguments,
): readonly Selection[] {
  const unknown = suiteNames.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`there is no suite ${unknown}; there are: ${suites.map(({ name }) => name).join(", ")}`);
  }
  const all = suites.map((suite) => ({ suite, files: filesOf(root, suite) }));
  const selected = all.filter(({ suite }) =>
    suiteNames.length === 0 ? isIn(scope, suite) : suiteNames.includes(suite.name),
  );
  if (paths.length === 0) return selected;

  const wanted = paths.map((path) => fromRoot(root, callerFolder, path));
  const holders = (path: string, among: readonly Selection[]) => among.filter(({ files }) => files.includes(path));
  // A named file that no suite of the command contains is run by the suites that do contain it.
  const runs = wanted.flatMap((path) => {
    const found = holders(path, selected);
    const others = found.length === 0 && suiteNames.length === 0 ? holders(path, all) : found;
    if (others.length === 0) throw new UsageError(`${path} belongs to none of the suites`);
    return others.map(({ suite }) => ({ suite, path }));
  });
  return all
    .filter(({ suite }) => suite.name !== CHECK_SUITE_NAME)
    .map(({ suite }) => ({ suite, files: runs.filter((run) => run.suite === suite).map(({ path }) => path) }))
    .filter(({ files }) => files.length > 0);
}
