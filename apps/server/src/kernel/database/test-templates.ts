/**
 * Databases with all migrations, from which test databases are copied: running a hundred migrations takes longer than most tests.
 * They exist for one run of the test command (TEST_TEMPLATES names its folder), so none outlives its sources; without such a run
 * every test database runs its migrations.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import pg from "pg";
import { systemRandom } from "../random.ts";
import { openEmbedded } from "./embedded/open.ts";
import { embeddedProgram, embeddedTemplate, saveTemplate } from "./embedded/testing/templates.ts";
import { type Migrations, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";
import type { KernelTables } from "./tables.ts";

/** The URL of a PostgreSQL server on which tests may create databases. */
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

/** Running fewer migrations is faster than making a template. */
const MIN_MIGRATIONS = 10;

/** The folder of this run's templates; undefined without a run, or if these migrations need none. */
const templatesFolder = (migrations: Migrations) =>
  Object.keys(migrations).length < MIN_MIGRATIONS ? undefined : process.env["TEST_TEMPLATES"];
const keyOf = (migrations: Migrations) =>
  createHash("sha256").update(Object.keys(migrations).sort().join("\n")).digest("hex").slice(0, 16);

/** A dump of an embedded database with these migrations; undefined if they must be run. */
export async function embeddedTemplateOf(migrations: Migrations): Promise<string | undefined> {
  const folder = templatesFolder(migrations);
  if (folder === undefined) return undefined;
  const file = join(folder, `${keyOf(migrations)}.tar`);
  if (existsSync(file)) return file;
  const base = new Blob([await readFile(await embeddedTemplate())]);
  const pglite = await PGlite.create({
    dataDir: "memory://",
    pgliteWasmModule: await embeddedProgram(),
    loadDataDir: base,
  });
  const db = new Kysely<KernelTables>({ dialect: new PGliteDialect({ pglite }) });
  await runMigrations(db, migrations, undefined, { withContracts: true });
  await saveTemplate(file, pglite);
  await pglite.close();
  return file;
}

async function isFirstToMake(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * A folder to copy, with an embedded database with these migrations as a first start makes it; undefined if the server should make
 * its own.
 */
export async function databaseFolderOf(migrations: Migrations): Promise<string | undefined> {
  const folder = templatesFolder(migrations);
  if (folder === undefined) return undefined;
  const place = join(folder, `${keyOf(migrations)}.folder`);
  if (existsSync(place)) return place;
  const unfinished = join(folder, `${keyOf(migrations)}.unfinished`);
  // Of test files that start together one makes it, and the others do without.
  if (!(await isFirstToMake(unfinished))) return undefined;
  const database = await openEmbedded({ folder: join(unfinished, "database"), program: await embeddedProgram() });
  await runMigrations(database.db, migrations, undefined, { withContracts: true }).finally(() => database.close());
  await rename(join(unfinished, "database"), place);
  return place;
}

const PREFIX = "bourse_template_";
const MADE = ".made";

/** The name of a database with these migrations on the test server; undefined if they must be run. */
export async function postgresqlTemplateOf(migrations: Migrations): Promise<string | undefined> {
  const folder = templatesFolder(migrations);
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
    await runMigrations(database.db, migrations, undefined, { withContracts: true }).finally(() => database.close());
    await writeFile(note, "");
  });
  return name;
}

/** Removes a run's databases from the test server. */
export async function dropTemplates(folder: string): Promise<void> {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith(MADE) ? [file.slice(0, -MADE.length)] : []));
  if (names.length === 0) return;
  await onTestServer(async (client) => {
    for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
  });
}
