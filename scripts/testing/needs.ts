import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A service or program some suites need and not every machine has. */
export type Need = "postgresql" | "nats" | "nats-server" | "redis" | "chromium";

export type Availability =
  | { readonly isAvailable: true; readonly env: Readonly<Record<string, string>> }
  | { readonly isAvailable: false; readonly reason: string };

const PROBE_TIMEOUT_MS = 5_000;
const DEFAULT_DATABASE_URL = "postgres://postgres@127.0.0.1:5432/test";
const DEFAULT_NATS_URL = "nats://127.0.0.1:4222";
const BROWSER_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

type Environment = Readonly<Record<string, string | undefined>>;

function messageOf(error: unknown): string {
  // Node reports a refused connection to a name with several addresses as an AggregateError without a message.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** Signs in and runs a query: an open port alone does not show that the tests can use the server. */
async function probePostgresql(root: string, env: Environment): Promise<Availability> {
  const url = env["TEST_DATABASE_URL"] ?? DEFAULT_DATABASE_URL;
  // The driver is the server's dependency, so it is resolved from there.
  const { Client } = createRequire(join(root, "apps/server/package.json"))("pg") as typeof import("pg");
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  try {
    await client.connect();
    await client.query("select 1");
    return { isAvailable: true, env: { TEST_DATABASE_URL: url } };
  } catch (error) {
    const { host, pathname } = new URL(url);
    return { isAvailable: false, reason: `no PostgreSQL at ${host}${pathname}: ${messageOf(error)}` };
  } finally {
    await client.end();
  }
}

interface TextService {
  readonly name: string;
  /** The variable that overrides the default URL. */
  readonly variable: string;
  readonly usualUrl: string;
  readonly usualPort: string;
  /** The text that is sent, and how the answer begins. */
  readonly question: string;
  readonly answer: string;
}

const NATS: TextService = {
  name: "NATS",
  variable: "TEST_NATS_URL",
  usualUrl: DEFAULT_NATS_URL,
  usualPort: "4222",
  // A NATS server sends first.
  question: "",
  answer: "INFO ",
};

const REDIS: TextService = {
  name: "Redis",
  variable: "TEST_REDIS_URL",
  usualUrl: "redis://127.0.0.1:6379",
  usualPort: "6379",
  question: "PING\r\n",
  answer: "+PONG",
};

/** An open port alone does not show which service listens: the first bytes of its answer do. */
async function probeText(service: TextService, env: Environment): Promise<Availability> {
  const { name, variable, usualUrl, usualPort, question, answer } = service;
  const url = env[variable] ?? usualUrl;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port || usualPort) });
  const greeting = new Promise<string>((resolve, reject) => {
    socket.setEncoding("utf8").once("data", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
  socket.write(question);
  try {
    const text = await Promise.race([greeting, sleep(PROBE_TIMEOUT_MS, "", { ref: false })]);
    if (text.startsWith(answer)) return { isAvailable: true, env: { [variable]: url } };
    return { isAvailable: false, reason: `what listens at ${hostname}:${port} does not answer like ${name}` };
  } catch (error) {
    return { isAvailable: false, reason: `no ${name} server at ${hostname}:${port}: ${messageOf(error)}` };
  } finally {
    socket.destroy();
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const foldersOf = (env: Environment) => (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");

/** The program itself, for tests that start and kill their own servers. */
export function findNatsServer(env: Environment): Availability {
  const found = foldersOf(env).some((folder) => isExecutable(join(folder, "nats-server")));
  if (found) return { isAvailable: true, env: {} };
  return { isAvailable: false, reason: "no nats-server on PATH: apt-get install -y nats-server" };
}

/** The browser for tests: CHROME_PATH or CHROMIUM_PATH, else the first one that is installed. */
export function findChromium(env: Environment): Availability {
  const variable = ["CHROME_PATH", "CHROMIUM_PATH"].find((name) => (env[name] ?? "") !== "");
  const chosen = variable === undefined ? undefined : env[variable];
  const installed = foldersOf(env).flatMap((folder) => BROWSER_NAMES.map((name) => join(folder, name)));
  const found = (chosen === undefined ? installed : [chosen]).find(isExecutable);
  if (found !== undefined) return { isAvailable: true, env: { CHROME_PATH: found } };
  const reason =
    chosen === undefined
      ? "no Chromium on PATH: apt-get install -y chromium, or set CHROME_PATH or CHROMIUM_PATH to a Chrome's file"
      : `${variable} ${chosen} does not run`;
  return { isAvailable: false, reason };
}

/** Checks whether a need is met here; `env` of the answer has the settings for the tests. */
export async function probeNeed(need: Need, root: string, env: Environment): Promise<Availability> {
  switch (need) {
    case "postgresql":
      return probePostgresql(root, env);
    case "nats":
      return probeText(NATS, env);
    case "redis":
      return probeText(REDIS, env);
    case "nats-server":
      return findNatsServer(env);
    case "chromium":
      return findChromium(env);
  }
}
