// A fleet of bots and thousands of sockets against one server process: `npm run load`.
import { availableParallelism } from "node:os";
import { parseArguments, USAGE } from "./load/arguments.ts";
import { LoadRun } from "./load/load-run.ts";
import { Progress } from "./load/progress.ts";
import { tableOf } from "./load/report.ts";
import { SocketsRun } from "./load/sockets-run.ts";
import { hasFailed } from "./load/verdicts.ts";
import { runCommand } from "./support/command.ts";

async function main(): Promise<number> {
  const request = parseArguments(process.argv.slice(2), availableParallelism());
  if (request === null) {
    console.log(USAGE);
    return 0;
  }
  const begun_ms = performance.now();
  const progress = new Progress();
  const outcomes = [];
  if (request.minutes > 0) outcomes.push(await LoadRun.carryOut(request, progress));
  if (request.sockets > 0) outcomes.push(await SocketsRun.carryOut(request, progress));
  const lines = outcomes.flatMap((outcome) => outcome.lines);
  const checks = outcomes.flatMap((outcome) => outcome.checks);
  progress.line(tableOf(lines, checks, (performance.now() - begun_ms) / 1_000));
  return hasFailed(checks) ? 1 : 0;
}

await runCommand(main, USAGE);
