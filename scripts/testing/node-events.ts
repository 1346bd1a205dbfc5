import { relative, resolve } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { RunnerEvent, TestEnded } from "./runner-event.ts";

type ResultEvent = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

const ONLY_IS_IGNORED = "'only' and 'runOnly' require the --test-only command-line option.";

const fromRoot = (file: string): string => relative(process.cwd(), resolve(file));

/** Node reports a file like a test with its name, at line 1; only if it crashed or has no tests. */
function isFileItself(data: { name: string; nesting: number; file?: string; line?: number; column?: number }): boolean {
  const isAtStart = data.line === 1 && data.column === 1;
  return data.nesting === 0 && isAtStart && data.file !== undefined && resolve(data.name) === resolve(data.file);
}

function describeError(error: Error & { exitCode?: unknown; signal?: unknown }): string {
  if (typeof error.signal === "string") return `the file's process was ended by ${error.signal}`;
  if (typeof error.exitCode === "number") return `the file's process ended with code ${error.exitCode}`;
  return inspect(error.cause ?? error, { depth: 6, colors: false });
}

function resultOf({ type, data }: ResultEvent): TestEnded {
  const error: (Error & { failureType?: unknown }) | undefined = type === "test:fail" ? data.details.error : undefined;
  const skip: string | boolean | undefined = data.skip;
  return {
    kind: "ended",
    nesting: data.nesting,
    name: data.name,
    passed: type === "test:pass",
    duration_ms: data.details.duration_ms,
    isSuite: data.details.type === "suite",
    isTodo: data.todo !== undefined && data.todo !== false,
    onlyChildrenFailed: error?.failureType === "subtestsFailed",
    ...(isFileItself(data) && data.file !== undefined ? { file: fromRoot(data.file) } : {}),
    ...(skip === undefined || skip === false ? {} : { skipped: skip === true ? "" : skip }),
    ...(error === undefined ? {} : { error: describeError(error) }),
  };
}

function place(data: { file?: string; line?: number }): string {
  return `${data.file === undefined ? "?" : fromRoot(data.file)}:${data.line ?? "?"}`;
}

export function toRunnerEvent(event: TestEvent): RunnerEvent | undefined {
  switch (event.type) {
    case "test:start":
      return { kind: "started", nesting: event.data.nesting, name: event.data.name };
    case "test:pass":
    case "test:fail":
      return resultOf(event);
    case "test:dequeue":
    case "test:complete":
      if (isFileItself(event.data)) return undefined;
      return {
        kind: "running",
        isRunning: event.type === "test:dequeue",
        test: `${place(event.data)} ${event.data.name}`,
      };
    case "test:stdout":
    case "test:stderr":
      return { kind: "output", file: fromRoot(event.data.file), text: event.data.message };
    case "test:diagnostic":
      if (event.data.file === undefined) return undefined;
      if (event.data.message === ONLY_IS_IGNORED) return { kind: "only", place: place(event.data) };
      return { kind: "output", file: fromRoot(event.data.file), text: `${event.data.message}\n` };
    case "test:summary":
      if (event.data.file === undefined) return undefined;
      return { kind: "fileEnded", file: fromRoot(event.data.file), duration_ms: event.data.duration_ms };
    default:
      return undefined;
  }
}
