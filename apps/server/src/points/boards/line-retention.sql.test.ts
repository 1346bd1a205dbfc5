import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { Epochs } from "../epochs.ts";
import { PointsBooks, walletOf } from "../testing/points-books.ts";
import { OwnLedger, type OwnLedgerOptions } from "./ledger.ts";
import { LineRetention } from "./line-retention.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));
const NOW_ms = epochs.start_ms(10);

describe("lines of points", () => {
  let database: TestDatabase;
  let books: PointsBooks;
  const folder = makeTestFolder();

  const retentionOf = (days: number) => new LineRetention({ db: books.db, epochs, days, archive: folder.path });
  const run = (days: number) =>
    retentionOf(days).job.run({ since_ms: 0, due_ms: NOW_ms, isManual: false, moveWatermark: async () => undefined });
  const days = async () => {
    const { rows } = await sql<{ age: number }>`
      select (${NOW_ms} - time_ms)::bigint / ${DAY_ms} as age from points_line order by id`.execute(books.db);
    return rows.map(({ age }) => Number(age));
  };

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(async () => {
    await database.close();
    folder.remove();
  });
  beforeEach(async () => {
    await sql`truncate points_line, points_season restart identity cascade`.execute(books.db);
    for (const [trade, age] of [40, 20, 10, 1].entries()) {
      await sql`
        insert into points_line (address, source, points_micros, rule_version, time_ms, day, market, trade, side, base_micros)
        values (${walletOf(1)}, 'trade', 5, 1, ${NOW_ms - age * DAY_ms}, 1, 0, ${trade}, 0, 9)`.execute(books.db);
    }
  });

  it("LOG-8: of trades leave after HISTORY_DAYS, archived, and only then are refused", async () => {
    assert.deepEqual(await run(0), { lines: 0 });
    assert.deepEqual(await run(15), { lines: 2 });
    assert.deepEqual(await days(), [10, 1]);
    assert.ok(existsSync(join(folder.path, "history", "points_line")));
    const retention = retentionOf(15);
    const ledger = new OwnLedger({
      db: books.db,
      exchange: { engine: { state: { markets: [] } } } as unknown as OwnLedgerOptions["exchange"],
      written: async () => {},
      secret: "s".repeat(32),
      keptFrom: () => retention.keptFrom(NOW_ms),
    });
    await assert.rejects(ledger.read(walletOf(1), { start_time: NOW_ms - 16 * DAY_ms }), { code: "HISTORY_REMOVED" });
    assert.equal((await ledger.read(walletOf(1), { start_time: NOW_ms - 14 * DAY_ms })).items.length, 2);
    assert.equal((await ledger.read(walletOf(1), {})).items.length, 2);
  });

  it("LOG-8: of a season that is not completed stay, and of earn positions always", async () => {
    await sql`
      insert into points_line (address, source, points_micros, rule_version, time_ms, day, subscription_id, base_micros)
      values (${walletOf(1)}, 'earn', 5, 1, ${NOW_ms - 41 * DAY_ms}, 1, gen_random_uuid(), 9)`.execute(books.db);
    await books.season({ season_no: 1, start_epoch: epochs.of(NOW_ms - 25 * DAY_ms), end_epoch: 20, status: "active" });
    assert.deepEqual(await run(15), { lines: 1 });
    assert.deepEqual(await days(), [20, 10, 1, 41]);
  });
});
