import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onExit } from "../../tests/support/cleanup.ts";
import { nodeFlags, plainEnvironment } from "../../tests/support/processes.ts";

interface Report {
  readonly type: string;
}

/** A child process that receives orders and answers them, one at a time. */
export class WorkerProcess<Order, Answer extends Report> {
  readonly #child: ChildProcess;
  #waiting: PromiseWithResolvers<Answer> | undefined;
  #failure: Error | undefined;

  /** `onUnasked` receives messages that are not answers. */
  constructor(script: string, isAnswer: (report: Answer) => boolean, onUnasked: (report: Answer) => void) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#child = fork(path, { execArgv: [...nodeFlags()], env: plainEnvironment() });
    const exit = onExit(() => this.#child.kill("SIGKILL"));
    this.#child.once("exit", (code) => {
      exit.cancel();
      this.#fail(new Error(`${script} ended with ${code}`));
    });
    this.#child.on("message", (message) => {
      const report = message as Answer & { readonly message?: string };
      if (report.type === "failed") this.#fail(new Error(`${script}: ${report.message}`));
      else if (isAnswer(report)) this.#take()?.resolve(report);
      else onUnasked(report);
    });
  }

  /** Resolves with the answer; rejects if the process has failed. */
  ask(order: Order): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#waiting !== undefined) return Promise.reject(new Error("one order at a time"));
    this.#waiting = Promise.withResolvers<Answer>();
    this.#child.send(order as object);
    return this.#waiting.promise;
  }

  /** Throws if the process has failed since the last order. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#take()?.reject(error);
  }

  #take(): PromiseWithResolvers<Answer> | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
