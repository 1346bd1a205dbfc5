import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { ARTIFACTS_FOLDER, artifactOf } from "../scripts/artifacts.ts";
import { compile, listSources } from "../scripts/compiler.ts";

const MAX_BYTES_ON_CHAIN = 24_576;

test("the committed artifacts are, byte by byte, what the sources compile to, and each contract fits on chain", () => {
  const contracts = compile(listSources("sources"));
  const files = contracts.map(artifactOf);
  assert.deepEqual(readdirSync(ARTIFACTS_FOLDER).sort(), files.map(({ name }) => name).sort());
  for (const { name, text } of files) {
    const committed = readFileSync(join(ARTIFACTS_FOLDER, name), "utf8");
    assert.ok(committed === text, `${name} is not what the sources compile to: run contracts/scripts/compile.ts`);
  }
  for (const { name, deployedBytes } of contracts) {
    assert.ok(deployedBytes < MAX_BYTES_ON_CHAIN, `${name} has ${deployedBytes} bytes`);
  }
});

test("a source that does not compile without a warning is refused", () => {
  assert.throws(() => compile(["tests/sources/warned/Shadowing.sol"]), /shadows an existing declaration/);
});

test("every custom error of the sources is expected by a test", () => {
  const folder = join(import.meta.dirname, "..");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const declared = listSources("sources").flatMap((path) =>
    [...read(path).matchAll(/^ +error (\w+)\(/gm)].map((match) => match[1]!),
  );
  const tests = globSync("tests/*.test.ts", { cwd: folder }).map(read).join("\n");
  assert.ok(declared.includes("QuotaExceeded") && declared.includes("WithdrawalAlreadyPaid"));
  assert.deepEqual(
    declared.filter((name) => !tests.includes(`"${name}"`)),
    [],
  );
});
