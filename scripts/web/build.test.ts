import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { nodeFlags, type RunningProcess, startProcess } from "../../tests/support/processes.ts";
import { waitFor } from "../../tests/support/waiting.ts";

// Writes a page that contains its source, in two steps; FAKE_BUNDLER selects what happens between them.
const FAKE_BUNDLER = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
export async function bundle(root: string, folder: string) {
  appendFileSync(root + "/bundles", folder + "\\n");
  writeFileSync(folder + "/first-half", "");
  while (process.env.FAKE_BUNDLER === "wait" && !existsSync(root + "/go")) await sleep(20);
  if (process.env.FAKE_BUNDLER === "fail") throw new Error("src/main.tsx:1: a bracket is missing");
  writeFileSync(folder + "/index.html", readFileSync(root + "/apps/web/src/main.tsx", "utf8"));
}
`;

const SOURCES = {
  "apps/web/src/main.tsx": "one",
  "apps/web/src/main.test.tsx": "a test",
  "apps/web/public/icon.svg": "icon",
  "apps/web/index.html": "html",
  "packages/api/src/index.ts": "api",
  "package-lock.json": "{}",
  "package.json": '{"type":"module"}',
};

class Project {
  readonly #owner: TestContext;
  readonly #root: string;

  constructor(owner: TestContext, root: string) {
    this.#owner = owner;
    this.#root = root;
  }

  path(relativePath: string): string {
    return join(this.#root, relativePath);
  }

  async write(relativePath: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(relativePath)), { recursive: true });
    await writeFile(this.path(relativePath), text);
  }

  start(args: readonly string[] = [], mode = "succeed"): RunningProcess {
    return startProcess(process.execPath, [...nodeFlags(), "scripts/web/build.ts", ...args], {
      owner: this.#owner,
      cwd: this.#root,
      env: { FAKE_BUNDLER: mode },
    });
  }

  async build(args: readonly string[] = [], mode?: string): Promise<{ code: number | null; output: string }> {
    const running = this.start(args, mode);
    const { code } = await running.exited;
    return { code, output: running.output() };
  }

  /** The page of the current build. */
  page(): Promise<string> {
    return readFile(this.path("apps/web/dist/index.html"), "utf8");
  }

  /** How often the bundler has run. */
  async bundles(): Promise<number> {
    if (!existsSync(this.path("bundles"))) return 0;
    return (await readFile(this.path("bundles"), "utf8")).trim().split("\n").length;
  }

  /** Files in the web app's folder besides its sources and the build: empty except during a build. */
  leftovers(): readonly string[] {
    const folder = this.path("apps/web/.cache/build");
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}

async function project(t: TestContext): Promise<Project> {
  const root = await makeTempDir(t);
  for (const folder of ["web", "bootstrap"]) {
    await cp(join(import.meta.dirname, "..", folder), join(root, "scripts", folder), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  }
  const made = new Project(t, root);
  for (const [path, text] of Object.entries({ ...SOURCES, "scripts/web/bundle.ts": FAKE_BUNDLER })) {
    await made.write(path, text);
  }
  return made;
}

const untilBundling = (built: Project, times: number): Promise<true> =>
  waitFor(async () => (await built.bundles()) === times, { what: `build ${times} to begin` });

test("RUN-1: the web app is built once, and again when what it is made of has changed", async (t) => {
  const built = await project(t);
  const first = await built.build();
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /^Building the web app …\n {2}done in \d+ s\n$/);
  assert.equal(await built.page(), "one");
  assert.equal((await built.build(["--quiet"])).output, "");
  assert.match((await built.build()).output, /is built from the present sources already/);
  assert.equal(await built.bundles(), 1);

  let times = 1;
  for (const path of ["apps/web/src/main.tsx", "packages/api/src/index.ts", "package-lock.json"]) {
    await appendFile(built.path(path), " and more");
    assert.equal((await built.build()).code, 0);
    times += 1;
    assert.equal(await built.bundles(), times, path);
  }
  assert.equal(await built.page(), "one and more");
  await built.write("apps/web/src/page.tsx", "another page");
  await built.build();
  await rm(built.path("apps/web/src/page.tsx"));
  await built.build();
  assert.equal(await built.bundles(), times + 2, "a new file, and one that is gone");
  assert.deepEqual(built.leftovers(), []);
});

test("RUN-1: dates and tests do not make a build outdated, a build without its stamp is", async (t) => {
  const built = await project(t);
  await built.build();
  await utimes(built.path("apps/web/src/main.tsx"), new Date(), new Date());
  await appendFile(built.path("apps/web/src/main.test.tsx"), " and more");
  await built.build();
  assert.equal(await built.bundles(), 1);
  await rm(built.path("apps/web/dist/.build.json"));
  await built.build();
  assert.equal(await built.bundles(), 2);
});

test("RUN-1: a build that fails says why and leaves what was there, which still counts as outdated", async (t) => {
  const built = await project(t);
  await built.build();
  await built.write("apps/web/src/main.tsx", "two");
  const { code, output } = await built.build(["--quiet"], "fail");
  assert.equal(code, 1);
  assert.match(output, /Building the web app failed:\n\nsrc\/main\.tsx:1: a bracket is missing/);
  assert.equal(await built.page(), "one");
  assert.equal((await built.build(["--quiet"], "fail")).code, 1);
  assert.equal((await built.build()).code, 0);
  assert.equal(await built.page(), "two");
  assert.deepEqual(built.leftovers(), []);
});

test("RUN-1: a build killed in the middle leaves the old one whole, and the next one cleans up", async (t) => {
  const built = await project(t);
  await built.build();
  await built.write("apps/web/src/main.tsx", "two");
  const killed = built.start([], "wait");
  await untilBundling(built, 2);
  await killed.kill("SIGKILL");
  assert.equal(await built.page(), "one");
  assert.equal(built.leftovers().length, 1, "what the killed one has written so far");
  const { code, output } = await built.build();
  assert.equal(code, 0, output);
  assert.equal(await built.page(), "two");
  assert.deepEqual(built.leftovers(), []);
});

test("RUN-1: two starts at once build once; the second waits and says so", async (t) => {
  const built = await project(t);
  const first = built.start([], "wait");
  await untilBundling(built, 1);
  const second = built.start(["--quiet"]);
  await waitFor(() => second.output().includes("Another build of the web app is under way"), {
    what: "the second to wait",
  });
  await built.write("go", "");
  assert.equal((await first.exited).code, 0, first.output());
  assert.equal((await second.exited).code, 0, second.output());
  assert.equal(await built.bundles(), 1);
  assert.equal(await built.page(), "one");
});

test("RUN-1: sources that change while they are built are built again", async (t) => {
  const built = await project(t);
  const first = built.start([], "wait");
  await untilBundling(built, 1);
  await built.write("apps/web/src/main.tsx", "two");
  await built.write("go", "");
  await first.exited;
  await built.build();
  assert.equal(await built.bundles(), 2);
});
