/** PostgreSQL by its own programs: only they write and read everything that a database can hold. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { sql } from "kysely";
import { openPostgresql } from "../kernel/database/postgresql.ts";
import { BackupFault, codeOf } from "./fault.ts";
import { megabytes, Progress, type Say } from "./files.ts";
import { type Marks, marksOf } from "./marks.ts";
import { type Positions, readPositions } from "./positions.ts";

const LOOK_EVERY_ms = 250;
/** The chain rarely writes; if it did so often, the last attempt counts. */
const MAX_ATTEMPTS = 50;

/** Dumps the database as it is at one instant, and says what it had seen and where log and chain ended then. */
export async function dumpPostgresql(
  databaseUrl: string,
  folder: string,
  file: string,
  say: Say,
): Promise<{ positions: Positions; marks: Marks | undefined }> {
  const database = await openPostgresql(databaseUrl);
  try {
    await runTool("pg_dump", ["--version"]);
    for (let attempt = 1; ; attempt += 1) {
      const dumped = await database.db
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (tx) => {
          const before = marksOf(folder);
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
          const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(tx);
          const marks = marksOf(folder);
          // A block in between could pay what the database has not decided yet.
          if (before?.chain_bytes !== marks?.chain_bytes && attempt < MAX_ATTEMPTS) return undefined;
          const positions = await readPositions(tx);
          const progress = new Progress(say, () => `dumping the database: ${megabytes(statSync(file).size)}`);
          const watch = setInterval(() => progress.add(0), LOOK_EVERY_ms);
          const format = ["--format=custom", "--no-owner", "--no-privileges"];
          await runTool("pg_dump", [...format, `--snapshot=${rows[0]!.id}`, `--file=${file}`], databaseUrl).finally(
            () => clearInterval(watch),
          );
          return { positions, marks };
        });
      if (dumped !== undefined) return dumped;
    }
  } finally {
    await database.close();
  }
}

/** All or nothing, in one transaction. */
export async function restorePostgresql(databaseUrl: string, file: string): Promise<void> {
  const options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
  await runTool("pg_restore", [...options, file], databaseUrl);
}

export async function assertPostgresqlIsEmpty(databaseUrl: string): Promise<void> {
  await runTool("pg_restore", ["--version"]);
  const database = await openPostgresql(databaseUrl);
  try {
    const { rows } = await sql<{ found: bigint }>`
      select count(*) as found from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname not like 'pg\\_%' and nspname <> 'information_schema'`.execute(database.db);
    if (rows[0]!.found === 0n) return;
    throw new BackupFault(`${database.description} is not empty: create a new database and set DATABASE_URL to it`);
  } finally {
    await database.close();
  }
}

/** The password goes by the environment, because arguments are visible to everybody on the machine. */
function withoutPassword(databaseUrl: string): { readonly args: string[]; readonly env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const env = url.password === "" ? {} : { PGPASSWORD: decodeURIComponent(url.password) };
  url.password = "";
  return { args: ["--dbname", url.href], env };
}

function runTool(name: "pg_dump" | "pg_restore", args: readonly string[], databaseUrl?: string): Promise<void> {
  const place = databaseUrl === undefined ? { args: [], env: {} } : withoutPassword(databaseUrl);
  return new Promise((resolve, reject) => {
    const child = spawn(name, [...place.args, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...place.env },
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("error", (error) => {
      const missing = `${name} is not on the PATH: install PostgreSQL's client programs, of the server's version or newer`;
      reject(codeOf(error) === "ENOENT" ? new BackupFault(missing) : error);
    });
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new BackupFault(`${name} ended with code ${code}: ${said.trim()}`));
    });
  });
}
