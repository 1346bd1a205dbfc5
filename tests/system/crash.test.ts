import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Database } from "../../apps/server/src/kernel/database/database.ts";
import { openEmbedded } from "../../apps/server/src/kernel/database/embedded/open.ts";
import { embeddedTemplate } from "../../apps/server/src/kernel/database/embedded/testing/templates.ts";
import { openDatabase } from "../../apps/server/src/kernel/database/open.ts";
import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { acquireFolderLock } from "../../apps/server/src/kernel/folder-lock.ts";

const WRITER = fileURLToPath(new URL("./fixtures/writer.ts", import.meta.url));

const SERVER_MISSING = await postgresqlServerMissing();

const upTo = (limit: number) => Math.floor(Math.random() * (limit + 1));

/** Starts the writer, kills it some time after it printed that many lines, and returns the ids it acknowledged. */
async function writeUntilKilled(dataDir: string, databaseUrl: string | undefined, lines: number, delay_ms: number) {
  const place = databaseUrl === undefined ? [dataDir] : [dataDir, databaseUrl];
  const writer = spawn(process.execPath, [...process.execArgv, WRITER, ...place], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(writer, "exit");
  const printed: string[] = [];
  for await (const line of createInterface(writer.stdout)) {
    printed.push(line);
    if (printed.length === lines) setTimeout(() => writer.kill("SIGKILL"), delay_ms);
  }
  assert.deepEqual(await exit, [null, "SIGKILL"], "the writer ends only by being killed");
  return printed.filter((line) => line !== "opening").map(BigInt);
}

/** Opens what the killed writer left, as a new process would, and checks for what it acknowledged. */
async function assertNothingLost(open: () => Promise<Database>, dataDir: string, acknowledged: readonly bigint[]) {
  const lock = acquireFolderLock(dataDir);
  const database = await open();
  const { rows } = await sql<{ id: bigint; halves: string[] }>`
    select id, array_agg(half order by half) as halves from entry group by id order by id`.execute(database.db);
  await database.close();
  lock.release();
  const found = new Set(rows.map((row) => row.id));
  assert.deepEqual(
    acknowledged.filter((id) => !found.has(id)),
    [],
    "acknowledged, yet not there",
  );
  for (const { id, halves } of rows)
    assert.deepEqual(halves, ["first", "second"], `entry ${id} is whole and there once`);
}

describe("INV-7: what was acknowledged is there after kill -9", () => {
  let dataDir: string;
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), "bourse-crash-"));
  });
  after(() => rmSync(dataDir, { recursive: true }));

  const ROUNDS = 4;

  async function severalRounds(folder: string, databaseUrl: string | undefined) {
    const acknowledged: bigint[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const ids = await writeUntilKilled(folder, databaseUrl, 2 + upTo(60), upTo(15));
      assert.ok(ids.length > 0);
      acknowledged.push(...ids);
      await assertNothingLost(() => openDatabase({ dataDir: folder, databaseUrl }), folder, acknowledged);
    }
    return acknowledged.length;
  }

  it("INV-7: embedded database, killed at random moments, the first while it is being created", async (context) => {
    const folder = join(dataDir, "embedded");
    await writeUntilKilled(folder, undefined, 1, upTo(3_000));
    context.diagnostic(`${await severalRounds(folder, undefined)} acknowledged entries, all there`);
  });

  it("INV-7: PostgreSQL server, killed at random moments", { skip: SERVER_MISSING }, async (context) => {
    const { databaseUrl, drop } = await createPostgresqlDatabase();
    try {
      const count = await severalRounds(join(dataDir, "server"), databaseUrl);
      context.diagnostic(`${count} acknowledged entries, all there`);
    } finally {
      await drop();
    }
  });
});

describe("embedded database beside the main thread", () => {
  it("a 100,000-row insert leaves the main thread free", async (context) => {
    const database = await openEmbedded({ folder: undefined, templateFile: await embeddedTemplate() });
    await sql`create table entry (id int primary key, note text not null)`.execute(database.db);
    let isDone = false;
    const started_ms = performance.now();
    const insert = sql`
      insert into entry select n, repeat('x', 100) from generate_series(1, 100000) n`
      .execute(database.db)
      .finally(() => {
        isDone = true;
      });
    let turns = 0;
    let max_ms = 0;
    for (let last_ms = started_ms; !isDone; turns++) {
      await sleep(5);
      max_ms = Math.max(max_ms, performance.now() - last_ms);
      last_ms = performance.now();
    }
    await insert;
    const took_ms = performance.now() - started_ms;
    await database.close();
    context.diagnostic(
      `insert ${took_ms.toFixed(0)} ms, ${turns} timers of 5 ms meanwhile, the longest wait ${max_ms.toFixed(1)} ms`,
    );
    // On the main thread there would be a single turn, as long as the whole insert.
    assert.ok(turns >= 3, `${turns} turns`);
    assert.ok(max_ms < 500, `${max_ms} ms`);
  });
});
