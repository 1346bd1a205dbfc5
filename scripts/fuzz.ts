// Sends what nobody should send, and damages what nobody should damage: `npm run fuzz`. Ends with 1 where anything gave way.
import { type FuzzOrder, type Part, parseArguments, USAGE } from "./fuzz/arguments.ts";
import { Failures } from "./fuzz/failures.ts";
import { runFiles } from "./fuzz/files/file-run.ts";
import { HttpRun } from "./fuzz/http/http-run.ts";
import { RawHttpRun } from "./fuzz/http/raw-http.ts";
import { World } from "./fuzz/http/world.ts";
import { SocketRun } from "./fuzz/sockets/socket-run.ts";
import { countTable } from "./fuzz/tables.ts";
import { runCommand } from "./support/command.ts";

const show = (line: string) => console.log(line);
const showAll = (lines: readonly string[]) => show(`\n${lines.join("\n")}`);

async function inWorld<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
  const world = await World.open();
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

async function fuzzHttp({ requests, rawConnections, seed }: FuzzOrder, failures: Failures): Promise<void> {
  const report = await inWorld((world) => HttpRun.run(world, { requests, seed, onProgress: show }, failures));
  showAll(countTable("HTTP by area", report.counts));
  showAll(countTable("HTTP by spoiled part", new Map([["requests", report.styles]])));
  const routes = [...report.routes.values()];
  const min = Math.min(...routes.map(({ sent }) => sent));
  const succeeded = routes.filter(({ succeeded }) => succeeded > 0).length;
  show(
    `\n${report.sent} requests in ${report.rounds} rounds; ${report.repeated} refused ones sent again, ` +
      `after ${report.compared} of which the state was compared and unchanged; ` +
      `${routes.length} routes, each at least ${min} times; ${succeeded} of them also succeeded; ` +
      `${report.waits} replies asked for a retry.`,
  );
  const rawOptions = { connections: rawConnections, seed, onProgress: show };
  const raw = await inWorld((world) => RawHttpRun.run(world, rawOptions, failures));
  showAll(countTable("Raw bytes", raw.outcomes));
}

async function fuzzSockets({ messages, seed }: FuzzOrder, failures: Failures): Promise<void> {
  const report = await inWorld((world) => SocketRun.run(world, { messages, seed, onProgress: show }, failures));
  showAll(countTable("Sockets", report.outcomes));
  show(
    `\n${report.messages} messages on ${report.connections} connections; the witness heard ${report.witnessed} messages.`,
  );
}

async function fuzzFiles({ damages, seed }: FuzzOrder, failures: Failures): Promise<void> {
  const report = await runFiles({ damages, seed, onProgress: show }, failures);
  showAll(countTable("Damaged files", report.outcomes));
}

const RUNS: Readonly<Record<Part, (order: FuzzOrder, failures: Failures) => Promise<void>>> = {
  http: fuzzHttp,
  sockets: fuzzSockets,
  files: fuzzFiles,
};

async function main(): Promise<number> {
  const order = parseArguments(process.argv.slice(2));
  if (order === null) {
    show(USAGE);
    return 0;
  }
  const failures = new Failures();
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      failures.add("an error was not caught", { how: event, sent: "", answered: text });
    });
  }
  for (const part of order.parts) await RUNS[part](order, failures);
  if (failures.count === 0) {
    show(`\nNothing gave way (seed ${order.seed}).`);
    return 0;
  }
  showAll([`${failures.count} kinds of failures (seed ${order.seed}):`, ...failures.lines()]);
  return 1;
}

await runCommand(main, USAGE);
