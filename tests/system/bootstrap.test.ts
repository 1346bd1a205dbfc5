import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { delimiter } from "node:path";
import test, { type TestContext } from "node:test";
import { onCleanup } from "../support/cleanup.ts";
import { MiniProject, type StartOptions } from "../support/mini-project.ts";
import { isAlive, startProcess } from "../support/processes.ts";
import { waitFor } from "../support/waiting.ts";

const STAMP = "node_modules/.bourse-install.json";
const LOCK = ".runtime/install.lock/owner.json";

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

async function run(project: MiniProject, options: StartOptions = {}): Promise<Outcome> {
  const running = project.start(options);
  const { code } = await running.exited;
  return { code, output: running.output() };
}

async function installedProject(t: TestContext): Promise<MiniProject> {
  const project = await MiniProject.create(t);
  const { code, output } = await run(project);
  assert.equal(code, 0, output);
  await rm(project.path("npm-calls.jsonl"));
  return project;
}

/** What the fake server printed about how it was started. */
function startedWith(output: string): { args: string[]; execPath: string; folder: string; threads: string } {
  const line = output.split("\n").find((text) => text.startsWith("started "));
  assert.ok(line, `the target did not start:\n${output}`);
  return JSON.parse(line.slice("started ".length));
}

/** A file that exists but is empty is about to be written. */
const untilFile = (project: MiniProject, path: string): Promise<string> =>
  waitFor(async () => (await project.read(path)) || undefined, { what: `the file ${path}` });

/** The id of the target that runs until it is ended. If the test fails to end it, the cleanup does. */
async function stayingTarget(t: TestContext, project: MiniProject): Promise<number> {
  const pid = Number(await untilFile(project, "main-pid"));
  onCleanup(t, () => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return pid;
}

test("RUN-1: the first start installs, then runs the target with its arguments", async (t) => {
  const project = await MiniProject.create(t);
  const { code, output } = await run(project, { args: ["--help", "a b"] });
  assert.equal(code, 0, output);
  assert.match(output, /Installing the dependencies/);
  assert.deepEqual(startedWith(output).args, ["--help", "a b"]);
  assert.equal(startedWith(output).execPath, process.execPath);
  const [call, ...more] = await project.npmCalls();
  assert.deepEqual(call?.args, ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"]);
  assert.equal(more.length, 0);
  assert.ok(await project.read(STAMP));
});

test("RUN-1: with nothing to do it runs the target and prints nothing of its own", async (t) => {
  const project = await installedProject(t);
  const { code, output } = await run(project);
  assert.equal(code, 0);
  assert.match(output, /^started .*\n$/);
  assert.deepEqual(await project.npmCalls(), []);
});

test("RUN-1: the server has enough threads that no sync waits for one, unless the environment sets another number", async (t) => {
  const project = await installedProject(t);
  const usual = await run(project, { env: { UV_THREADPOOL_SIZE: undefined } });
  assert.equal(startedWith(usual.output).threads, "16");
  const chosen = await run(project, { env: { UV_THREADPOOL_SIZE: "7" } });
  assert.equal(startedWith(chosen.output).threads, "7");
});

test("RUN-1: every start sees to the web app's build before the server, but not for the list of settings", async (t) => {
  const project = await installedProject(t);
  assert.equal(await project.read("builds"), "--quiet\n");
  await run(project, { args: ["--help"] });
  assert.equal(await project.read("builds"), "--quiet\n");
});

test("RUN-1: a web app that cannot be built stops the start, and the reason is shown", async (t) => {
  const project = await installedProject(t);
  const { code, output } = await run(project, { env: { FAKE_BUILD: "fail" } });
  assert.equal(code, 1);
  assert.match(output, /a bracket is missing\n\nThe server was not started/);
  assert.doesNotMatch(output, /started \{/);
});

test("RUN-1: a signal during the web app's build ends the start", async (t) => {
  const project = await installedProject(t);
  await rm(project.path("builds"));
  const running = project.start({ env: { FAKE_BUILD: "wait" } });
  await untilFile(project, "builds");
  running.kill("SIGTERM");
  assert.equal((await running.exited).code, 128 + 15);
  assert.doesNotMatch(running.output(), /started/);
});

test("RUN-1: a changed lockfile is installed, once", async (t) => {
  const project = await installedProject(t);
  await project.write("package-lock.json", JSON.stringify({ name: "mini", lockfileVersion: 3, packages: { "": {} } }));
  assert.equal((await run(project)).code, 0);
  assert.equal((await run(project)).code, 0);
  assert.equal((await project.npmCalls()).length, 1);
});

test("RUN-1: dependencies installed for another Node are installed again", async (t) => {
  const project = await installedProject(t);
  const stamp = JSON.parse((await project.read(STAMP)) ?? "");
  assert.equal(stamp.node_major, Number(process.versions.node.split(".")[0]));
  await project.write(STAMP, JSON.stringify({ ...stamp, node_major: stamp.node_major - 2 }));
  assert.equal((await run(project)).code, 0);
  assert.equal((await project.npmCalls()).length, 1);
});

test("RUN-1: a failed install ends with 1, shows the end of npm's output and leaves no stamp", async (t) => {
  const project = await installedProject(t);
  await project.write("package-lock.json", "{}");
  const { code, output } = await run(project, { env: { FAKE_NPM: "fail" } });
  assert.equal(code, 1);
  assert.match(output, /Installing the dependencies failed \(npm ended with code 9\)/);
  assert.match(output, /npm output line 200\n/);
  assert.doesNotMatch(output, /npm output line 100\n/);
  assert.match(output, /request to https:\/\/…\/left-pad failed/);
  assert.doesNotMatch(output, /secret|registry\.example/);
  assert.doesNotMatch(output, /started/);
  assert.equal(await project.read(STAMP), undefined);
  assert.equal(await project.read(LOCK), undefined);
  assert.equal((await run(project)).code, 0, "the next start tries again");
});

test("RUN-1: settings of the outer npm call do not change what is installed", async (t) => {
  const project = await MiniProject.create(t);
  const env = {
    NODE_ENV: "production",
    npm_config_omit: "dev",
    NPM_CONFIG_PRODUCTION: "true",
    npm_config_workspace: "apps/web",
    npm_config_dry_run: "true",
    npm_config_registry: "http://127.0.0.1:1/",
    npm_config_ignore_scripts: "true",
  };
  assert.equal((await run(project, { env })).code, 0);
  const [call] = await project.npmCalls();
  const kept = Object.keys(call?.env ?? {}).filter((name) => /^npm_config_|^NODE_ENV$/i.test(name));
  assert.deepEqual(kept.sort(), ["npm_config_ignore_scripts", "npm_config_registry"]);
});

test("RUN-1: the target's exit code is passed on", async (t) => {
  const project = await installedProject(t);
  assert.equal((await run(project, { args: ["exit", "37"] })).code, 37);
  assert.equal((await run(project, { args: ["die", "SIGKILL"] })).code, 128 + 9);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`RUN-1: ${signal} reaches the target, which decides the exit code`, async (t) => {
    const project = await installedProject(t);
    const running = project.start({ args: ["stay"] });
    await stayingTarget(t, project);
    running.kill(signal);
    assert.deepEqual(await running.exited, { code: 5, signal: null });
    assert.equal(await project.read("ended-by"), signal);
  });
}

test("RUN-1: a Node that is too old looks for another one on PATH, for the install and for the target", async (t) => {
  const project = await MiniProject.create(t);
  await project.write(
    "pretend-old.cjs",
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });`,
  );
  const alsoOld = await project.writeNode("node-22.12", `echo v22.12.0`);
  const oddRelease = await project.writeNode("node-23", `echo v23.11.0`);
  const usable = await project.writeNode(
    "node-usable",
    `echo "$*" >> "${project.root}/usable-calls"\nexec "${process.execPath}" "$@"`,
  );
  const { code, output } = await run(project, {
    nodeFlags: ["--require", project.path("pretend-old.cjs")],
    env: { PATH: [alsoOld, oddRelease, usable, "/usr/bin", "/bin"].join(delimiter) },
  });
  assert.equal(code, 0, output);
  assert.equal(startedWith(output).folder, usable);
  const [probe, install, build, target] = ((await project.read("usable-calls")) ?? "").split("\n");
  assert.equal(probe, "--version");
  assert.match(install ?? "", /npm-cli\.js ci /);
  assert.match(build ?? "", /scripts\/web\/build\.ts --quiet/);
  assert.match(target ?? "", /apps\/server\/src\/main\.ts/);
});

test("RUN-1: two starts at once install once; the second waits and says so", async (t) => {
  const project = await MiniProject.create(t);
  const first = project.start({ env: { FAKE_NPM: "wait" } });
  await untilFile(project, "npm-calls.jsonl");
  const second = project.start();
  await waitFor(() => second.output().includes("Another install is under way"), { what: "the second to wait" });
  assert.match(second.output(), new RegExp(`process ${first.pid}\\b`));
  await project.write("go", "");
  assert.equal((await first.exited).code, 0, first.output());
  assert.equal((await second.exited).code, 0, second.output());
  assert.equal((await project.npmCalls()).length, 1);
});

test("RUN-1: the lock of a killed install is taken over, but not before its npm has ended", async (t) => {
  const project = await MiniProject.create(t);
  const killed = project.start({ env: { FAKE_NPM: "wait" } });
  await untilFile(project, "npm-calls.jsonl");
  killed.kill("SIGKILL");
  await killed.exited;
  const next = project.start();
  await waitFor(() => next.output().includes("Another install is under way"), { what: "the next to wait" });
  await project.write("go", "");
  assert.equal((await next.exited).code, 0, next.output());
  assert.equal((await project.npmCalls()).length, 2);
  assert.ok(await project.read(STAMP));
  assert.equal(await project.read(LOCK), undefined);
});

test("RUN-1: a signal during the install ends it without a stamp or a lock", async (t) => {
  const project = await MiniProject.create(t);
  const running = project.start({ env: { FAKE_NPM: "wait" } });
  await untilFile(project, "npm-calls.jsonl");
  running.kill("SIGTERM");
  assert.equal((await running.exited).code, 128 + 15);
  assert.equal(await project.read(STAMP), undefined);
  assert.equal(await project.read(LOCK), undefined);
  assert.doesNotMatch(running.output(), /started/);
});

test("RUN-1: when the bootstrap is killed the target hears of it", async (t) => {
  const project = await installedProject(t);
  const running = project.start({ args: ["stay"] });
  const pid = await stayingTarget(t, project);
  running.kill("SIGKILL");
  assert.equal(await untilFile(project, "ended-by"), "disconnect");
  await waitFor(() => !isAlive(pid), { what: "the target to end" });
});

test("RUN-1: when the npm above is killed nothing is left behind", async (t) => {
  const project = await installedProject(t);
  // Like npm: a process that runs the script through a shell.
  await project.write(
    "like-npm.mjs",
    `import { spawn } from "node:child_process";
     const command = ${JSON.stringify(`"${process.execPath}" scripts/bootstrap.mjs start stay; exit $?`)};
     spawn("sh", ["-c", command], { stdio: "inherit", env: { ...process.env, npm_lifecycle_event: "start" } });`,
  );
  const npm = startProcess(process.execPath, ["like-npm.mjs"], {
    owner: t,
    cwd: project.root,
    env: project.environment(),
  });
  const pid = await stayingTarget(t, project);
  npm.kill("SIGKILL");
  assert.equal(await untilFile(project, "ended-by"), "SIGTERM");
  await waitFor(() => !isAlive(pid), { what: "the target to end" });
});

test("RUN-1: an unknown command is refused with the list of those there are", async (t) => {
  const project = await MiniProject.create(t);
  const running = startProcess(process.execPath, ["scripts/bootstrap.mjs", "constructor"], {
    owner: t,
    cwd: project.root,
  });
  assert.equal((await running.exited).code, 2);
  assert.match(
    running.output(),
    /start\|build\|test\|test:all\|bench\|check\|docs\|replay\|backup\|restore\|verify\|simulate\|fuzz\|load\|cluster\|audit\|migrate\|upgrade\|rebuild\|soak\|fix/,
  );
});
