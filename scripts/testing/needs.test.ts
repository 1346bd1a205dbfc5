import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import test from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { findChromium } from "./needs.ts";

test("the browser is the one CHROME_PATH names, else CHROMIUM_PATH, else the first on PATH", async (t) => {
  const [first, second] = [await makeTempDir(t), await makeTempDir(t)];
  for (const file of [join(first, "google-chrome"), join(second, "chromium")]) {
    await writeFile(file, "#!/bin/sh\n");
    await chmod(file, 0o755);
  }
  await writeFile(join(first, "chromium"), "not to be run");
  const PATH = [first, second].join(delimiter);
  const pathOf = (env: Record<string, string>) => {
    const found = findChromium({ PATH, ...env });
    return found.isAvailable ? found.env["CHROME_PATH"] : found.reason;
  };
  assert.equal(pathOf({}), join(first, "google-chrome"));
  assert.equal(pathOf({ CHROMIUM_PATH: process.execPath }), process.execPath);
  assert.equal(pathOf({ CHROME_PATH: process.execPath, CHROMIUM_PATH: "/nowhere" }), process.execPath);
  assert.equal(pathOf({ CHROME_PATH: "", CHROMIUM_PATH: process.execPath }), process.execPath);
  assert.equal(pathOf({ CHROME_PATH: "/nowhere" }), "CHROME_PATH /nowhere does not run", "a choice is not replaced");
  assert.match(pathOf({ PATH: "/nowhere" }) ?? "", /apt-get install -y chromium.*CHROME_PATH or CHROMIUM_PATH/);
});
