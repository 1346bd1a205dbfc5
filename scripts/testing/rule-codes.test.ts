import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { codesBeyondNpmTest, codesOf, listRuleTests } from "./rule-codes.ts";
import { filesOf, type Suite, suites } from "./suites.ts";

const suite = (name: string, runBy: Suite["runBy"], files: string, env = {}): Suite => ({
  name,
  covers: "",
  runBy,
  because: "",
  files: [files],
  env,
});
const SUITES = [
  suite("quick", "npm test", "src/**/*.test.ts"),
  suite("server", "npm run test:all", "src/**/*.sql.test.ts", { TEST_DATABASE: "postgresql" }),
  suite("long", "npm run test:all", "long/**/*.test.ts"),
];

async function beyond(t: TestContext, files: Record<string, string>): Promise<readonly string[]> {
  const root = await makeTempDir(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return codesBeyondNpmTest(listRuleTests(root, SUITES));
}

describe("rules that tests name", () => {
  it("`npm test` proves every one of them: `npm run test:all` adds repetition and machinery, no rule", () => {
    const root = dirname(dirname(import.meta.dirname));
    const tests = listRuleTests(root, suites);
    assert.ok(new Set(tests.map(({ code }) => code)).size > 100, "the names are found");
    assert.deepEqual(codesBeyondNpmTest(tests), []);
  });

  it("every test that knows a longer run is run so by `npm run test:all`", () => {
    const root = dirname(dirname(import.meta.dirname));
    const knowing = suites.flatMap((one) =>
      filesOf(root, one).filter((file) => /env\["TEST_DEPTH"\]/.test(readFileSync(join(root, file), "utf8"))),
    );
    const long = suites.filter(({ env }) => env?.["TEST_DEPTH"] === "long").flatMap((one) => filesOf(root, one));
    assert.ok(knowing.length > 0);
    assert.deepEqual(
      [...new Set(knowing)].filter((file) => !long.includes(file)),
      [],
    );
  });

  it("a rule that only the long run knows is named", async (t) => {
    const long = `it("SEC-1: a", f); it(\`FUT-2, FUT-3: seed \${seed}\`, f);`;
    assert.deepEqual(await beyond(t, { "src/a.test.ts": `it("SEC-1: b", f)`, "long/b.test.ts": long }), [
      "FUT-2",
      "FUT-3",
    ]);
  });

  it("a test that runs on a server only is no part of `npm test`, although its file is", async (t) => {
    const file = `it("INV-1: a", f);\nitOnServer(\n  "INV-2: b", f);`;
    assert.deepEqual(await beyond(t, { "src/a.sql.test.ts": file }), ["INV-2"]);
  });

  it("names in tables count, texts that merely mention a rule do not", async (t) => {
    const table = `for (const [name] of [["BRK-7: a"]]) it(name, f); /* SEC-4: b */ assert.ok(x, "see SEC-5: c");`;
    assert.deepEqual(await beyond(t, { "long/a.test.ts": table }), ["BRK-7"]);
  });

  it("a name may begin with several codes, or with all from one to another", () => {
    assert.deepEqual(codesOf("BRK-9, T7, WIRE-4b: paid once"), ["BRK-9", "T7", "WIRE-4b"]);
    assert.deepEqual(codesOf("PTS-3 to PTS-5, INV-1 … INV-2: ranked"), ["PTS-3", "PTS-4", "PTS-5", "INV-1", "INV-2"]);
  });
});
