import { globSync } from "node:fs";
import { sep } from "node:path";
import type { Need } from "./needs.ts";

/** `npm test` proves every rule once; `npm run test:all` adds repetition and machinery. */
export type Command = "npm test" | "npm run test:all";

export interface Suite {
  readonly name: string;
  readonly covers: string;
  /** The smallest command that runs it: `npm run test:all` runs everything. */
  readonly runBy: Command;
  /** Why that command. */
  readonly because: string;
  /** Patterns from the project's root. The suite `check` has none: it runs tools instead of test files. */
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: readonly Need[];
  /** Its servers serve the web app, which is built first. */
  readonly usesWebApp?: boolean;
  /** A module, from the project's root, that every process of the suite loads first. */
  readonly preload?: string;
  /** One file at a time, beside files of other suites: a file starts a dozen processes, which mostly wait. */
  readonly isSerial?: boolean;
  /** Files run one after the other in a process, which loads the sources once, until it has more memory than this. */
  readonly sharedMemory_bytes?: number;
  /** How long one file may take. */
  readonly timeout_ms?: number;
  /** Having no files is not an error. */
  readonly isOptional?: boolean;
}

export const CHECK_SUITE_NAME = "check";
export const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/** Some files make so much garbage that a process with a large heap would mostly collect it. */
export const DEFAULT_SHARED_MEMORY_BYTES = 400_000_000;

/** Every open database stays in a process's memory until the next garbage collection. */
const SQL_SHARED_MEMORY_BYTES = 2_000_000_000;

/** Every file of the suite gets its own process. */
const OWN_PROCESS_BYTES = 0;

/** Dozens of starts, restarts and kills of the whole server in one file. */
const LONG_TIMEOUT_MS = 15 * 60_000;

/** How much random input the tests use. */
const LONG_SEEDS = { TEST_DEPTH: "long" };

const SERVER_TESTS = "apps/server/src/**/*.test.ts";
const SQL_TESTS = "apps/server/src/**/*.sql.test.ts";
const NATS_TESTS = "apps/server/src/**/*.nats.test.ts";

const WEB_PRELOAD = "apps/web/testing/register.ts";

/** Tests that start the commands themselves. */
const COMMAND_TESTS = ["scripts/test-command.test.ts", "scripts/testing/run-pool.test.ts", "scripts/replay.test.ts"];
/** Tests that kill a process repeatedly. */
const KILL_TESTS = "apps/server/src/{chain/embedded,exchange/journal}/crash.test.ts";
/** Tests that need a PostgreSQL server. */
const POSTGRESQL_TESTS = "apps/server/src/kernel/database/postgresql.sql.test.ts";
/**
 * Tests of what is decided before a statement is sent (who may call, which input is refused and how), and of the embedded database
 * itself: a second database answers them the same, or not at all.
 */
const BEFORE_SQL_TESTS = [
  "apps/server/src/kernel/http/*.sql.test.ts",
  "apps/server/src/kernel/database/embedded/*.sql.test.ts",
  "apps/server/src/compose/{policy,lists}.sql.test.ts",
  "apps/server/src/exchange/fapi/inputs.sql.test.ts",
];
const BOOTSTRAP_TESTS = "tests/system/bootstrap.test.ts";

/** Suites with many files come first, so that no long one is left for the end of a run. */
export const suites: readonly Suite[] = [
  {
    name: CHECK_SUITE_NAME,
    covers: "format, lint and types of the whole project",
    runBy: "npm test",
    because: "what fails here fails everywhere",
    files: [],
  },
  {
    name: "sql-embedded",
    covers: "everything that speaks SQL, on the embedded database",
    runBy: "npm test",
    because: "most rules of the platform are proved here",
    files: [SQL_TESTS],
    except: [POSTGRESQL_TESTS],
    env: { TEST_DATABASE: "embedded" },
    sharedMemory_bytes: SQL_SHARED_MEMORY_BYTES,
  },
  {
    name: "security",
    covers: "access rights, hostile input, secrets in logs and files",
    runBy: "npm test",
    because: "its rules are proved nowhere else",
    files: ["tests/security/**/*.test.ts"],
    env: { TEST_DATABASE: "embedded" },
    timeout_ms: LONG_TIMEOUT_MS,
    sharedMemory_bytes: SQL_SHARED_MEMORY_BYTES,
    usesWebApp: true,
  },
  {
    name: "server",
    covers: "the server's modules without a database",
    runBy: "npm test",
    because: "rules without a database",
    files: [SERVER_TESTS],
    except: [SQL_TESTS, NATS_TESTS, KILL_TESTS],
  },
  {
    name: "contracts",
    covers: "the contracts, on a chain in the process",
    runBy: "npm test",
    because: "the contracts' rules",
    files: ["contracts/tests/**/*.test.ts"],
  },
  {
    name: "engine",
    covers: "order book, risk, funding and liquidation",
    runBy: "npm test",
    because: "the engine's rules, and every planted fault by short seeds",
    files: ["packages/engine/src/**/*.test.ts", "packages/engine-proof/src/**/*.test.ts"],
  },
  {
    name: "scripts",
    covers: "what the project's own commands are made of",
    runBy: "npm test",
    because: "quick, without starting the commands",
    files: ["scripts/**/*.test.ts"],
    except: COMMAND_TESTS,
  },
  {
    name: "money",
    covers: "exact decimal arithmetic",
    runBy: "npm test",
    because: "the arithmetic below every rule",
    files: ["packages/money/src/**/*.test.ts"],
  },
  {
    name: "api",
    covers: "schemas and types of the interface",
    runBy: "npm test",
    because: "quick",
    files: ["packages/api/src/**/*.test.ts"],
  },
  {
    name: "web",
    covers: "the web app's parts, without a browser",
    runBy: "npm test",
    because: "what pages compute, without a page",
    files: ["apps/web/src/**/*.test.ts"],
    preload: WEB_PRELOAD,
  },
  {
    name: "components",
    covers: "the web app's components, rendered into a document without a browser",
    runBy: "npm test",
    because: "what components do, without a browser",
    files: ["apps/web/src/**/*.test.tsx"],
    preload: WEB_PRELOAD,
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
  {
    name: "commands",
    covers: "the test command, the replay command and the bootstrap, as processes",
    runBy: "npm run test:all",
    because: "machinery: they start npm and whole test runs",
    files: [...COMMAND_TESTS, BOOTSTRAP_TESTS],
  },
  {
    name: "sql-postgresql",
    covers: "what statements do, on a PostgreSQL server",
    runBy: "npm run test:all",
    because: "repetition on the second database, with long seeds, and what needs several sessions",
    files: [SQL_TESTS],
    except: BEFORE_SQL_TESTS,
    env: { TEST_DATABASE: "postgresql", ...LONG_SEEDS },
    sharedMemory_bytes: SQL_SHARED_MEMORY_BYTES,
    needs: ["postgresql"],
  },
  {
    name: "depth",
    covers: "the engine, its previews, the contracts and the chain's index on many seeds",
    runBy: "npm run test:all",
    because: "repetition: long seeds of what `npm test` runs with short ones",
    files: [
      "packages/engine-proof/src/{book,differential}/differential.test.ts",
      "packages/engine-proof/src/properties/properties.test.ts",
      "packages/engine/src/preview/rehearsal.test.ts",
      "contracts/tests/invariants.test.ts",
      "apps/server/src/chain/indexer/simulation.test.ts",
    ],
    env: LONG_SEEDS,
  },
  {
    name: "kills",
    covers: "the chain's log and the journal, written by a process that is killed at random moments",
    runBy: "npm run test:all",
    because: "machinery: what recovery does has tests of its own",
    files: [KILL_TESTS],
  },
  {
    name: "system",
    covers: "whole processes: start, restart, kill, refusal",
    runBy: "npm run test:all",
    because: "machinery: processes that are killed at random moments",
    files: ["tests/system/**/*.test.ts"],
    except: [BOOTSTRAP_TESTS],
    timeout_ms: LONG_TIMEOUT_MS,
    sharedMemory_bytes: OWN_PROCESS_BYTES,
    usesWebApp: true,
  },
  {
    name: "fuzz",
    covers: "malformed input and damaged files, a short run of `npm run fuzz`",
    runBy: "npm run test:all",
    because: "repetition: generated input for rules that have tests of their own",
    files: ["tests/fuzz/**/*.test.ts"],
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
  {
    name: "simulation",
    covers: "the whole platform on seeds with faults, held against an auditor; bugs that it must see",
    runBy: "npm run test:all",
    because: "repetition: long seeds over rules that have tests of their own",
    files: ["tests/simulation/**/*.test.ts"],
    timeout_ms: LONG_TIMEOUT_MS,
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
  {
    name: "conformance",
    covers: "published exchange clients, unmodified, against the server",
    runBy: "npm run test:all",
    because: "machinery: real bot clients against a server in a process of its own",
    files: ["tests/conformance/**/*.test.ts"],
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
  {
    name: "nats",
    covers: "the distributed log and bus on a NATS server",
    runBy: "npm run test:all",
    because: "machinery: needs a NATS server",
    files: [NATS_TESTS],
    needs: ["nats"],
    isOptional: true,
  },
  {
    name: "cluster",
    covers: "a distributed exchange whose parts are killed, and clients against it",
    runBy: "npm run test:all",
    because: "machinery: a dozen processes and three services",
    files: ["tests/cluster/**/*.test.ts", "tests/conformance/{connector,order-entry,user-streams}.test.ts"],
    env: { CONFORMANCE_ON: "cluster" },
    needs: ["postgresql", "nats-server", "redis"],
    isSerial: true,
    timeout_ms: LONG_TIMEOUT_MS,
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
  {
    name: "browser",
    covers: "the web app in a browser",
    runBy: "npm run test:all",
    because: "machinery: needs Chromium",
    files: ["tests/e2e/**/*.test.ts"],
    needs: ["chromium"],
    usesWebApp: true,
    isSerial: true,
    timeout_ms: LONG_TIMEOUT_MS,
    sharedMemory_bytes: OWN_PROCESS_BYTES,
  },
];

const expand = (root: string, patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root }).map((path) => path.split(sep).join("/"));

/** The suite's test files, from the project's root, in a fixed order. */
export function filesOf(root: string, suite: Suite): readonly string[] {
  const excepted = new Set(expand(root, suite.except ?? []));
  return expand(root, suite.files)
    .filter((file) => !excepted.has(file))
    .sort();
}
