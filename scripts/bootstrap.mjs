// Runs before every npm script: finds (or fetches) a Node that can run the project, installs the dependencies if they
// are missing or out of date, builds the web app before a start, then runs the target. It has no dependencies and uses
// only syntax of Node 14, because it has to run on any Node that a new user has.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ExplainedError } from "./bootstrap/explained-error.mjs";
import { ensureInstalled } from "./bootstrap/install.mjs";
import { Interrupted, ProcessRelay } from "./bootstrap/process-relay.mjs";
import { obtainRuntime, typeStrippingFlags } from "./bootstrap/runtime.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Syncs of the journal, password hashes, name lookups and files share Node's thread pool, and a sync that waits for one
// of its default four threads delays every order. The pool can only be sized before the process starts.
const SERVER_ENVIRONMENT = { UV_THREADPOOL_SIZE: "16" };

const BUILD_SCRIPT = "scripts/web/build.ts";

const targets = new Map([
  ["start", { script: "apps/server/src/main.ts", args: [], env: SERVER_ENVIRONMENT, servesWebApp: true }],
  ["build", { script: BUILD_SCRIPT, args: [] }],
  ["test", { script: "scripts/test.ts", args: [] }],
  ["test:all", { script: "scripts/test.ts", args: ["--all"] }],
  ["bench", { script: "bench/main.ts", args: [] }],
  ["check", { script: "scripts/check.ts", args: [] }],
  ["docs", { script: "scripts/docs.ts", args: [] }],
  ["replay", { script: "scripts/replay.ts", args: [] }],
  ["backup", { script: "scripts/backup.ts", args: ["backup"] }],
  ["restore", { script: "scripts/backup.ts", args: ["restore"] }],
  ["verify", { script: "scripts/backup.ts", args: ["verify"] }],
  ["simulate", { script: "scripts/simulate.ts", args: [] }],
  ["fuzz", { script: "scripts/fuzz.ts", args: [] }],
  ["load", { script: "scripts/load.ts", args: [], env: SERVER_ENVIRONMENT }],
  ["cluster", { script: "scripts/cluster.ts", args: [], env: SERVER_ENVIRONMENT }],
  ["audit", { script: "scripts/audit.ts", args: [] }],
  ["migrate", { script: "scripts/migrate.ts", args: [] }],
  ["upgrade", { script: "scripts/upgrade.ts", args: [] }],
  ["rebuild", { script: "scripts/rebuild.ts", args: [] }],
  ["soak", { script: "scripts/soak.ts", args: [], env: SERVER_ENVIRONMENT }],
  ["fix", { script: "node_modules/@biomejs/biome/bin/biome", args: ["check", "--write"] }],
]);

// Modules compiled at one start are cached for the next.
const EVERY_ENVIRONMENT = { NODE_COMPILE_CACHE: join(root, ".cache", "compiled") };

/** A function that runs the project's scripts with that runtime. */
function runnerOf(runtime, relay) {
  return (script, args, env) =>
    relay.run(runtime.path, [...typeStrippingFlags(runtime.version), join(root, script), ...args], {
      cwd: root,
      runtimeFolder: dirname(runtime.path),
      env: { ...EVERY_ENVIRONMENT, ...env },
    });
}

/** A page that does not match its server is worse than no server, so a failed build stops the start. */
async function ensureWebApp(run, relay) {
  const code = await run(BUILD_SCRIPT, ["--quiet"]);
  if (relay.interruptedBy !== null) throw new Interrupted(relay.interruptedBy);
  if (code !== 0) throw new ExplainedError("\nThe server was not started, because its web app could not be built.");
}

async function main() {
  const [name, ...rest] = process.argv.slice(2);
  const target = targets.get(name);
  if (target === undefined) {
    console.error(`Usage: node scripts/bootstrap.mjs <${[...targets.keys()].join("|")}> [arguments]`);
    return 2;
  }
  const relay = new ProcessRelay();
  const runtime = await obtainRuntime(root, relay);
  await ensureInstalled(root, runtime, relay);
  const run = runnerOf(runtime, relay);
  if (target.servesWebApp && !rest.includes("--help")) await ensureWebApp(run, relay);
  return run(target.script, [...target.args, ...rest], target.env);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    if (error instanceof Interrupted) {
      process.exitCode = error.exitCode;
      return;
    }
    // An expected failure has an explanation; any other one is a defect and shows its stack.
    console.error(error.isExplained ? error.message : error);
    process.exitCode = 1;
  },
);
