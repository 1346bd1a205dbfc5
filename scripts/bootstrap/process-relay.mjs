import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { withFirstOnPath } from "./environment.mjs";
import { onParentDeath } from "./parent-watch.mjs";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const ORPHAN_GRACE_MS = 20000;
const CAPTURED_CHARS = 200000;

const exitCodeOf = (code, signal) => (signal ? 128 + constants.signals[signal] : code);

/** A signal ended the work; the exit code is the one a shell would report for it. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodeOf(null, signal);
  }
}

/**
 * Runs one child at a time and ties its life to ours: signals that reach the bootstrap reach the child, and when the
 * npm that called us is killed the child is told to end rather than left behind.
 */
export class ProcessRelay {
  constructor() {
    this.child = null;
    this.interruptedBy = null;
    /** Called with the id of every child. */
    this.onChild = null;
    const isTerminal = isatty(0);
    for (const signal of FORWARDED_SIGNALS) {
      process.on(signal, () => {
        this.interruptedBy = signal;
        // A terminal sends Ctrl-C to every process in front of it: the child has it already, a second would mean "now".
        if (this.child !== null && !(signal === "SIGINT" && isTerminal)) this.child.kill(signal);
      });
    }
    if (process.env.npm_lifecycle_event !== undefined) onParentDeath(() => this.endChild());
  }

  endChild() {
    this.interruptedBy = "SIGTERM";
    const child = this.child;
    if (child === null) return;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), ORPHAN_GRACE_MS).unref();
  }

  /**
   * Runs the target with our own input and output and resolves to its exit code. What the caller's environment says goes
   * above `env`. The IPC channel carries no messages:
   * it breaks when this process dies in a way that lets it do nothing more, and the child hears that as "disconnect".
   */
  async run(command, args, { cwd, runtimeFolder, env }) {
    const options = { cwd, env: withFirstOnPath({ ...env, ...process.env }, runtimeFolder) };
    const { code } = await this.supervise(
      spawn(command, args, { ...options, stdio: ["inherit", "inherit", "inherit", "ipc"] }),
    );
    return code;
  }

  /** Runs a command and keeps the end of what it prints. Throws `Interrupted` when a signal ended it. */
  async capture(command, args, { cwd, env }) {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output = (output + text).slice(-CAPTURED_CHARS);
      });
    }
    const { code } = await this.supervise(child);
    if (this.interruptedBy !== null) throw new Interrupted(this.interruptedBy);
    return { code, output };
  }

  supervise(child) {
    this.child = child;
    if (this.onChild !== null && child.pid !== undefined) this.onChild(child.pid);
    if (this.interruptedBy !== null) child.kill(this.interruptedBy);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.child = null;
        resolve({ code: exitCodeOf(code, signal) });
      });
    });
  }
}
