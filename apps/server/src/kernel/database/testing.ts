/** Databases for tests: each test file opens its own, which contains only the migrations, and closes it. */
import { it } from "node:test";
import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/open.ts";
import { embeddedTemplate } from "./embedded/testing/templates.ts";
import { databaseThread } from "./embedded/testing/threads.ts";
import { kernelMigrations } from "./kernel-migrations.ts";
import { type Migrations, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";
import {
  embeddedTemplateOf,
  onTestServer,
  postgresqlTemplateOf,
  randomName,
  testDatabaseUrl,
} from "./test-templates.ts";

export interface TestDatabase extends Database {
  /** The URL for a second process; undefined on the embedded database, which has a single session. */
  readonly databaseUrl: string | undefined;
}

/**
 * A test that needs several sessions or processes on one database. It runs on a PostgreSQL server only, because the embedded
 * database has a single session.
 */
export function itOnServer(name: string, test: () => Promise<void>): void {
  if (process.env["TEST_DATABASE"] === "postgresql") it(name, test);
}

/** The URL of the test's database for a second process, on a server. */
export function urlOf({ databaseUrl }: TestDatabase): string {
  if (databaseUrl === undefined) throw new Error("the embedded database belongs to one process");
  return databaseUrl;
}

/** Why tests of a PostgreSQL server are skipped here; false if there is one. */
export async function postgresqlServerMissing(): Promise<string | false> {
  try {
    await onTestServer((client) => client.query("select 1"));
    return false;
  } catch (error) {
    // If the server is requested explicitly, its absence is a failure.
    if (process.env["TEST_DATABASE"] === "postgresql") throw error;
    return "no PostgreSQL server to test with (see TEST_DATABASE_URL)";
  }
}

/** Creates a PostgreSQL database for one test; returns its URL and a function to remove it. */
export async function createPostgresqlDatabase(
  template = "template0",
): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `bourse_test_${randomName()}`;
  await onTestServer(async (client) => {
    await client.query(`create database ${name} template ${template}`);
    // The test server does not crash during a test: waiting for the disk takes half of a commit's time and proves nothing.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  const drop = async () => {
    await onTestServer((client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { databaseUrl: testDatabaseUrl(name), drop };
}

async function openEmbeddedFrom(templateFile: string): Promise<TestDatabase> {
  const thread = await databaseThread(templateFile);
  return { ...(await openEmbedded({ folder: undefined, thread })), databaseUrl: undefined };
}

async function openOnServer(template?: string): Promise<TestDatabase> {
  const { databaseUrl, drop } = await createPostgresqlDatabase(template);
  const database = await openPostgresql(databaseUrl);
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, databaseUrl, close };
}

/**
 * The embedded database, or with `TEST_DATABASE=postgresql` a new database on a PostgreSQL server. It contains the kernel's tables
 * and those of the given migrations.
 */
export async function openTestDatabase(migrations: Migrations = {}): Promise<TestDatabase> {
  const all = { ...kernelMigrations, ...migrations };
  const isOnServer = process.env["TEST_DATABASE"] === "postgresql";
  const template = await (isOnServer ? postgresqlTemplateOf(all) : embeddedTemplateOf(all));
  if (template !== undefined) return await (isOnServer ? openOnServer : openEmbeddedFrom)(template);
  const database = isOnServer ? await openOnServer() : await openEmbeddedFrom(await embeddedTemplate());
  try {
    await runMigrations(database.db, all, undefined, { withContracts: true });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
