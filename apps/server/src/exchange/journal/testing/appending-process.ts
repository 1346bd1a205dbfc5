// A process that submits the order flow of a seed to a durable exchange and prints the acknowledged numbers until it is
// killed.
import { writeSync } from "node:fs";
import { ManualClock } from "../../../kernel/clock.ts";
import { createMemoryExchange } from "../../testing/memory-exchange.ts";
import { recover } from "../recovery.ts";
import { recordFlow } from "./recorded-flow.ts";

const [folder, seed, commands, time_ms, segment_bytes] = process.argv.slice(2) as [string, ...string[]];
const IN_FLIGHT = 64;

const { engine, log } = await recover({ folder, projectedNumber: 0, segment_bytes: Number(segment_bytes) });
const clock = new ManualClock(Number(time_ms));
const exchange = createMemoryExchange({ engine, log, clock, maxCommandsWaiting: IN_FLIGHT });
const flow = recordFlow(Number(seed), Number(commands), Number(time_ms));
let next = engine.state.commandNumber;

/** One of several loops that each have one command in flight; together they keep the order of the flow. */
async function submitAll(): Promise<void> {
  while (next < flow.commands.length) {
    const { number } = await exchange.submit(flow.commands[next++]!);
    writeSync(1, `${number}\n`);
  }
}

writeSync(1, "ready\n");
await Promise.all(Array.from({ length: IN_FLIGHT }, submitAll));
await exchange.close();
