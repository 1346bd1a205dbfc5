import { cp } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../apps/server/src/compose/migrations.ts";
import { databaseFolderOf, postgresqlTemplateOf } from "../../apps/server/src/kernel/database/test-templates.ts";
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
