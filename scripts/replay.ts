// Applies a recorded log of commands to an engine and shows the result: `npm run replay -- <log>`.
import { readFileSync, writeFileSync } from "node:fs";
import { LogFault } from "../apps/server/src/kernel/journal/log-format.ts";
import { LogReader } from "../apps/server/src/kernel/journal/log-reader.ts";
import { OrderFlow } from "../packages/engine/src/codec/testing/order-flow.ts";
import { Engine, EVENT_KINDS, State } from "../packages/engine/src/index.ts";
import {
  checkInvariants,
  dumpState,
  readSnapshot,
  SnapshotFault,
  stateHash,
  writeSnapshot,
} from "../packages/engine/src/snapshot/index.ts";
import { parseArguments, type RecordRequest, type ReplayRequest, USAGE } from "./replay/arguments.ts";
import { LogWriter } from "./replay/log-file.ts";
import { count, ProgressLine } from "./replay/progress.ts";
import { UsageError } from "./support/command.ts";

const REFUSED = EVENT_KINDS.indexOf("refused");

/** Counts the results of the commands. */
class Tally {
  commands = 0;
  events = 0;
  refused = 0;
  readonly #started_ms = performance.now();

  /** Applies a command and counts its events. */
  apply(engine: Engine, command: Parameters<Engine["apply"]>[0]): void {
    const { day } = engine.state;
    engine.apply(command);
    const { events } = engine;
    this.commands += 1;
    this.events += events.count;
    // A refusal is the only event of a command, apart from those of midnights that its time has passed.
    const isRefused =
      engine.state.day === day
        ? events.count === 1 && events.numbers[0] === REFUSED
        : events.decode().at(-1)?.kind === "refused";
    if (isRefused) this.refused += 1;
  }

  lines(): string[] {
    const seconds = (performance.now() - this.#started_ms) / 1_000;
    return [
      `commands    ${count(this.commands)}`,
      `events      ${count(this.events)}`,
      `refused     ${count(this.refused)}`,
      `time        ${seconds.toFixed(2)} s (${count(this.commands / seconds)} commands/s)`,
    ];
  }
}

/** Prints the hash and the invariants; false if they do not hold. */
function printState({ state }: Engine): boolean {
  const invariants = checkInvariants(state);
  console.log(`state after command ${state.commandNumber}`);
  console.log(`state hash  ${stateHash(state)}`);
  for (const line of invariants.lines) console.log(line);
  return invariants.hold;
}

function record({ record: path, seed, commands }: RecordRequest): boolean {
  const engine = new Engine();
  const flow = new OrderFlow(seed, engine.state);
  const progress = new ProgressLine(process.stderr);
  const tally = new Tally();
  const log = new LogWriter(path);
  try {
    for (let i = 1; i <= commands; i += 1) {
      const command = flow.next();
      log.append(command);
      tally.apply(engine, command);
      progress.tick(i, () => i / commands);
    }
  } finally {
    log.close();
    progress.clear();
  }
  for (const line of tally.lines()) console.log(line);
  return printState(engine);
}

function engineFrom(path: string): Engine {
  try {
    return readSnapshot(readFileSync(path));
  } catch (error) {
    if (error instanceof SnapshotFault) throw new LogFault(`${path}: ${error.message}`);
    throw error;
  }
}

/** Applies the commands that the engine has not seen, up to the last requested one. */
function applyLog(log: LogReader, engine: Engine, { until, every }: ReplayRequest): Tally {
  const { state } = engine;
  if (log.header.firstNumber > state.commandNumber + 1) {
    const seen = `the engine has seen ${state.commandNumber} (see --from)`;
    throw new LogFault(`the log begins with command ${log.header.firstNumber}, ${seen}`);
  }
  const progress = new ProgressLine(process.stderr);
  const tally = new Tally();
  let number = log.header.firstNumber - 1;
  try {
    for (const command of log.commands()) {
      if (number >= until) break;
      number += 1;
      if (number <= state.commandNumber) continue;
      tally.apply(engine, command);
      progress.tick(number, () => log.offset_bytes / log.size_bytes);
      if (every === 0 || number % every !== 0) continue;
      progress.clear();
      console.log(`command ${number}  ${stateHash(state)}`);
    }
  } finally {
    progress.clear();
  }
  if (number === state.commandNumber) return tally;
  throw new LogFault(`the log was read to command ${number}, the snapshot has seen ${state.commandNumber}`);
}

function replay(request: ReplayRequest): boolean {
  const log = new LogReader(request.log);
  let tally: Tally;
  let engine: Engine;
  try {
    engine = request.from === null ? new Engine(new State(log.header.rulesVersion)) : engineFrom(request.from);
    tally = applyLog(log, engine, request);
  } finally {
    log.close();
  }
  if (log.torn_bytes > 0) {
    console.log(`The last write was not finished: ${count(log.torn_bytes)} bytes are left out.`);
  }
  for (const line of tally.lines()) console.log(line);
  const isFine = printState(engine);
  if (request.save !== null) writeFileSync(request.save, writeSnapshot(engine.state), { flag: "wx" });
  if (request.isDump) console.log(`\n${dumpState(engine.state, { maxRows: request.rows })}`);
  return isFine;
}

function main(): number {
  const request = parseArguments(process.argv.slice(2), process.env["INIT_CWD"] ?? process.cwd());
  if (request === null) {
    console.log(USAGE);
    return 0;
  }
  const isFine = "record" in request ? record(request) : replay(request);
  return isFine ? 0 : 1;
}

/** Missing, existing or unreadable files are errors of the caller, not defects of this program. */
function isAboutFiles(error: unknown): error is Error {
  return error instanceof LogFault || (error instanceof Error && "syscall" in error);
}

try {
  process.exitCode = main();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else if (isAboutFiles(error)) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
