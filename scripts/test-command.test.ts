import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { onCleanup } from "../tests/support/cleanup.ts";
import { makeTempDir } from "../tests/support/files.ts";
import { isAlive, nodeFlags, type RunningProcess, runProcess, startProcess } from "../tests/support/processes.ts";
import { waitFor } from "../tests/support/waiting.ts";

const MIXED = `
import test, { describe, it } from "node:test";
test("adds", () => {});
test("breaks", () => { throw new Error("two is not three"); });
test("is left out", { skip: "no scales here" }, () => {});
test("is to come", { todo: true }, () => {});
describe("block", () => {
  it("holds", () => {});
  it("leaks", () => { throw new Error("water everywhere"); });
  describe("unused block", { skip: true }, () => { it("never runs", () => {}); });
});
test("parent", async (t) => { await t.test("child", () => {}); });
`;
const PASSING = `import test from "node:test"; test("one", () => {}); test("two", () => {});`;

/** A project that consists of the test command and the given files. */
async function projectWith(t: TestContext, files: Record<string, string>): Promise<string> {
  const root = await makeTempDir(t);
  await cp(import.meta.dirname, join(root, "scripts"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module", private: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly lastLine: string | undefined;
}

const commandLine = (args: readonly string[]): string[] => [...nodeFlags(), "scripts/test.ts", ...args];

async function runTests(
  t: TestContext,
  root: string,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): Promise<Outcome> {
  const { code, output } = await runProcess(process.execPath, commandLine(args), {
    owner: t,
    cwd: root,
    env: { REQUIRE_SERVICES: undefined, INIT_CWD: undefined, ...env },
  });
  return { code, output, lastLine: output.trimEnd().split("\n").at(-1) };
}

/** A suite with one process per file, and one whose files share processes. */
const SUITES = { conformance: "tests/conformance", money: "packages/money/src" } as const;
type SuiteName = keyof typeof SUITES;
const SUITE_NAMES = Object.keys(SUITES) as SuiteName[];

async function runFilesOf(t: TestContext, suite: SuiteName, files: Record<string, string>): Promise<Outcome> {
  const placed = Object.entries(files).map(([name, text]) => [`${SUITES[suite]}/${name}`, text]);
  return runTests(t, await projectWith(t, Object.fromEntries(placed)), [suite]);
}
const runMoneyFiles = (t: TestContext, files: Record<string, string>) => runFilesOf(t, "money", files);

for (const suite of SUITE_NAMES) {
  test(`${suite}: tests are counted, not the files and blocks around them, and the totals are the last line`, async (t) => {
    const files = { "mixed.test.ts": MIXED, "passing.test.ts": PASSING };
    const { code, output, lastLine } = await runFilesOf(t, suite, files);
    assert.equal(code, 1);
    assert.equal(lastLine, "5 passed, 3 failed, 2 skipped");
    assert.ok(output.endsWith("skipped\n"));
    assert.match(output, /FAILED {2}breaks\n\s+Error: two is not three\n\s+at /);
    assert.match(output, /FAILED {2}block > leaks\n\s+Error: water everywhere/);
    assert.match(output, /FAILED {2}is to come\n\s+It is marked "todo"/);
    assert.match(output, new RegExp(`skipped {2}${suite}: is left out \\(no scales here\\)`));
    assert.match(output, new RegExp(`skipped {2}${suite}: block > unused block`));
    assert.match(output, new RegExp(`^${suite} +5 +3 +2 +\\d`, "m"));
  });

  test(`${suite}: what a failing file printed is shown with its failures`, async (t) => {
    const { output } = await runFilesOf(t, suite, {
      "loud.test.ts": `import test from "node:test"; test("t", () => { console.log("a hint"); throw new Error("e"); });`,
      "quiet.test.ts": `import test from "node:test"; test("t", () => { console.log("mere noise"); });`,
    });
    assert.match(output, /printed:\n\s+a hint/);
    assert.doesNotMatch(output, /mere noise/);
  });
}

test("a run in which everything passes ends with 0", async (t) => {
  const { code, lastLine } = await runMoneyFiles(t, { "passing.test.ts": PASSING });
  assert.equal(code, 0);
  assert.equal(lastLine, "2 passed, 0 failed, 0 skipped");
});

const brokenFiles: readonly (readonly [string, string, RegExp])[] = [
  ["ends its process", `import test from "node:test"; test("t", () => process.exit(3));`, /ended with code 3/],
  [
    "ends it with success",
    `import test from "node:test"; test("t", () => process.exit(0));`,
    /holds no test|ended with code 0/,
  ],
  ["does not parse", `const x: = 1;`, /ERR_INVALID_TYPESCRIPT_SYNTAX/],
  ["holds no test", `export {};`, /holds no test/],
  [
    "throws after its tests",
    `import test from "node:test"; test("t", () => { setTimeout(() => { throw new Error("too late"); }, 50); });`,
    /too late/,
  ],
  [
    "leaves a rejection that nobody awaits",
    `import test from "node:test";
    import { setTimeout as sleep } from "node:timers/promises";
    test("t", async () => { await sleep(1); void sleep(1).then(() => { throw new Error("nobody looks"); }); await sleep(50); });`,
    /nobody looks[\s\S]*at .*broken\.test\.ts/,
  ],
  // Written in two parts, so that this file itself does not count as one that uses it.
  ["uses only", `import test from "node:test"; test.${"only"}("t", () => {}); test("u", () => {});`, /"only" is set/],
];
for (const suite of SUITE_NAMES) {
  for (const [what, text, message] of brokenFiles) {
    test(`${suite}: a file that ${what} fails`, async (t) => {
      const files = { "broken.test.ts": text, "passing.test.ts": PASSING };
      const { code, output, lastLine } = await runFilesOf(t, suite, files);
      assert.equal(code, 1);
      assert.match(lastLine ?? "", /^\d passed, 1 failed, 0 skipped$/);
      assert.match(output, message);
    });
  }
}

test("a skipped test fails where services are required", async (t) => {
  const root = await projectWith(t, { "packages/money/src/mixed.test.ts": MIXED });
  const { code, output, lastLine } = await runTests(t, root, ["money"], { REQUIRE_SERVICES: "1" });
  assert.equal(code, 1);
  assert.equal(lastLine, "3 passed, 5 failed, 0 skipped");
  assert.match(output, /failed {3}money: is left out was skipped/);
});

test("a suite whose need is missing is skipped by name, or fails where services are required", async (t) => {
  const root = await projectWith(t, {
    "tests/e2e/page.test.ts": PASSING,
    "packages/money/src/passing.test.ts": PASSING,
  });
  const env = { CHROME_PATH: undefined, CHROMIUM_PATH: join(root, "no-such-browser") };
  const skipped = await runTests(t, root, ["money", "browser"], env);
  assert.equal(skipped.code, 0, skipped.output);
  assert.equal(skipped.lastLine, "2 passed, 0 failed, 1 skipped");
  assert.match(skipped.output, /skipped {2}browser: suite browser \(CHROMIUM_PATH .*no-such-browser does not run\)/);
  const required = await runTests(t, root, ["money", "browser"], { ...env, REQUIRE_SERVICES: "1" });
  assert.equal(required.code, 1);
  assert.equal(required.lastLine, "2 passed, 1 failed, 0 skipped");
  const alone = await runTests(t, root, ["browser"], env);
  assert.equal(alone.code, 1, "a run in which nothing ran is no success");
});

// Replaces the web app's bundler in a test project; FAKE_BUNDLER selects success or failure.
const BUNDLER = `
import { appendFileSync } from "node:fs";
export async function bundle(root: string, folder: string) {
  appendFileSync(root + "/bundles", "x");
  if (process.env.FAKE_BUNDLER === "fail") throw new Error("a bracket is missing");
}
`;

test("suites that show the web app find it built, once for all of them, and fail where it cannot be built", async (t) => {
  const files = { "tests/e2e/page.test.ts": PASSING, "tests/system/start.test.ts": PASSING };
  const root = await projectWith(t, { ...files, "scripts/web/bundle.ts": BUNDLER });
  const env = { CHROME_PATH: process.execPath };
  const good = await runTests(t, root, ["system", "browser"], env);
  assert.equal(good.lastLine, "4 passed, 0 failed, 0 skipped", good.output);
  assert.match(good.output, /Building the web app …\n {2}done in/);
  assert.equal(await readFile(join(root, "bundles"), "utf8"), "x");

  await writeFile(join(root, "package-lock.json"), "{}");
  const bad = await runTests(t, root, ["system", "browser"], { ...env, FAKE_BUNDLER: "fail" });
  assert.equal(bad.code, 1);
  assert.equal(bad.lastLine, "0 passed, 2 failed, 0 skipped");
  assert.match(bad.output, /FAILED {2}the web app could not be built\n\s+Building the web app failed:\n+\s+a bracket/);
  assert.equal(await readFile(join(root, "bundles"), "utf8"), "xx");
});

test("a suite's preload is there before its files", async (t) => {
  const root = await projectWith(t, {
    "apps/web/testing/register.ts": `(globalThis as { isPrepared?: boolean }).isPrepared = true;`,
    "apps/web/src/part.test.ts": `
      import test from "node:test";
      test("prepared", () => { if (!(globalThis as { isPrepared?: boolean }).isPrepared) throw new Error("it is not"); });`,
  });
  const { lastLine, output } = await runTests(t, root, ["web"]);
  assert.equal(lastLine, "1 passed, 0 failed, 0 skipped", output);
});

test("a suite without files fails unless it is optional", async (t) => {
  const root = await projectWith(t, { "packages/money/src/passing.test.ts": PASSING });
  const optional = await runTests(t, root, ["money", "nats"]);
  assert.equal(optional.code, 0, optional.output);
  assert.equal(optional.lastLine, "2 passed, 0 failed, 0 skipped");
  const needed = await runTests(t, root, ["money", "engine"]);
  assert.equal(needed.code, 1);
  assert.match(needed.output, /suite engine has no files/);
});

test("--files runs these files alone, in every suite they belong to", async (t) => {
  const tellsDatabase = `import test from "node:test"; test("on " + process.env.TEST_DATABASE, { skip: true }, () => {});`;
  const root = await projectWith(t, {
    "packages/money/src/passing.test.ts": PASSING,
    "packages/money/src/other.test.ts": MIXED,
    "apps/server/src/rows.sql.test.ts": tellsDatabase,
  });
  const files = ["packages/money/src/passing.test.ts", "apps/server/src/rows.sql.test.ts"];
  const { code, output, lastLine } = await runTests(t, root, ["money", "server", "sql-embedded", "--files", ...files]);
  assert.equal(code, 0, output);
  assert.equal(lastLine, "2 passed, 0 failed, 1 skipped");
  assert.match(output, /sql-embedded: on embedded/);
  assert.doesNotMatch(output, /^server/m);
});

test("a suite, file or option that does not exist is refused with 2", async (t) => {
  const root = await projectWith(t, { "packages/money/src/passing.test.ts": PASSING, "stray.test.ts": PASSING });
  for (const args of [
    ["mony"],
    ["--files", "nowhere.test.ts"],
    ["--files", "stray.test.ts"],
    ["--files"],
    ["--fast"],
  ]) {
    assert.equal((await runTests(t, root, args)).code, 2, args.join(" "));
  }
});

test("without a name `npm test` runs its own suites, `--beyond` the others and `--all` both", async (t) => {
  const root = await projectWith(t, {
    "packages/money/src/passing.test.ts": PASSING,
    "tests/conformance/passing.test.ts": PASSING,
    "apps/server/src/rows.sql.test.ts": PASSING,
  });
  const listed = async (...args: string[]) => (await runTests(t, root, [...args, "--list"])).output;
  const suitesOf = (output: string): readonly string[] => output.match(/^[\w-]+(?=: )/gm) ?? [];
  const beyond = suitesOf(await listed("--beyond"));
  const all = suitesOf(await listed("--all"));
  assert.ok(beyond.includes("conformance") && beyond.includes("sql-postgresql"));
  assert.ok(!beyond.includes("money") && !beyond.includes("sql-embedded"));
  assert.ok(all.length > beyond.length && ["money", ...beyond].every((name) => all.includes(name)));

  const ofTest = await runTests(t, root, ["--files", "apps/server/src/rows.sql.test.ts"]);
  assert.equal(ofTest.lastLine, "2 passed, 0 failed, 0 skipped", "on the embedded database alone");
  const ofOthers = await runTests(t, root, ["--files", "tests/conformance/passing.test.ts"]);
  assert.equal(ofOthers.lastLine, "2 passed, 0 failed, 0 skipped", "a named file runs, in any suite");
});

test("--list names the suites with their files and runs nothing", async (t) => {
  const root = await projectWith(t, { "packages/money/src/mixed.test.ts": MIXED });
  const { code, output } = await runTests(t, root, ["--list"]);
  assert.equal(code, 0);
  assert.match(output, /^money: .*\n {2}npm test: .*\n {2}packages\/money\/src\/mixed\.test\.ts$/m);
  assert.match(output, /^sql-postgresql: .*\(needs postgresql\)\n {2}npm run test:all: .*several sessions$/m);
});

// It prints continuously, so that a report is always pending when the reader is killed.
const HANGING = `
import test from "node:test";
import { writeFileSync } from "node:fs";
test("hangs", () => new Promise(() => {
  writeFileSync("pid", String(process.pid));
  setInterval(() => console.log("still here"), 1);
}));
`;

async function startHanging(t: TestContext): Promise<{ running: RunningProcess; pid: number }> {
  const root = await projectWith(t, { "packages/money/src/hanging.test.ts": HANGING });
  const running = startProcess(process.execPath, commandLine(["money"]), { owner: t, cwd: root });
  const isWritten = async (): Promise<string | false> => {
    const found = await readFile(join(root, "pid"), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return "";
    });
    return found !== "" && found;
  };
  const pid = Number(await waitFor(isWritten, { what: "the test to begin" }));
  // In case the command under test does not end it.
  onCleanup(t, () => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return { running, pid };
}

const untilGone = (pid: number): Promise<true> => waitFor(() => !isAlive(pid), { what: "the test's process to end" });

test("an interrupted run ends its tests and reports no success", { timeout: 60_000 }, async (t) => {
  const { running, pid } = await startHanging(t);
  running.kill("SIGINT");
  assert.equal((await running.exited).code, 130, running.output());
  await untilGone(pid);
});

test("a killed run leaves no tests behind", { timeout: 60_000 }, async (t) => {
  const { running, pid } = await startHanging(t);
  running.kill("SIGKILL");
  await untilGone(pid);
});
