import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { type Owner, onCleanup } from "./cleanup.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/**
 * The settings for an empty database that is removed when the owner ends. For tests of something else than databases: on
 * a PostgreSQL server where there is one, since a server starts on it in half the time.
 */
export async function quickDatabase(owner: Owner): Promise<Readonly<Record<string, string>>> {
  if ((await postgresqlServerMissing()) !== false) return {};
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  onCleanup(owner, drop);
  return { DATABASE_URL: databaseUrl };
}

export interface ProxiedDatabase {
  readonly proxy: TcpProxy;
  /** Through the proxy. */
  readonly proxiedUrl: string;
  /** Past it. */
  readonly databaseUrl: string;
}

/** An empty database on the PostgreSQL server behind a relay, as far away as is said; removed when the owner ends. */
export async function proxiedDatabase(owner: Owner, latency_ms = 0): Promise<ProxiedDatabase> {
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  onCleanup(owner, drop);
  const url = new URL(databaseUrl);
  const proxy = await TcpProxy.open(owner, { host: url.hostname, port: Number(url.port || "5432"), latency_ms });
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { proxy, proxiedUrl: url.href, databaseUrl };
}
