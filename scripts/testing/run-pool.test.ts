import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { plainEnvironment } from "../../tests/support/processes.ts";
import type { FileTally } from "./collector.ts";
import { runPool } from "./run-pool.ts";

const TELLS_PROCESS = `import test from "node:test"; test("t", { skip: String(process.pid) }, () => {});`;
const TAKES_A_WHILE = `import test from "node:test";
  test("t", { skip: String(process.pid) }, () => {}); await new Promise((resolve) => setTimeout(resolve, 1_500));`;
const ENDS_PROCESS = `import test from "node:test"; test("t", () => process.exit(3));`;
const CRASHES = `import test from "node:test"; test("t", () => process.kill(process.pid, "SIGTRAP"));`;
/** Crashes the first time only: it leaves a file behind. */
const CRASHES_ONCE = `import test from "node:test"; import { existsSync, writeFileSync } from "node:fs";
  test("t", () => { if (!existsSync("crashed")) { writeFileSync("crashed", ""); process.kill(process.pid, "SIGTRAP"); } });`;
const IS_STUCK = `import test from "node:test"; test("stuck", () => new Promise(() => setInterval(() => {}, 1000)));`;
const LEAVES_TIMER = `import test from "node:test"; test("t", () => { setInterval(() => {}, 1000); });`;

interface Given {
  readonly batches: readonly (readonly string[])[];
  readonly lanes?: number;
  /** Batches of which one file runs at a time. */
  readonly serial?: readonly number[];
  readonly sharedMemory_bytes?: number;
  readonly timeout_ms?: number;
}

/** Runs files with these texts, named by batch and index, and returns the process of each. */
async function runTexts(t: TestContext, given: Given) {
  const root = await makeTempDir(t);
  const tallies: FileTally[] = [];
  const batches = given.batches.map((texts, batch) => ({
    root,
    files: texts.map((_, place) => `${batch}-${place}.test.mjs`),
    env: plainEnvironment(),
    isSerial: given.serial?.includes(batch) ?? false,
    sharedMemory_bytes: given.sharedMemory_bytes ?? 1_000_000_000,
    timeout_ms: given.timeout_ms ?? 60_000,
    onFile: (tally: FileTally) => tallies.push(tally),
  }));
  for (const [batch, texts] of given.batches.entries()) {
    for (const [place, text] of texts.entries()) await writeFile(join(root, `${batch}-${place}.test.mjs`), text);
  }
  await runPool(batches, { lanes: given.lanes ?? 1, signal: new AbortController().signal });
  const failures = tallies.flatMap((tally) => tally.failures.map(({ name, detail }) => [name, detail] as const));
  return { failures, files: tallies.map(({ file }) => file), processes: tallies.flatMap(({ skips }) => skips) };
}

const distinct = (processes: readonly { readonly reason: string }[]) =>
  new Set(processes.map(({ reason }) => reason)).size;

test("files of a batch share a process", async (t) => {
  const { processes } = await runTexts(t, { batches: [[TELLS_PROCESS, TELLS_PROCESS, TELLS_PROCESS]] });
  assert.deepEqual([processes.length, distinct(processes)], [3, 1]);
});

test("a process that holds more memory than it may takes no further file", async (t) => {
  const { processes } = await runTexts(t, { batches: [[TELLS_PROCESS, TELLS_PROCESS]], sharedMemory_bytes: 0 });
  assert.deepEqual([processes.length, distinct(processes)], [2, 2]);
});

test("of serial batches one file runs at a time, before the other batches' files, which run beside them", async (t) => {
  const { files, processes } = await runTexts(t, {
    batches: [[TELLS_PROCESS], [TAKES_A_WHILE, TELLS_PROCESS], [TELLS_PROCESS]],
    serial: [1, 2],
    lanes: 2,
    sharedMemory_bytes: 0,
  });
  assert.deepEqual(files, ["0-0.test.mjs", "1-0.test.mjs", "1-1.test.mjs", "2-0.test.mjs"]);
  assert.equal(processes.length, 4);
});

test("every file of every batch runs once, whatever the number of lanes", async (t) => {
  const { files, processes } = await runTexts(t, {
    batches: [[TELLS_PROCESS], [TELLS_PROCESS, TELLS_PROCESS]],
    lanes: 2,
  });
  assert.deepEqual(files.sort(), ["0-0.test.mjs", "1-0.test.mjs", "1-1.test.mjs"]);
  assert.ok(distinct(processes) >= 2, "batches share no process");
});

test("a file that ends their process fails alone, and the next one gets another", async (t) => {
  const { failures, files, processes } = await runTexts(t, { batches: [[TELLS_PROCESS, ENDS_PROCESS, TELLS_PROCESS]] });
  assert.deepEqual(failures, [["0-1.test.mjs", "the file's process ended with code 3"]]);
  assert.equal(files.length, 3);
  assert.equal(distinct(processes), 2);
});

for (const [what, text, underWay] of [
  ["a test that does not end", IS_STUCK, /under way: .*stuck/],
  ["a file that leaves something open", LEAVES_TIMER, /under way: nothing/],
] as const) {
  test(`${what} fails when its time is over, and the files after it run`, async (t) => {
    const { failures, files } = await runTexts(t, {
      batches: [[TELLS_PROCESS, text, TELLS_PROCESS]],
      timeout_ms: 3_000,
    });
    assert.equal(failures.length, 1);
    assert.equal(failures[0]?.[0], "0-1.test.mjs");
    assert.match(failures[0]?.[1] ?? "", /ran longer than 3 s/);
    assert.match(failures[0]?.[1] ?? "", underWay);
    assert.equal(files.length, 3);
  });
}

test("a file under which the runtime crashes runs once more, and fails if it crashes again", async (t) => {
  const { failures, files } = await runTexts(t, { batches: [[CRASHES_ONCE, CRASHES, TELLS_PROCESS]] });
  assert.deepEqual(failures, [["0-1.test.mjs", "the file's process was ended by SIGTRAP"]]);
  assert.deepEqual(files, ["0-0.test.mjs", "0-1.test.mjs", "0-2.test.mjs"]);
});
