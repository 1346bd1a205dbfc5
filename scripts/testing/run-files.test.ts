import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { plainEnvironment } from "../../tests/support/processes.ts";
import type { FileTally } from "./collector.ts";
import { runFiles } from "./run-files.ts";

test("a suite that runs out of time fails and names what was under way", async (t) => {
  const root = await makeTempDir(t);
  await writeFile(join(root, "quick.test.mjs"), `import test from "node:test"; test("quick", () => {});`);
  await writeFile(
    join(root, "stuck.test.mjs"),
    `import test from "node:test"; test("stuck", () => new Promise(() => setInterval(() => {}, 1000)));`,
  );
  const files: FileTally[] = [];
  const { passed, failures } = await runFiles({
    root,
    files: ["quick.test.mjs", "stuck.test.mjs"],
    env: plainEnvironment(),
    concurrency: 1,
    timeout_ms: 3_000,
    signal: new AbortController().signal,
    onFile: (tally) => files.push(tally),
  });
  assert.equal(passed, 1);
  assert.deepEqual(
    files.map(({ file }) => file),
    ["quick.test.mjs"],
  );
  assert.equal(failures.length, 1);
  assert.equal(failures[0]?.name, "the suite ran longer than 3 s");
  assert.match(failures[0]?.detail ?? "", /not ended: stuck\.test\.mjs/);
  assert.match(failures[0]?.detail ?? "", /under way: .*stuck/);
});
