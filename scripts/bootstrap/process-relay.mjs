import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { withFirstOnPath } from "./environment.mjs";
import { onParentDeath } from "./parent-watch.mjs";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const ORPHAN_GRACE_MS = 20000;
const CAPTURED_CHARS = 200000;

const exitCodeOf = (code, signal) => (signal ? 128 + constants.signals[signal] : code);

/** A signal ended the work; the exit code is the one that a shell would report for it. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodeOf(null, signal);
  }
}

/**
 * Runs one child at a time and binds its lifetime to this process: signals to the bootstrap are passed to the child,
 * and if the calling npm is killed the child is asked to end.
 */
export class ProcessRelay {
  constructor() {
    this.child = null;
    this.interruptedBy = null;
    this.onChild = null;
    const isTerminal = isatty(0);
    for (const signal of FORWARDED_SIGNALS) {
      process.on(signal, () => {
        this.interruptedBy = signal;
        // A terminal sends Ctrl-C to all processes of its foreground group: the child has received it, and a second one
        // would force its end.
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
   * Runs the target with the bootstrap's input and output and resolves to its exit code. The caller's environment
   * overrides `env`. The IPC channel carries no messages: it breaks if this process dies without cleaning up, and the
   * child receives that as "disconnect".
   */
  async run(command, args, { cwd, runtimeFolder, env }) {
    const options = { cwd, env: withFirstOnPath({ ...env, ...process.env }, runtimeFolder) };
    const { code } = await this.supervise(
      spawn(command, args, { ...options, stdio: ["inherit", "inherit", "inherit", "ipc"] }),
    );
    return code;
  }

  /** Runs a command and keeps the end of its output. Throws `Interrupted` if a signal ended it. */
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
