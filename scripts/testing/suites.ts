import { globSync } from "node:fs";
import { sep } from "node:path";
import type { Need } from "./needs.ts";

export interface Suite {
  readonly name: string;
  readonly covers: string;
  /** Patterns from the project's root. The suite of checks has none: it runs tools instead of test files. */
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: readonly Need[];
  /** Its servers are asked for the web app, which is built before. */
  readonly usesWebApp?: boolean;
  /** A module from the project's root that every file of the suite begins with. */
  readonly preload?: string;
  /** How many files run side by side. */
  readonly concurrency?: number;
  /** Files run one after the other in a process, which loads the sources once, until it holds more memory than this. */
  readonly sharedMemory_bytes?: number;
  readonly timeout_ms?: number;
  /** No files yet is no mistake. */
  readonly isOptional?: boolean;
}

export const CHECK_SUITE_NAME = "check";
export const DEFAULT_CONCURRENCY = 2;
export const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/** Hundreds of files, many of which start a whole platform. */
const SQL_TIMEOUT_MS = 40 * 60_000;

/** Dozens of starts, restarts and kills of the whole server. */
const SYSTEM_TIMEOUT_MS = 30 * 60_000;

/** A dozen and a half short seeds, each with restarts of the whole platform. */
const SIMULATION_TIMEOUT_MS = 15 * 60_000;

/** A browser and a server for every file, one after the other. */
const BROWSER_TIMEOUT_MS = 20 * 60_000;

const SERVER_TESTS = "apps/server/src/**/*.test.ts";
const SQL_TESTS = "apps/server/src/**/*.sql.test.ts";
const NATS_TESTS = "apps/server/src/**/*.nats.test.ts";

export const suites: readonly Suite[] = [
  { name: CHECK_SUITE_NAME, covers: "format, lint and types of the whole project", files: [] },
  { name: "scripts", covers: "the project's own commands", files: ["scripts/**/*.test.ts"] },
  { name: "money", covers: "exact decimal arithmetic", files: ["packages/money/src/**/*.test.ts"] },
  { name: "engine", covers: "order book, risk, funding and liquidation", files: ["packages/engine/src/**/*.test.ts"] },
  { name: "api", covers: "schemas and types of the interface", files: ["packages/api/src/**/*.test.ts"] },
  {
    name: "web",
    covers: "the web app's parts, without a browser",
    files: ["apps/web/src/**/*.test.ts", "apps/web/src/**/*.test.tsx"],
    preload: "apps/web/testing/register.ts",
  },
  {
    name: "contracts",
    covers: "the contracts, on a chain in the process",
    files: ["contracts/tests/**/*.test.ts"],
  },
  {
    name: "server",
    covers: "the server's modules without a database",
    files: [SERVER_TESTS],
    except: [SQL_TESTS, NATS_TESTS],
    // Some of them make so much garbage that a process with much in it would do little else than look through it.
    sharedMemory_bytes: 400_000_000,
  },
  {
    name: "sql-embedded",
    covers: "everything that speaks SQL, on the embedded database",
    files: [SQL_TESTS],
    env: { TEST_DATABASE: "embedded" },
    sharedMemory_bytes: 1_500_000_000,
    timeout_ms: SQL_TIMEOUT_MS,
  },
  {
    name: "sql-postgresql",
    covers: "the same on a PostgreSQL server",
    files: [SQL_TESTS],
    env: { TEST_DATABASE: "postgresql" },
    sharedMemory_bytes: 1_500_000_000,
    timeout_ms: SQL_TIMEOUT_MS,
    needs: ["postgresql"],
  },
  {
    name: "nats",
    covers: "the distributed log and bus on a NATS server",
    files: [NATS_TESTS],
    needs: ["nats"],
    isOptional: true,
  },
  {
    name: "system",
    covers: "whole processes: start, restart, kill, refusal, bootstrap",
    files: ["tests/system/**/*.test.ts"],
    timeout_ms: SYSTEM_TIMEOUT_MS,
    usesWebApp: true,
  },
  {
    name: "security",
    covers: "who reaches what, hostile input, and where secrets are told",
    files: ["tests/security/**/*.test.ts"],
    env: { TEST_DATABASE: "embedded" },
    timeout_ms: SYSTEM_TIMEOUT_MS,
    usesWebApp: true,
  },
  {
    name: "fuzz",
    covers: "what nobody should send and files that nobody should damage, a short run of `npm run fuzz`",
    files: ["tests/fuzz/**/*.test.ts"],
  },
  {
    name: "simulation",
    covers: "the whole platform on seeds with faults, held against an auditor; bugs that it must see",
    files: ["tests/simulation/**/*.test.ts"],
    timeout_ms: SIMULATION_TIMEOUT_MS,
  },
  {
    name: "conformance",
    covers: "published exchange clients, unmodified, against the server",
    files: ["tests/conformance/**/*.test.ts"],
  },
  {
    name: "cluster",
    covers: "a distributed exchange whose parts are killed, and clients against it",
    files: ["tests/cluster/**/*.test.ts", "tests/conformance/{connector,user-streams}.test.ts"],
    env: { CONFORMANCE_ON: "cluster" },
    needs: ["postgresql", "nats-server", "redis"],
    concurrency: 1,
    timeout_ms: SYSTEM_TIMEOUT_MS,
  },
  {
    name: "browser",
    covers: "the web app in a browser",
    files: ["tests/e2e/**/*.test.ts"],
    needs: ["chromium"],
    usesWebApp: true,
    concurrency: 1,
    timeout_ms: BROWSER_TIMEOUT_MS,
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
