import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import test from "node:test";
import { makeTempDir } from "../tests/support/files.ts";
import { readImports } from "./floors/imports.ts";
import { judgeImports } from "./floors/judge.ts";

const root = dirname(import.meta.dirname);
const SERVER = "apps/server/src";

/** The violations in a project that consists of these files. */
async function judge(t: test.TestContext, files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await makeTempDir(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return judgeImports(readImports(folder));
}

test("production code of this project keeps to the floors", () => {
  assert.deepEqual(judgeImports(readImports(root)), []);
});

test("an import of the public file of a lower floor is allowed, and so is one inside a module", async (t) => {
  const problems = await judge(t, {
    [`${SERVER}/wallet/deposits.ts`]: `import { x } from "../exchange/index.ts";\nimport { y } from "./amounts.ts";`,
    [`${SERVER}/wallet/amounts.ts`]: `import { z } from "../kernel/units.ts";\nimport { e } from "@bourse/engine";`,
  });
  assert.deepEqual(problems, []);
});

test("an import of a higher floor is refused, a type's too", async (t) => {
  const [problem, ...others] = await judge(t, {
    [`${SERVER}/exchange/admin.ts`]: `import type { Switches } from "../wallet/index.ts";`,
  });
  assert.equal(problem, `${SERVER}/exchange/admin.ts imports ${SERVER}/wallet/index.ts, which is on a higher floor`);
  assert.deepEqual(others, []);
});

test("a module of the same floor is refused", async (t) => {
  const [problem] = await judge(t, { [`${SERVER}/bonus/pool.ts`]: `import { x } from "../broker/index.ts";` });
  assert.match(problem ?? "", /bonus\/pool\.ts imports .*broker\/index\.ts, which is another module of the same floor/);
});

test("an import of another file of a module is refused, also a dynamic one", async (t) => {
  const problems = await judge(t, {
    [`${SERVER}/compose/platform.ts`]: `import { x } from "../wallet/deposits.ts";\nawait import("../chain/system.ts");`,
  });
  assert.equal(problems.length, 2);
  assert.match(problems[0] ?? "", /wallet\/deposits\.ts instead of apps\/server\/src\/wallet\/index\.ts/);
  assert.match(problems[1] ?? "", /chain\/system\.ts instead of/);
});

test("a file that imports the public file of its own module is refused", async (t) => {
  const [problem] = await judge(t, { [`${SERVER}/wallet/deposits.ts`]: `import { x } from "./index.ts";` });
  assert.match(problem ?? "", /inside a module files import each other directly/);
});

test("production code that imports what is for tests is refused, a test may import anything", async (t) => {
  const problems = await judge(t, {
    [`${SERVER}/kernel/jobs/store.ts`]: `import { x } from "../database/testing.ts";`,
    [`${SERVER}/kernel/jobs/store.test.ts`]: `import { x } from "../../wallet/deposits.ts";`,
  });
  assert.deepEqual(problems, [
    `${SERVER}/kernel/jobs/store.ts imports ${SERVER}/kernel/database/testing.ts, which is for tests`,
  ]);
});

test("a cycle of files is refused; imports in comments do not count", async (t) => {
  const [problem, ...others] = await judge(t, {
    [`${SERVER}/kernel/a.ts`]: `import { b } from "./b.ts";`,
    [`${SERVER}/kernel/b.ts`]: `export type { C } from "./c.ts";`,
    [`${SERVER}/kernel/c.ts`]: `import type { A } from "./a.ts";`,
    [`${SERVER}/kernel/d.ts`]: `// import { a } from "./d.ts";\n/* import { a } from "./d.ts"; */`,
  });
  assert.match(problem ?? "", /^a cycle: .*a\.ts → .*b\.ts → .*c\.ts → .*a\.ts$/);
  assert.deepEqual(others, []);
});
