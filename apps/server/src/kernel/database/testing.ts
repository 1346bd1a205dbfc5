/** Databases for tests: each test file opens its own, empty but for the migrations, and closes it. */
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import pg from "pg";
import { systemRandom } from "../random.ts";
import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/open.ts";
import { kernelMigrations } from "./kernel-migrations.ts";
import { type Migrations, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";

export interface TestDatabase extends Database {
  /** Where a second process would find the same database; none on the embedded one, which has a single session. */
  readonly databaseUrl: string | undefined;
}

/**
 * A test that needs several sessions or processes on one database: part of the run on a PostgreSQL server, and no part
 * of the run on the embedded database, which has a single session.
 */
export function itOnServer(name: string, test: () => Promise<void>): void {
  if (process.env["TEST_DATABASE"] === "postgresql") it(name, test);
}

/** Where a second process finds the database of a test that runs on a server. */
export function urlOf({ databaseUrl }: TestDatabase): string {
  if (databaseUrl === undefined) throw new Error("the embedded database belongs to one process");
  return databaseUrl;
}

const randomName = () => systemRandom.bytes(8).toString("hex");

/** The address of a PostgreSQL server on which tests may create databases. */
const testServerUrl = (): string => process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

function pgliteVersion(): string {
  const manifest = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
  return String(JSON.parse(readFileSync(manifest, "utf8")).version);
}

/** A dump of a database fresh from its creation, made once per machine: it opens in a tenth of the time. */
export async function embeddedTemplate(): Promise<string> {
  const file = join(tmpdir(), `bourse-test-template-${userInfo().username}-${pgliteVersion()}.tar`);
  if (existsSync(file)) return file;
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create("memory://");
  await pglite.exec("checkpoint");
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  // Test files that start together may each make one; the last complete one stays.
  const unfinished = `${file}.${randomName()}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, file);
  return file;
}

async function onTestServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Why tests of a PostgreSQL server are skipped here; false when there is one. */
export async function postgresqlServerMissing(): Promise<string | false> {
  try {
    await onTestServer("select 1");
    return false;
  } catch (error) {
    // Whoever asks for the server means it: then its absence is a failure of the tests themselves.
    if (process.env["TEST_DATABASE"] === "postgresql") throw error;
    return "no PostgreSQL server to test with (see TEST_DATABASE_URL)";
  }
}

/** Creates a PostgreSQL database for one test and gives its address and the way to remove it. */
export async function createPostgresqlDatabase(): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `bourse_test_${randomName()}`;
  await onTestServer(`create database ${name} template template0`);
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, drop: () => onTestServer(`drop database if exists ${name} with (force)`) };
}

async function openEmpty(): Promise<TestDatabase> {
  if (process.env["TEST_DATABASE"] !== "postgresql") {
    const database = await openEmbedded({ folder: undefined, templateFile: await embeddedTemplate() });
    return { ...database, databaseUrl: undefined };
  }
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  const database = await openPostgresql(databaseUrl);
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, databaseUrl, close };
}

/**
 * The embedded database, or with `TEST_DATABASE=postgresql` a database of its own on a PostgreSQL server. It holds the
 * kernel's tables and those of the migrations given.
 */
export async function openTestDatabase(migrations: Migrations = {}): Promise<TestDatabase> {
  const database = await openEmpty();
  try {
    await runMigrations(database.db, { ...kernelMigrations, ...migrations });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
