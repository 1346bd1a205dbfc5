import { setFlagsFromString } from "node:v8";
import { RUNTIME_FLAGS } from "../packages/engine/src/index.ts";
import { benchBonus } from "./bonus.ts";
import { benchBroker } from "./broker.ts";
import { benchDurablePost } from "./durable-post.ts";
import { benchEarn } from "./earn.ts";
import { benchEngine } from "./engine.ts";
import { benchFanOut } from "./fan-out.ts";
import { benchJournal } from "./journal.ts";
import { benchMemory } from "./memory.ts";
import { benchOrderBook } from "./order-book.ts";
import { benchPoints } from "./points.ts";
import { benchSignedPost } from "./signed-post.ts";
import { type Bench, printTable, type Row } from "./support/table.ts";

/** Every measurement of the product, by name. */
const benches: Readonly<Record<string, Bench>> = {
  "signed-post": benchSignedPost,
  "durable-post": benchDurablePost,
  "order-book": benchOrderBook,
  engine: benchEngine,
  journal: benchJournal,
  "fan-out": benchFanOut,
  memory: benchMemory,
  earn: benchEarn,
  broker: benchBroker,
  points: benchPoints,
  bonus: benchBonus,
};

// As the server runs.
for (const flag of RUNTIME_FLAGS) setFlagsFromString(flag);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`measuring ${name} …`);
  rows.push(...[await run()].flat());
}
printTable(rows);
