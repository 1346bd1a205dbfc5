import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { join } from "node:path";
import { type Owner, onCleanup } from "./cleanup.ts";
import { makeTempDir } from "./files.ts";
import { freePort } from "./ports.ts";
import { type RunningProcess, runProcess, startProcess } from "./processes.ts";
import { waitFor } from "./waiting.ts";

const USER = "postgres";
const READY = { timeout_ms: 30_000, what: "the PostgreSQL server to answer" };

/** The first line that a program prints, or undefined if it cannot be run. */
function firstLine(command: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0] : undefined;
}

const programs = firstLine("sh", "-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1") ?? "";
const isRoot = process.getuid?.() === 0;

/** Why a test cannot have PostgreSQL servers of its own, or false. */
export function postgresqlProgramsMissing(): string | false {
  if (firstLine(join(programs, "initdb"), "--version") === undefined) return "PostgreSQL's programs are not installed";
  if (isRoot && firstLine("id", "-u", USER) === undefined)
    return `PostgreSQL does not run as root, and there is no user ${USER}`;
  return false;
}

/** Of a program of PostgreSQL, which refuses to run as root. `setpriv` becomes the program, so that signals reach it. */
function commandOf(program: string, args: readonly string[]): [string, string[]] {
  const path = join(programs, program);
  return isRoot
    ? ["setpriv", [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--", path, ...args]]
    : [path, [...args]];
}

async function run(program: string, args: readonly string[], owner: Owner): Promise<string> {
  const [command, all] = commandOf(program, args);
  const { code, output } = await runProcess(command, all, { owner, cwd: "/" });
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}`);
  return output;
}

async function makeFolder(owner: Owner): Promise<string> {
  const folder = await makeTempDir(owner);
  if (isRoot) chownSync(folder, Number(firstLine("id", "-u", USER)), Number(firstLine("id", "-g", USER)));
  return folder;
}

/** A PostgreSQL server of a test's own, which can be killed, copied as a standby and promoted. */
export class PostgresqlServer {
  readonly port: number;
  readonly #folder: string;
  readonly #owner: Owner;
  #running: RunningProcess | undefined;

  private constructor(owner: Owner, folder: string, port: number) {
    this.#owner = owner;
    this.#folder = folder;
    this.port = port;
    onCleanup(owner, () => this.kill());
  }

  /** A new, empty server. */
  static async start(owner: Owner): Promise<PostgresqlServer> {
    const folder = join(await makeFolder(owner), "data");
    await run("initdb", ["-D", folder, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"], owner);
    return await new PostgresqlServer(owner, folder, await freePort()).restart();
  }

  /** A standby that follows this server. */
  async startStandby(): Promise<PostgresqlServer> {
    const folder = join(await makeFolder(this.#owner), "data");
    const options = ["-R", "-X", "stream", "--checkpoint=fast", "--no-sync"];
    await run("pg_basebackup", ["-D", folder, ...this.#address, ...options], this.#owner);
    return await new PostgresqlServer(this.#owner, folder, await freePort()).restart();
  }

  get #address(): string[] {
    return ["-h", "127.0.0.1", "-p", String(this.port), "-U", USER];
  }

  async restart(): Promise<this> {
    const settings = ["fsync=off", "listen_addresses=127.0.0.1", "unix_socket_directories="];
    const [command, args] = commandOf("postgres", [
      ...["-D", this.#folder, "-p", String(this.port)],
      ...settings.flatMap((setting) => ["-c", setting]),
    ]);
    const running = startProcess(command, args, { owner: this.#owner, cwd: "/" });
    this.#running = running;
    const answers = () =>
      this.query("select 1").then(
        () => true,
        () => false,
      );
    await waitFor(answers, READY).catch((error: unknown) => {
      throw new Error(`the PostgreSQL server does not answer:\n${running.output()}`, { cause: error });
    });
    return this;
  }

  /** Like a machine that loses power. */
  async kill(): Promise<void> {
    await this.#running?.kill("SIGKILL");
    this.#running = undefined;
  }

  /** One value. */
  async query(text: string): Promise<string> {
    return (await run("psql", [...this.#address, "-d", USER, "-qAtc", text], this.#owner)).trim();
  }

  /** Waits until a standby has applied everything that this server has written. */
  async waitUntilFollowedBy(standby: PostgresqlServer): Promise<void> {
    const written = await this.query("select pg_current_wal_flush_lsn()");
    const hasAll = async () => (await standby.query(`select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`)) === "t";
    await waitFor(hasAll, { timeout_ms: 30_000, what: "the standby to follow" });
  }

  async promote(): Promise<void> {
    await this.query("select pg_promote()");
  }
}
