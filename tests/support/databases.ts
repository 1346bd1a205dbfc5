import { cp } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../apps/server/src/compose/migrations.ts";
import {
  databaseFolderOf,
  onTestServer,
  postgresqlTemplateOf,
} from "../../apps/server/src/kernel/database/test-templates.ts";
import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { type Owner, onCleanup } from "./cleanup.ts";
import { makeTempDir } from "./files.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/**
 * A folder for a server's data, removed when the owner ends. It contains only the embedded database of a first start,
 * whose creation takes most of a first start's time.
 */
export async function makeDataDir(owner?: Owner): Promise<string> {
  const folder = await makeTempDir(owner);
  const template = await databaseFolderOf(migrations);
  if (template !== undefined) await cp(template, join(folder, "database"), { recursive: true });
  return folder;
}

const newDatabase = async () => await createPostgresqlDatabase(await postgresqlTemplateOf(migrations));

/**
 * The settings for an empty database that is removed when the owner ends. For tests whose subject is not the database:
 * on a PostgreSQL server if there is one, because a server starts on it in half the time.
 */
export async function quickDatabase(owner: Owner): Promise<Readonly<Record<string, string>>> {
  if ((await postgresqlServerMissing()) !== false) return {};
  const { databaseUrl, drop } = await newDatabase();
  onCleanup(owner, drop);
  return { DATABASE_URL: databaseUrl };
}

export interface ProxiedDatabase {
  readonly proxy: TcpProxy;
  /** Through the proxy. */
  readonly proxiedUrl: string;
  /** Without the proxy. */
  readonly databaseUrl: string;
}

/** An empty database on the PostgreSQL server behind a relay with a latency; removed when the owner ends. */
export async function proxiedDatabase(owner: Owner, latency_ms = 0): Promise<ProxiedDatabase> {
  const { databaseUrl, drop } = await newDatabase();
  onCleanup(owner, drop);
  const url = new URL(databaseUrl);
  const proxy = await TcpProxy.open(owner, { host: url.hostname, port: Number(url.port || "5432"), latency_ms });
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { proxy, proxiedUrl: url.href, databaseUrl };
}

/** A copy of a database as it is now, to which nobody may be connected; removed when the owner ends. Returns its name. */
export async function copyDatabase(owner: Owner, databaseUrl: string): Promise<string> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = `${name}_copy`;
  await onTestServer((client) => client.query(`create database ${copy} template ${name}`));
  onCleanup(owner, async () => {
    await onTestServer((client) => client.query(`drop database if exists ${copy} with (force)`));
  });
  return copy;
}

/** Puts another database, or an empty one, in the place of a database, whose connections end. */
export async function replaceDatabase(databaseUrl: string, other?: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await onTestServer(async (client) => {
    await client.query(`drop database ${name} with (force)`);
    await client.query(other === undefined ? `create database ${name}` : `alter database ${other} rename to ${name}`);
  });
}
