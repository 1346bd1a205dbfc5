import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { plainEnvironment } from "../../tests/support/processes.ts";
import type { FileTally } from "./collector.ts";
import { runShared } from "./run-shared.ts";

const TELLS_PROCESS = `import test from "node:test"; test("t", { skip: String(process.pid) }, () => {});`;
const ENDS_PROCESS = `import test from "node:test"; test("t", () => process.exit(3));`;
const IS_STUCK = `import test from "node:test"; test("stuck", () => new Promise(() => setInterval(() => {}, 1000)));`;
const LEAVES_TIMER = `import test from "node:test"; test("t", () => { setInterval(() => {}, 1000); });`;

async function runTexts(t: TestContext, texts: readonly string[], timeout_ms = 60_000) {
  const root = await makeTempDir(t);
  const files = texts.map((_, place) => `file-${place}.test.mjs`);
  for (const [place, text] of texts.entries()) await writeFile(join(root, files[place] ?? ""), text);
  const tallies: FileTally[] = [];
  const total = await runShared({
    root,
    files,
    env: plainEnvironment(),
    concurrency: 1,
    timeout_ms,
    signal: new AbortController().signal,
    onFile: (tally) => tallies.push(tally),
  });
  const processes = tallies.flatMap(({ skips }) => skips.map(({ reason }) => reason));
  return { total, tallies, processes };
}

test("files share a process", async (t) => {
  const { processes } = await runTexts(t, [TELLS_PROCESS, TELLS_PROCESS, TELLS_PROCESS]);
  assert.equal(processes.length, 3);
  assert.equal(new Set(processes).size, 1);
});

test("a file that ends their process fails alone, and the next one gets another", async (t) => {
  const { total, tallies, processes } = await runTexts(t, [TELLS_PROCESS, ENDS_PROCESS, TELLS_PROCESS]);
  assert.deepEqual(
    total.failures.map(({ name, detail }) => [name, detail]),
    [["file-1.test.mjs", "the file's process ended with code 3"]],
  );
  assert.equal(tallies.length, 3);
  assert.equal(new Set(processes).size, 2);
});

for (const [what, text] of [
  ["a test that does not end", IS_STUCK],
  ["a file that leaves something open", LEAVES_TIMER],
] as const) {
  test(`${what} holds the suite up until its time is over`, async (t) => {
    const { total, tallies } = await runTexts(t, [TELLS_PROCESS, text, TELLS_PROCESS], 3_000);
    assert.deepEqual(
      tallies.map(({ file }) => file),
      ["file-0.test.mjs"],
    );
    assert.equal(total.failures.length, 1);
    assert.equal(total.failures[0]?.name, "the suite ran longer than 3 s");
    assert.match(total.failures[0]?.detail ?? "", /not ended: file-1\.test\.mjs, file-2\.test\.mjs/);
  });
}
