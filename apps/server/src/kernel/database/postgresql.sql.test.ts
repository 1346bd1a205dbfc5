import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { proxiedDatabase, replaceDatabase } from "../../../../../tests/support/databases.ts";
import type { Database } from "./database.ts";
import { openPostgresql } from "./postgresql.ts";
import { createPostgresqlDatabase, postgresqlServerMissing } from "./testing.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

const pidOf = async (db: Database["db"]) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid;
};

describe("PostgreSQL server", { skip: await postgresqlServerMissing() }, () => {
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let database: Database;
  const background: Error[] = [];
  before(async () => {
    ({ databaseUrl, drop } = await createPostgresqlDatabase());
    database = await openPostgresql(databaseUrl, { onBackgroundError: (error) => background.push(error) });
  });
  after(async () => {
    await database.close();
    await drop();
  });

  it("connections that break while idle are reported and replaced", async () => {
    const other = await openPostgresql(databaseUrl);
    const pid = await pidOf(database.db);
    await sql`select pg_terminate_backend(${pid}::int, 5000)`.execute(other.db);
    // A caller notices only the report; the connection is replaced.
    while (background.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(background[0]?.message ?? "", /terminat/);
    assert.notEqual(await pidOf(database.db), pid);
    await other.close();
  });

  it("a connection that breaks inside a transaction fails that transaction and nothing else", async () => {
    const other = await openPostgresql(databaseUrl);
    const transaction = database.db.transaction().execute(async (tx) => {
      const pid = await pidOf(tx);
      await sql`select pg_terminate_backend(${pid}::int, 5000)`.execute(other.db);
      await sql`select 1`.execute(tx);
    });
    await assert.rejects(transaction, /terminat|connection/i);
    await database.ping(5_000);
    await other.close();
  });

  it("a connection that says nothing any more is given up, and the next one is used", async (t) => {
    const { proxy, proxiedUrl } = await proxiedDatabase(t);
    const distant = await openPostgresql(proxiedUrl, { silence_ms: 200 });
    const pid = await pidOf(distant.db);
    proxy.silence();
    await assert.rejects(pidOf(distant.db), DatabaseUnavailable);
    await proxy.restore();
    assert.notEqual(await pidOf(distant.db), pid);
    // A statement that lifts the limit for its session, as migrations do, is waited for.
    await distant.db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection);
      await sql`select pg_sleep(0.5)`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
      await assert.rejects(sql`select pg_sleep(5)`.execute(connection), DatabaseUnavailable);
    });
    await distant.close();
  });

  it("a server that is away is told from a statement that is wrong, and its address is not", async (t) => {
    const { proxy, proxiedUrl } = await proxiedDatabase(t);
    const distant = await openPostgresql(proxiedUrl);
    await assert.rejects(sql`select nothing_of_the_kind`.execute(distant.db), { code: "42703" });
    await proxy.cut();
    await assert.rejects(distant.ping(5_000), DatabaseUnavailable);
    await assert.rejects(distant.ping(5_000), { message: "the database cannot be reached (ECONNREFUSED)" });
    await proxy.restore();
    await distant.ping(5_000);
    await distant.close();
  });

  it("LOG-2: another database behind the same address is used only after the check, and never if that refuses", async (t) => {
    const { proxy, proxiedUrl, databaseUrl } = await proxiedDatabase(t);
    const refused = Promise.withResolvers<unknown>();
    const distant = await openPostgresql(proxiedUrl, { onRefused: refused.resolve });
    let checks = 0;
    let verdict: Error | undefined;
    distant.onServerChange?.(async (db) => {
      checks += 1;
      await assert.rejects(distant.ping(5_000), DatabaseUnavailable, "nothing else uses it meanwhile");
      await sql`select 1`.execute(db);
      if (verdict !== undefined) throw verdict;
    });
    const comeBack = async () => {
      while ((await distant.ping(5_000).catch((error: Error) => error)) instanceof Error) await setImmediate();
    };
    await proxy.cut();
    await assert.rejects(distant.ping(5_000), DatabaseUnavailable);
    await proxy.restore();
    await comeBack();
    assert.equal(checks, 0, "it is the same database");
    await replaceDatabase(databaseUrl);
    await comeBack();
    assert.equal(checks, 1);
    verdict = new Error("it is older");
    await replaceDatabase(databaseUrl);
    await assert.rejects(distant.ping(5_000), DatabaseUnavailable);
    assert.equal(await refused.promise, verdict);
    await assert.rejects(distant.ping(5_000), DatabaseUnavailable);
    await distant.close();
  });

  it("limits statements in time, but a session's own settings hold", async () => {
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement, current_setting('TimeZone') as zone,
             current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('application_name') as name`.execute(database.db);
    assert.deepEqual(rows, [{ statement: "1min", zone: "UTC", idle: "1min", name: "bourse" }]);
  });

  it("a server that cannot be used is named without the password", async () => {
    const url = new URL(databaseUrl);
    url.password = "s3cret";
    url.pathname = "/no_such_database";
    await assert.rejects(openPostgresql(url.href), (error: Error) => {
      assert.match(error.message, /^PostgreSQL at .*no_such_database cannot be used: /);
      assert.ok(!error.message.includes("s3cret"));
      return true;
    });
  });
});
