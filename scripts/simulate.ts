// Runs seeds of the whole-platform simulation: `npm run simulate`. See docs/simulation.md.
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments, type SimulateRequest, USAGE } from "./simulate/arguments.ts";
import { runCrashes } from "./simulate/crashes.ts";
import { brokenOff, type SeedOrder, type SeedOutcome } from "./simulate/messages.ts";
import { Tally } from "./simulate/tally.ts";
import { runCommand } from "./support/command.ts";

const WORKER = new URL("./simulate/worker.ts", import.meta.url);
/** A process with more memory than this is replaced, because crashed platforms stay in its memory. */
const MAX_MEMORY_bytes = 4_000_000_000;
const SHOW_EVERY_ms = 10_000;

/** Runs one process at a time, and replaces it if it has grown too large or has died. */
class Runner {
  readonly #templates: string;
  #process: ChildProcess | undefined;

  constructor(templates: string) {
    this.#templates = templates;
  }

  async run(order: SeedOrder): Promise<SeedOutcome> {
    const worker = this.#process ?? this.#start();
    this.#process = worker;
    const outcome = await new Promise<SeedOutcome>((resolve) => {
      const ended = (code: number | null, signal: string | null) =>
        resolve(brokenOff(order, { failure: `the process ended with ${code ?? signal}`, took_ms: 0, memory_bytes: 0 }));
      worker.once("exit", ended);
      worker.once("message", (message) => {
        worker.off("exit", ended);
        resolve(message as SeedOutcome);
      });
      worker.send(order);
    });
    if (outcome.memory_bytes > MAX_MEMORY_bytes || worker.exitCode !== null || worker.signalCode !== null) this.stop();
    return outcome;
  }

  stop(): void {
    this.#process?.kill();
    this.#process = undefined;
  }

  #start(): ChildProcess {
    const env = { ...process.env, TEST_TEMPLATES: this.#templates };
    return fork(WORKER, { env, execArgv: ["--disable-warning=ExperimentalWarning"] });
  }
}

async function runAll(request: SimulateRequest, templates: string): Promise<Tally> {
  const { days, actions } = request;
  const tally = new Tally();
  const waiting = [...request.seeds];
  const show = () => console.log(tally.line(request.seeds.length));
  const timer = setInterval(show, SHOW_EVERY_ms);
  const work = async () => {
    const runner = new Runner(templates);
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const outcome = await runner.run({ seed, days, actions });
      tally.add(outcome);
      for (const failure of outcome.failures.slice(0, 3)) console.log(`seed ${seed} FAILED: ${failure}`);
    }
    runner.stop();
  };
  await Promise.all(Array.from({ length: Math.min(request.parallel, request.seeds.length) }, work));
  clearInterval(timer);
  show();
  return tally;
}

async function main(): Promise<number> {
  const request = parseArguments(process.argv.slice(2));
  if (request === null) {
    console.log(USAGE);
    return 0;
  }
  if (request.isCrashes) return runCrashes(request.seeds.map(Number));
  const templates = mkdtempSync(join(tmpdir(), "bourse-simulation-templates-"));
  try {
    const tally = await runAll(request, templates);
    console.log(tally.report(request));
    return tally.failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(templates, { recursive: true, force: true });
  }
}

await runCommand(main, USAGE);
