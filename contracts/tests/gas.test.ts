import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { gasTable, measureGas } from "./support/gas-scene.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
after(() => world.close());

test("each call costs the gas of the README", async () => {
  const table = gasTable(await measureGas(world));
  console.log(table);
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const written = readme.slice(readme.indexOf("| Call | Gas |")).split("\n\n")[0]?.trimEnd();
  assert.equal(written, table, "the table in contracts/README.md is another one: put the printed one there");
});
