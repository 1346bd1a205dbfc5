// A process that runs one seed after the other for `npm run simulate`.
import { Simulation } from "../../tests/simulation/simulation.ts";
import { brokenOff, type SeedOrder, type SeedOutcome } from "./messages.ts";

const MAX_FAILURES = 12;
const MAX_LOGGED = 12;

const unhandled: string[] = [];
process.on("unhandledRejection", (error) => unhandled.push(textOf(error)));

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function run(order: SeedOrder): Promise<SeedOutcome> {
  const begun_ms = performance.now();
  try {
    const report = await Simulation.run(order);
    const complaints = report.complaints.map(({ topic, text }) => `${topic}: ${text}`);
    const uncaught = unhandled.splice(0).map((text) => `an unhandled error: ${text}`);
    return {
      seed: order.seed,
      took_ms: report.took_ms,
      failures: [...complaints, ...uncaught].slice(0, MAX_FAILURES),
      logged: report.logged.slice(-MAX_LOGGED),
      incarnations: report.incarnations,
      fills: report.fills,
      events: report.events,
      faults: Object.fromEntries(report.faults),
      crashes: Object.fromEntries(report.crashes),
      actions: Object.fromEntries(report.actions),
      checks: Object.fromEntries(report.checks),
      happened: Object.fromEntries(report.happened),
      memory_bytes: process.memoryUsage().rss,
    };
  } catch (error) {
    const took_ms = performance.now() - begun_ms;
    return brokenOff(order, { failure: textOf(error), took_ms, memory_bytes: process.memoryUsage().rss });
  }
}

process.on("message", (order: SeedOrder) => void run(order).then((outcome) => process.send?.(outcome)));
// The parent process has ended.
process.on("disconnect", () => process.exit(0));
