import assert from "node:assert/strict";
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { NEWEST_RULES } from "@bourse/engine";
import { makeTempDir } from "../tests/support/files.ts";
import { nodeFlags, runProcess } from "../tests/support/processes.ts";

const root = dirname(import.meta.dirname);
const COMMANDS = 3_000;
const CHAINED_HEADER_bytes = 60;

interface Run {
  readonly code: number | null;
  readonly output: string;
  readonly hash: string | undefined;
}

/** Runs the tool as npm would, in a separate folder. */
async function makeTool(t: TestContext) {
  const folder = await makeTempDir(t);
  const run = async (...args: readonly string[]): Promise<Run> => {
    const { code, output } = await runProcess(process.execPath, [...nodeFlags(), "scripts/replay.ts", ...args], {
      owner: t,
      cwd: root,
      env: { INIT_CWD: folder },
    });
    return { code, output, hash: /state hash {2}([0-9a-f]{64})/.exec(output)?.[1] };
  };
  return { run, path: (name: string) => join(folder, name) };
}

/** A tool in whose folder a log has been recorded. */
async function makeToolWithLog(t: TestContext) {
  const tool = await makeTool(t);
  const recorded = await tool.run("--record", "log", "--seed", "5", "--commands", String(COMMANDS));
  assert.equal(recorded.code, 0, recorded.output);
  return { ...tool, recorded, log: tool.path("log") };
}

const countOf = (output: string, name: string) => new RegExp(`^${name} +([\\d,]+)`, "m").exec(output)?.[1];

describe("replay", () => {
  it("INV-6: a recorded log gives the same state twice, and from a snapshot in the middle", async (t) => {
    const { run, recorded } = await makeToolWithLog(t);
    assert.match(recorded.hash!, /^[0-9a-f]{64}$/);
    const first = await run("log");
    assert.equal(first.code, 0, first.output);
    assert.equal(first.hash, recorded.hash);
    for (const name of ["commands", "events", "refused"]) {
      assert.equal(countOf(first.output, name), countOf(recorded.output, name), name);
    }
    assert.match(first.output, /INV-1: .* they agree/);
    const half = await run("log", "--until", "1500", "--save", "half");
    assert.equal(countOf(half.output, "commands"), "1,500");
    assert.notEqual(half.hash, first.hash);
    const rest = await run("log", "--from", "half");
    assert.equal(rest.code, 0, rest.output);
    assert.equal(rest.hash, recorded.hash);
    assert.equal(countOf(rest.output, "commands"), "1,500");
  });

  it("INV-6: the same seed records the same log, another one another", async (t) => {
    const { run, path } = await makeTool(t);
    for (const [name, seed] of [
      ["a", "7"],
      ["b", "7"],
      ["c", "8"],
    ] as const) {
      await run("--record", name, "--seed", seed, "--commands", "500");
    }
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => readFile(path(name))));
    assert.ok(a!.equals(b!));
    assert.ok(!a!.equals(c!));
  });

  it("prints the hash on the way and the state in words when asked", async (t) => {
    const { run, recorded } = await makeToolWithLog(t);
    const { output } = await run("log", "--every", "1000", "--dump", "--rows", "2");
    const steps = [...output.matchAll(/^command (\d+) {2}([0-9a-f]{64})$/gm)];
    assert.deepEqual(
      steps.map(([, number]) => number),
      ["1000", "2000", "3000"],
    );
    assert.equal(steps.at(-1)![2], recorded.hash);
    assert.match(output, /^Accounts \(41\)$/m);
    assert.match(output, /… and 39 more/);
  });

  it("reports a torn last record, leaves it out and goes on", async (t) => {
    const { run, log } = await makeToolWithLog(t);
    const whole = await readFile(log);
    await truncate(log, whole.length - 3);
    const cut = await run("log");
    assert.equal(cut.code, 0, cut.output);
    assert.match(cut.output, /last write was not finished: [\d,]+ bytes are left out/);
    const left = countOf(cut.output, "commands")!.replace(",", "");
    assert.ok(Number(left) > 2_800 && Number(left) < 3_000);
    const expected = await run("log", "--until", left);
    assert.equal(cut.hash, expected.hash);
    // Only the beginning of a block.
    await writeFile(log, whole);
    await appendFile(log, Uint8Array.of(20, 0, 0));
    const begun = await run("log");
    assert.equal(begun.code, 0, begun.output);
    assert.match(begun.output, /3 bytes are left out/);
  });

  it("refuses a damaged log with status 1 and says where", async (t) => {
    const { run, log } = await makeToolWithLog(t);
    const bytes = await readFile(log);
    const damagedAt = async (at: number) => {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x10;
      await writeFile(log, damaged);
      const { code, output } = await run("log");
      assert.equal(code, 1, output);
      return output;
    };
    assert.match(await damagedAt(0), /is no log of commands/);
    assert.match(await damagedAt(8), /has format 18/);
    assert.match(await damagedAt(12), new RegExp(`needs rules version ${NEWEST_RULES ^ 0x10}`));
    assert.match(await damagedAt(16), /header of .* is damaged/);
    assert.match(await damagedAt(CHAINED_HEADER_bytes + 3), /damaged at byte 60: a block of type 1 says that it has/);
    assert.match(await damagedAt(CHAINED_HEADER_bytes + 12), /damaged at byte 60: a block.s checksum is wrong/);
    await writeFile(log, bytes.subarray(0, 10));
    assert.match((await run("log")).output, /ends within its header/);
  });

  it("refuses snapshots that are damaged or newer than the log", async (t) => {
    const { run, path, log } = await makeToolWithLog(t);
    await run("log", "--save", "whole");
    const snapshot = await readFile(path("whole"));
    const bytes = await readFile(log);
    await writeFile(log, bytes.subarray(0, bytes.length >> 1));
    const ahead = await run("log", "--from", "whole");
    assert.equal(ahead.code, 1);
    assert.match(ahead.output, /the snapshot has seen 3000/);
    snapshot[100]! ^= 1;
    await writeFile(path("whole"), snapshot);
    const damaged = await run("log", "--from", "whole");
    assert.equal(damaged.code, 1);
    assert.match(damaged.output, /hash is not that of its content/);
  });

  it("overwrites nothing, and explains itself", async (t) => {
    const { run, log } = await makeToolWithLog(t);
    const before = await readFile(log);
    const again = await run("--record", "log", "--seed", "6", "--commands", "10");
    assert.equal(again.code, 1);
    assert.match(again.output, /EEXIST/);
    assert.ok(before.equals(await readFile(log)));
    assert.match((await run("absent")).output, /ENOENT/);
    for (const args of [[], ["a", "b"], ["log", "--every", "0"], ["log", "--until", "x"], ["--nonsense"]]) {
      const { code, output } = await run(...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(output, /Usage: npm run replay/);
    }
    assert.equal((await run("--help")).code, 0);
  });
});
