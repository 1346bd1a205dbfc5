import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { CHECK_SUITE_NAME, filesOf, type Suite } from "./suites.ts";

export class UsageError extends Error {}

export interface Selection {
  readonly suite: Suite;
  readonly files: readonly string[];
}

export interface TestArguments {
  readonly isList: boolean;
  readonly suiteNames: readonly string[];
  readonly paths: readonly string[];
}

/** `[suite …] [--files path …] [--list]` */
export function parseTestArguments(args: readonly string[]): TestArguments {
  const suiteNames: string[] = [];
  const paths: string[] = [];
  let isList = false;
  let isInFiles = false;
  for (const arg of args) {
    if (arg === "--list") isList = true;
    else if (arg === "--files") isInFiles = true;
    else if (arg.startsWith("-")) throw new UsageError(`unknown option ${arg}`);
    else (isInFiles ? paths : suiteNames).push(arg);
  }
  if (isInFiles && paths.length === 0) throw new UsageError("--files needs at least one path");
  return { isList, suiteNames, paths };
}

function fromRoot(root: string, callerFolder: string, path: string): string {
  const found = [resolve(root, path), resolve(callerFolder, path)].find((candidate) => existsSync(candidate));
  if (found === undefined) throw new UsageError(`there is no file ${path}`);
  return relative(root, found).split(sep).join("/");
}

/** The suites to run with their files: all, those named, or those that hold the given files. */
export function selectSuites(
  root: string,
  callerFolder: string,
  suites: readonly Suite[],
  { suiteNames, paths }: TestArguments,
): readonly Selection[] {
  const unknown = suiteNames.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`there is no suite ${unknown}; there are: ${suites.map(({ name }) => name).join(", ")}`);
  }
  const named = suiteNames.length === 0 ? suites : suites.filter(({ name }) => suiteNames.includes(name));
  const selections = named.map((suite) => ({ suite, files: filesOf(root, suite) }));
  if (paths.length === 0) return selections;

  const wanted = paths.map((path) => fromRoot(root, callerFolder, path));
  const stray = wanted.find((path) => !selections.some(({ files }) => files.includes(path)));
  if (stray !== undefined) throw new UsageError(`${stray} belongs to none of the suites`);
  return selections
    .filter(({ suite }) => suite.name !== CHECK_SUITE_NAME)
    .map(({ suite, files }) => ({ suite, files: files.filter((file) => wanted.includes(file)) }))
    .filter(({ files }) => files.length > 0);
}
