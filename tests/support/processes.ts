import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { Socket } from "node:net";
import { type Owner, onCleanup, onExit } from "./cleanup.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** Everything printed so far, on both streams. */
  output(): string;
  /** Sends the signal and resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<Exit>;
  readonly exited: Promise<Exit>;
  /** Lets this process end although the child still runs (it is killed then), until `kill` waits for it again. */
  unref(): void;
}

export interface ProcessOptions {
  /** Usually the test's context: the process ends with it. */
  readonly owner?: Owner;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A channel that breaks if this process dies, which the child notices. */
  readonly hasChannel?: boolean;
  /** How long a process asked to end at cleanup may take before it is killed. */
  readonly grace_ms?: number;
}

const DEFAULT_GRACE_MS = 5_000;
const OUTPUT_GRACE_MS = 1_000;

/** The environment of a program outside a test: a child must not treat itself as part of this test run. */
export function plainEnvironment(): Record<string, string | undefined> {
  const { NODE_TEST_CONTEXT: _testRun, NODE_OPTIONS: _options, ...env } = process.env;
  return env;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** The flags with which the current Node runs TypeScript. */
export function nodeFlags(): readonly string[] {
  return process.execArgv.filter((flag) => /^--(disable-warning|experimental-strip-types)/.test(flag));
}

function collectOutput(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return () => output;
}

/** The handles of a child that keep this process alive. */
function handlesOf(child: ChildProcess): readonly { ref?(): unknown; unref?(): unknown }[] {
  const streams = [child.stdout, child.stderr].filter((stream) => stream instanceof Socket);
  return [child, ...streams, ...(child.channel ? [child.channel] : [])];
}

/** Starts a program; it ends with the owner, and at the latest with this process. */
export function startProcess(command: string, args: readonly string[], options: ProcessOptions): RunningProcess {
  const spawnOptions: SpawnOptions = {
    stdio: ["ignore", "pipe", "pipe", ...(options.hasChannel === true ? (["ipc"] as const) : [])],
    env: { ...plainEnvironment(), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  };
  const child = spawn(command, args, spawnOptions);
  const output = collectOutput(child);
  const exit = onExit(() => child.kill("SIGKILL"));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
    child.on("exit", (code, signal) => {
      exit.cancel();
      // The rest of the output comes with "close", which a grandchild that holds the pipes open would delay forever.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      }, OUTPUT_GRACE_MS).unref();
    });
  });
  const kill = (signal: NodeJS.Signals = "SIGTERM"): Promise<Exit> => {
    for (const handle of handlesOf(child)) handle.ref?.();
    child.kill(signal);
    return exited;
  };
  if (options.owner !== undefined) {
    onCleanup(options.owner, async () => {
      if (child.pid === undefined) return;
      const timer = setTimeout(() => child.kill("SIGKILL"), options.grace_ms ?? DEFAULT_GRACE_MS);
      await kill("SIGTERM");
      clearTimeout(timer);
    });
  }
  return {
    // A child that could not be started has no id; then `exited` rejects with the reason.
    pid: child.pid ?? -1,
    output,
    kill,
    exited,
    unref: () => {
      for (const handle of handlesOf(child)) handle.unref?.();
    },
  };
}

/** Runs a program to its end. */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<Exit & { readonly output: string }> {
  const running = startProcess(command, args, options);
  const exit = await running.exited;
  return { ...exit, output: running.output() };
}
