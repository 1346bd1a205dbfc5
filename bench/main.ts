import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { postgresqlServerMissing } from "../apps/server/src/kernel/database/testing.ts";
import { RUNTIME_FLAGS } from "../packages/engine/src/index.ts";
import { parseOptions, runCommand, UsageError } from "../scripts/support/command.ts";
import { benchAccounts } from "./accounts.ts";
import { benchBonus } from "./bonus.ts";
import { benchBroker } from "./broker.ts";
import { benchDurablePost } from "./durable-post.ts";
import { benchEarn } from "./earn.ts";
import { benchEngine } from "./engine.ts";
import { benchFanOut } from "./fan-out.ts";
import { benchHistory } from "./history.ts";
import { benchJournal } from "./journal.ts";
import { benchMemory } from "./memory.ts";
import { benchOrderBook } from "./order-book.ts";
import { benchPoints } from "./points.ts";
import { benchProjector } from "./projector.ts";
import { benchReads } from "./reads.ts";
import { benchRecovery } from "./recovery.ts";
import { benchRulesVersions } from "./rules-versions.ts";
import { benchSignedPost } from "./signed-post.ts";
import { benchSocketOrder } from "./socket-order.ts";
import { type Bench, BenchFault, type Outcome, tableJson, tableText } from "./support/table.ts";

interface Entry {
  readonly area: string;
  readonly run: Bench;
  readonly needsPostgresql?: boolean;
}

/** Every measurement of the product, by name. */
const BENCHES: Readonly<Record<string, Entry>> = {
  "signed-post": { area: "Requests", run: benchSignedPost },
  "durable-post": { area: "Requests", run: benchDurablePost },
  "socket-order": { area: "Requests", run: benchSocketOrder },
  reads: { area: "Requests", run: benchReads },
  "order-book": { area: "Engine", run: benchOrderBook },
  engine: { area: "Engine", run: benchEngine },
  "rules-versions": { area: "Engine", run: benchRulesVersions },
  journal: { area: "Log and recovery", run: benchJournal },
  recovery: { area: "Log and recovery", run: benchRecovery },
  projector: { area: "Tables", run: benchProjector },
  history: { area: "Tables", run: benchHistory },
  "fan-out": { area: "Streams", run: benchFanOut },
  accounts: { area: "Memory", run: benchAccounts },
  memory: { area: "Memory", run: benchMemory },
  earn: { area: "Programs", run: benchEarn },
  broker: { area: "Programs", run: benchBroker, needsPostgresql: true },
  points: { area: "Programs", run: benchPoints, needsPostgresql: true },
  bonus: { area: "Programs", run: benchBonus, needsPostgresql: true },
};

const USAGE = `Usage: npm run bench -- [--json <file>] [<name>…]

  --json   writes the rows to a file as well
  names    ${Object.keys(BENCHES).join(", ")}; all of them without`;

interface Request {
  readonly names: readonly string[];
  readonly json: string | undefined;
}

function parseArguments(args: readonly string[]): Request | null {
  const options = { json: { type: "string" }, help: { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true });
  if (values.help === true) return null;
  const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) throw new UsageError(`no bench is called ${unknown.join(", ")}`);
  const names = Object.keys(BENCHES).filter((name) => positionals.length === 0 || positionals.includes(name));
  return { names, json: values.json };
}

/** A bench that fails is reported, and the following ones still run. */
async function carryOut(bench: string, missing: string | false): Promise<Outcome> {
  const { area, run, needsPostgresql } = BENCHES[bench]!;
  if (needsPostgresql === true && missing !== false) return { bench, area, took_s: 0, rows: [], skipped: missing };
  console.log(`measuring ${bench} …`);
  const begun_ms = performance.now();
  const took_s = () => (performance.now() - begun_ms) / 1_000;
  try {
    const rows = [await run()].flat();
    console.log(`  ${took_s().toFixed(0)} s`);
    return { bench, area, took_s: took_s(), rows };
  } catch (error) {
    console.error(error);
    const failure = error instanceof Error ? error.message : String(error);
    const rows = error instanceof BenchFault ? error.rows : [];
    return { bench, area, took_s: took_s(), rows, failure };
  }
}

async function main(): Promise<number> {
  const request = parseArguments(process.argv.slice(2));
  if (request === null) {
    console.log(USAGE);
    return 0;
  }
  const missing = await postgresqlServerMissing();
  const outcomes: Outcome[] = [];
  for (const name of request.names) outcomes.push(await carryOut(name, missing));
  console.log(tableText(outcomes));
  if (request.json !== undefined) writeFileSync(request.json, tableJson(outcomes));
  return outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

// The flags of the server.
for (const flag of RUNTIME_FLAGS) setFlagsFromString(flag);

await runCommand(main, USAGE);
