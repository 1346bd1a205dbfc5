import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { makeTempDir } from "../../tests/support/files.ts";
import { compressTexts } from "./compress.ts";

test("RUN-2: texts of some size get a .br and a .gz that hold the same, all else stays alone", async (t) => {
  const folder = await makeTempDir(t);
  const script = "export const answer = 42;\n".repeat(1_000);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets", "index-1.js"), script);
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, "assets", "inter.woff2"), randomBytes(2_000));
  await compressTexts(folder);
  assert.deepEqual(readdirSync(folder).sort(), ["assets", "icon.svg"]);
  const assets = readdirSync(join(folder, "assets")).sort();
  assert.deepEqual(assets, ["index-1.js", "index-1.js.br", "index-1.js.gz", "inter.woff2"]);
  const [br, gz] = await Promise.all([".br", ".gz"].map((end) => readFile(join(folder, "assets", `index-1.js${end}`))));
  assert.ok(br && gz && br.length < script.length / 20);
  assert.equal(brotliDecompressSync(br).toString(), script);
  assert.equal(gunzipSync(gz).toString(), script);
});
