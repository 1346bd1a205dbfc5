import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { runMigrations } from "../../kernel/database/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms, WEEK_ms } from "../../kernel/dates.ts";
import type { JobWindow } from "../../kernel/jobs/job.ts";
import { WindowTooOld } from "../../kernel/windows.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { createTestExchange, createTestProjector, digestTables, type TestExchange } from "../projector/testing.ts";
import { History } from "./history.ts";
import { defaultOf, HISTORY_TABLES, makePartitions, partitionsOf } from "./partitions.ts";
import { historyRetentionJob } from "./retention.ts";
import type { ArchivedFile } from "./row-archive.ts";

const PARTITIONS = "0114_history_partitions";
const { [PARTITIONS]: _, ...earlier } = projectorMigrations;

const windowAt = (due_ms: number): JobWindow => ({
  since_ms: due_ms - DAY_ms,
  due_ms,
  isManual: false,
  moveWatermark: async () => undefined,
});

describe("history that is partitioned and leaves", () => {
  let database: TestDatabase;
  let test: TestExchange;
  let projector: Projector;
  const folder = makeTestFolder();

  const count = async (table: string, condition = "true") => {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) as count from ${sql.table(table)} where ${sql.raw(condition)}`.execute(database.db);
    return Number(rows[0]!.count);
  };
  const run = async (commands: number) => {
    await test.run(commands);
    await projector.waitForAll(60_000);
  };
  const retain = (due_ms: number, days: number, archive?: string) =>
    historyRetentionJob({ database, days, archive }).run(windowAt(due_ms)) as Promise<Record<string, number>>;

  before(async () => {
    database = await openTestDatabase(earlier);
    test = createTestExchange(5);
    projector = await createTestProjector(database, test);
    test.exchange.listen(projector.hear);
    projector.start();
    await run(1_000);
  });
  after(async () => {
    await projector.stop();
    await database.close();
    folder.remove();
  });

  it("LOG-8: tables of an earlier release become partitioned without a row changing, and go on", async () => {
    const before = await digestTables(database);
    await runMigrations(database.db, { ...kernelMigrations, ...projectorMigrations });
    assert.deepEqual(await digestTables(database), before);
    for (const { name } of HISTORY_TABLES) {
      // No equity was written, so there is no partition from before.
      const names = (await partitionsOf(database.db, name)).map((partition) => partition.name);
      assert.deepEqual(names, [...(name === "exchange_equity" ? [] : [`${name}_before`]), defaultOf(name)]);
    }
    await run(200);
    assert.ok((await count("exchange_fill")) > before["exchange_fill"]!.rows);
  });

  it("LOG-8: partitions are made ahead, and a week that the default partition has begun stays there", async () => {
    const now_ms = test.clock.now();
    await sql`insert into exchange_equity values (1, ${now_ms}, 1, 0, 0)`.execute(database.db);
    await makePartitions(database, now_ms);
    assert.equal(await makePartitions(database, now_ms), 0, "once");
    assert.equal((await partitionsOf(database.db, "exchange_equity")).length, 5, "four weeks and the default");
    assert.equal((await partitionsOf(database.db, "exchange_fill")).length, 6);
    const later_ms = now_ms + 2 * WEEK_ms;
    await sql`insert into exchange_equity values (1, ${later_ms}, 2, 0, 0)`.execute(database.db);
    const { rows } = await sql<{ place: string }>`
      select tableoid::regclass::text as place from exchange_equity order by time_ms`.execute(database.db);
    assert.equal(rows[0]!.place, "exchange_equity_default");
    assert.match(rows[1]!.place, /^exchange_equity_p\d{8}$/);
    await assert.rejects(
      sql`insert into exchange_equity values (1, ${later_ms}, 3, 0, 0)`.execute(database.db),
      /duplicate key/,
    );
  });

  it("LOG-8: nothing leaves without HISTORY_DAYS", async () => {
    const before = await digestTables(database);
    await retain(test.clock.now() + 900 * DAY_ms, 0);
    assert.deepEqual(await digestTables(database), before);
  });

  it("LOG-8: what is too old is archived with its checksum, then removed; open orders and traders' names stay", async () => {
    const due_ms = test.clock.now() + 20 * DAY_ms;
    const [fills, incomes] = [await count("exchange_fill"), await count("exchange_income")];
    const open = await count("exchange_order", "status in ('NEW', 'PARTIALLY_FILLED')");
    const ended = (await count("exchange_order")) - open;
    const traders = await sql<{ account: number }>`
      select distinct account from exchange_fill order by account`.execute(database.db);
    assert.ok(fills > 100 && open > 3 && ended > 100);

    const report = await retain(due_ms, 7, folder.path);
    assert.equal(report["orders"], ended);
    assert.deepEqual([await count("exchange_fill"), await count("exchange_income")], [0, 0]);
    assert.equal(await count("exchange_order"), open);
    assert.equal(await count("exchange_kline", "interval_ms = 60000"), 0);
    assert.ok((await count("exchange_kline", "interval_ms = 3600000")) > 0, "hours stay");
    assert.equal(await count("exchange_equity"), 1, "the later one");
    const { rows } = await sql`select account from exchange_traded order by account`.execute(database.db);
    assert.deepEqual(rows, traders.rows);

    const history = join(folder.path, "history");
    const manifest = readFileSync(join(history, "manifest.ndjson"), "utf8").trimEnd().split("\n");
    const files = manifest.map((line) => JSON.parse(line) as ArchivedFile);
    const archived: Record<string, number> = {};
    for (const { file, table, sha256, size_bytes, rows: lines } of files) {
      const bytes = readFileSync(join(history, file));
      assert.deepEqual([createHash("sha256").update(bytes).digest("hex"), bytes.length], [sha256, size_bytes]);
      const text = gunzipSync(bytes).toString().trimEnd().split("\n");
      assert.equal(text.length, lines);
      assert.ok("command_number" in JSON.parse(text[0]!) || table === "exchange_equity");
      archived[table] = (archived[table] ?? 0) + lines;
    }
    assert.deepEqual(archived, {
      exchange_fill: fills,
      exchange_income: incomes,
      exchange_order: ended,
      exchange_equity: 1,
    });
    assert.equal((await retain(due_ms, 7, folder.path))["rows_removed"], 0, "a second run has nothing to do");
    // The projector changes only what is still there.
    await run(500);
  });

  it("LOG-8: history that may have been removed is refused, and later history that is empty is not", async () => {
    const { clock } = test;
    const history = new History({ database, projector, clock, cursorKey: Buffer.alloc(32), keptDays: 7 });
    const old = { start_ms: clock.now() - 8 * DAY_ms, end_ms: clock.now() - 7.5 * DAY_ms };
    const recent = { start_ms: clock.now() + 60 * DAY_ms };
    const klines = (window: object) => history.markets.klines({ market: 0, interval_ms: 60_000, ...window });
    const lists = [
      (window: object) => history.orders.list(1, { market: 0, ...window }),
      (window: object) => history.orders.page(1, window),
      (window: object) => history.trades.list(1, { market: 0, ...window }),
      (window: object) => history.trades.page(1, window),
      (window: object) => history.money.income(1, window),
      (window: object) => history.money.incomePage(1, window),
      (window: object) => history.money.equityPage(1, window),
      klines,
    ];
    for (const list of lists) {
      await assert.rejects(list(old), WindowTooOld);
      if (list !== klines) await assert.rejects(list({ end_ms: old.end_ms }), WindowTooOld);
      const answer = await list(recent);
      assert.equal("rows" in answer ? answer.rows.length : answer.length, 0);
    }
    assert.deepEqual(await klines({ end_ms: old.end_ms }), [], "a chart that goes back ends");
    await history.markets.klines({ market: 0, interval_ms: 3_600_000, ...old });
  });
});
