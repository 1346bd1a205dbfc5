import { join } from "node:path";
import type { Owner } from "./cleanup.ts";
import { makeDataDir } from "./databases.ts";
import { makeTempDir } from "./files.ts";
import { freePort } from "./ports.ts";
import { type Exit, nodeFlags, type RunningProcess, startProcess } from "./processes.ts";
import { waitFor } from "./waiting.ts";

export interface ServerOptions {
  /** Usually the test's context: the server stops with it. Without one it stops with this process. */
  readonly owner?: Owner;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A folder to start from again; without it the server gets its own (`makeDataDir`), removed afterwards. */
  readonly dataDir?: string;
  /** The sources to start from; without it these. */
  readonly root?: string;
  /** If false, `exited` and `output` can be used for a server that is expected to refuse to start. */
  readonly waitReady?: boolean;
  readonly timeout_ms?: number;
}

export interface RunningServer extends RunningProcess {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
}

const START_TIMEOUT_MS = 60_000;
const projectRoot = join(import.meta.dirname, "..", "..");

// A developer's shell settings must not change what a test sees.
const SETTINGS_THAT_CHANGE_THE_SERVER = ["DATABASE_URL", "NATS_URL", "CHAIN_RPC_URL", "CHAIN_ID", "BOURSE_ENV", "DEMO"];
/** Demo history takes time to make; the tests that need it ask for it. */
const NO_PAST = { DEMO_HISTORY_DAYS: "0" };

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch (error) {
    // Nothing listens yet, or it is too busy with its start to answer: both mean "ask again".
    if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return false;
    throw error;
  }
}

async function waitUntilReady(server: RunningServer, timeout_ms: number): Promise<void> {
  let exit: Exit | undefined;
  server.exited.then((value) => {
    exit = value;
  });
  try {
    await waitFor(async () => exit !== undefined || (await isReady(server.baseUrl)), {
      timeout_ms,
      what: "the server to be ready",
    });
  } catch (error) {
    throw new Error(`the server did not get ready:\n${server.output()}`, { cause: error });
  }
  if (exit !== undefined) {
    throw new Error(`the server ended (code ${exit.code}, signal ${exit.signal}) too early:\n${server.output()}`);
  }
}

/** Starts the whole server as a separate process on a free loopback port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const isEmbedded = options.env?.["DATABASE_URL"] === undefined;
  const dataDir = options.dataDir ?? (await (isEmbedded ? makeDataDir : makeTempDir)(options.owner));
  const port = await freePort();
  const unset = Object.fromEntries(SETTINGS_THAT_CHANGE_THE_SERVER.map((name) => [name, undefined]));
  const running = startProcess(process.execPath, [...nodeFlags(), "apps/server/src/main.ts"], {
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    cwd: options.root ?? projectRoot,
    env: { ...unset, ...NO_PAST, HOST: "127.0.0.1", PORT: String(port), DATA_DIR: dataDir, ...options.env },
    hasChannel: true,
  });
  const server: RunningServer = { ...running, baseUrl: `http://127.0.0.1:${port}`, port, dataDir };
  if (options.waitReady === false) return server;
  try {
    await waitUntilReady(server, options.timeout_ms ?? START_TIMEOUT_MS);
  } finally {
    // Only the end of this process stops it, so it must not keep this process alive.
    if (options.owner === undefined) server.unref();
  }
  return server;
}
