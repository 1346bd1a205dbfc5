/**
 * Databases with all migrations in them, from which test databases are copied: running a hundred migrations takes longer
 * than most tests. They live for one run of the test command (TEST_TEMPLATES names its folder), so none outlives the
 * sources it was made from; where there is no such run, every test database runs its migrations.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Kysely, PGliteDialect } from "kysely";
import pg from "pg";
import { systemRandom } from "../random.ts";
import { type Migrations, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";
import type { KernelTables } from "./tables.ts";

/** The address of a PostgreSQL server on which tests may create databases. */
export const testServerUrl = (): string =>
  process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

export const testDatabaseUrl = (name: string): string => {
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return url.href;
};

export const randomName = () => systemRandom.bytes(8).toString("hex");

export async function onTestServer<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

const templatesFolder = () => process.env["TEST_TEMPLATES"];
const keyOf = (migrations: Migrations) =>
  createHash("sha256").update(Object.keys(migrations).sort().join("\n")).digest("hex").slice(0, 16);

/** A dump of an embedded database with these migrations; undefined outside of a run. */
export async function embeddedTemplateOf(migrations: Migrations, base: string): Promise<string | undefined> {
  const folder = templatesFolder();
  if (folder === undefined) return undefined;
  const file = join(folder, `${keyOf(migrations)}.tar`);
  if (existsSync(file)) return file;
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create({ dataDir: "memory://", loadDataDir: new Blob([await readFile(base)]) });
  const db = new Kysely<KernelTables>({ dialect: new PGliteDialect({ pglite }) });
  await runMigrations(db, migrations);
  await pglite.exec("checkpoint");
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  // Test files that start together may each make one; the last complete one stays.
  const unfinished = `${file}.${randomName()}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, file);
  return file;
}

const PREFIX = "bourse_template_";
const MADE = ".made";

/** The name of a database with these migrations on the test server; undefined outside of a run. */
export async function postgresqlTemplateOf(migrations: Migrations): Promise<string | undefined> {
  const folder = templatesFolder();
  if (folder === undefined) return undefined;
  const name = `${PREFIX}${basename(folder)
    .replaceAll(/[^a-z0-9]/gi, "")
    .toLowerCase()}_${keyOf(migrations)}`;
  const note = join(folder, `${name}${MADE}`);
  if (existsSync(note)) return name;
  await onTestServer(async (client) => {
    // Of test files that start together one makes it, and the others wait.
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    if (existsSync(note)) return;
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name} template template0`);
    const database = await openPostgresql(testDatabaseUrl(name));
    await runMigrations(database.db, migrations).finally(() => database.close());
    await writeFile(note, "");
  });
  return name;
}

/** Removes what a run has made on the test server. */
export async function dropTemplates(folder: string): Promise<void> {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith(MADE) ? [file.slice(0, -MADE.length)] : []));
  if (names.length === 0) return;
  await onTestServer(async (client) => {
    for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
  });
}
