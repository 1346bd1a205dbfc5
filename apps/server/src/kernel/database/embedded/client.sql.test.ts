import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Kysely, PGliteDialect, sql } from "kysely";
import { EmbeddedClient } from "./client.ts";
import { openEmbedded } from "./open.ts";
import { embeddedTemplate } from "./testing/templates.ts";
import { doUpkeep } from "./upkeep.ts";

const fail = (error: Error) => assert.fail(error);

async function openClient(): Promise<EmbeddedClient> {
  const client = new EmbeddedClient({ folder: undefined, templateFile: await embeddedTemplate() }, fail);
  await client.waitReady;
  return client;
}

describe("embedded database", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "bourse-embedded-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("keeps its data in the folder", async () => {
    const place = join(folder, "kept", "database");
    const lines: string[] = [];
    const options = {
      folder: place,
      templateFile: await embeddedTemplate(),
      onProgress: (line: string) => lines.push(line),
    };
    const first = await openEmbedded(options);
    await sql`create table fact (n int)`.execute(first.db);
    await sql`insert into fact values (42)`.execute(first.db);
    await first.close();
    const second = await openEmbedded(options);
    assert.deepEqual((await sql`select n from fact`.execute(second.db)).rows, [{ n: 42 }]);
    await second.close();
    assert.deepEqual(lines, ["Creating the embedded database …"]);
  });

  it("a folder that cannot be used is an error when opening", async () => {
    const place = join(folder, "a-file");
    writeFileSync(place, "not a folder");
    await assert.rejects(openEmbedded({ folder: join(place, "database") }), /ENOTDIR|EEXIST/);
    await assert.rejects(
      openEmbedded({ folder: place, templateFile: "/nowhere.tar" }),
      /The embedded database cannot be opened: .*ENOENT/,
    );
  });

  it("when its thread dies, waiting calls and later ones fail, and transactions too", async () => {
    const client = await openClient();
    const db = new Kysely<Record<string, never>>({ dialect: new PGliteDialect({ pglite: client }) });
    const waiting = sql`select pg_sleep(30)`.execute(db);
    const behind = sql`select 1`.execute(db);
    const crash = assert.rejects(waiting, /The embedded database has stopped: its thread ended with code 1/);
    const crashBehind = assert.rejects(behind, /has stopped/);
    setTimeout(() => client.terminate(), 50);
    await crash;
    await crashBehind;
    await assert.rejects(sql`select 1`.execute(db), /has stopped/);
    const transaction = db.transaction().execute(async (tx) => await sql`select 1`.execute(tx));
    await assert.rejects(transaction, /has stopped/);
    await assert.rejects(
      db.transaction().execute(async () => "no statement"),
      /has stopped/,
    );
    await db.destroy();
  });

  it("a transaction has the session for itself, even from callers that do not go through Kysely", async () => {
    const client = await openClient();
    await client.query("create table fact (n int)");
    let outside: Promise<unknown> | undefined;
    const refused = client.transaction(async (tx) => {
      await tx.query("insert into fact values (1)");
      outside = client.query("insert into fact values (2)");
      await tx.query("insert into fact values (3)");
      throw new Error("no");
    });
    await assert.rejects(refused, /^Error: no$/);
    await outside;
    assert.deepEqual((await client.query("select n from fact")).rows, [{ n: 2 }]);
    await client.close();
  });

  it("after closing, calls fail; closing again does nothing", async () => {
    const client = await openClient();
    const last = client.query("select 1");
    await client.close();
    assert.equal((await last).rows.length, 1);
    await assert.rejects(client.query("select 1"), /is closed/);
    await client.close();
  });

  it("an open database does not keep the process alive", () => {
    const program = `
      import { openEmbedded } from ${JSON.stringify(new URL("./open.ts", import.meta.url).href)};
      import { embeddedTemplate } from ${JSON.stringify(new URL("./testing/templates.ts", import.meta.url).href)};
      const database = await openEmbedded({ folder: undefined, templateFile: await embeddedTemplate() });
      await database.ping(10000);
      console.log("done");`;
    const file = join(folder, "left-open.ts");
    writeFileSync(file, program);
    const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, file], {
      encoding: "utf8",
      timeout: 30_000,
    });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "done\n" });
  });

  it("upkeep makes a checkpoint when enough was written, and vacuums the table that needs it", async () => {
    const client = await openClient();
    await client.query("create table fact (n int)");
    await doUpkeep(client);
    assert.deepEqual(await doUpkeep(client), { checkpoint: false, vacuumed: undefined });
    await client.query("insert into fact select n from generate_series(1, 5000) n");
    await client.query("update fact set n = n + 1");
    // Statistics are otherwise written about once a second.
    await client.query("select pg_stat_force_next_flush()");
    assert.deepEqual(await doUpkeep(client, 100_000), { checkpoint: true, vacuumed: "public.fact" });
    const { rows } = await client.query("select n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables");
    assert.deepEqual(rows, [{ dead: 0n, live: 5000n }]);
    assert.deepEqual(await doUpkeep(client), { checkpoint: false, vacuumed: undefined });
    await client.close();
  });

  it("a transaction that stands still is reported", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    const reports: string[] = [];
    const client = new EmbeddedClient({ folder: undefined, templateFile: await embeddedTemplate() }, (error) =>
      reports.push(error.message),
    );
    await client.waitReady;
    await client.transaction(async (tx) => {
      await tx.query("select 1");
      context.mock.timers.tick(10_000);
      await tx.query("select 1");
      context.mock.timers.tick(10_000);
      assert.deepEqual(reports, []);
      context.mock.timers.tick(10_000);
    });
    assert.deepEqual(reports, ["a transaction has been open without a statement for 10000 ms"]);
    context.mock.timers.tick(60_000);
    assert.equal(reports.length, 1);
    await client.close();
  });
});
