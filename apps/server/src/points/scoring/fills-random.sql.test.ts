import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { createTestExchange, createTestProjector } from "../../exchange/projector/testing.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { Epochs } from "../epochs.ts";
import { scoreFills } from "./fills.ts";
import { RandomFills } from "./testing/random-fills.ts";
import { INVITERS, ScoringBooks, walletOfAccount } from "./testing/scoring-books.ts";

/** The lines in the oracle's format, unordered. */
async function linesOf(books: ScoringBooks): Promise<string[]> {
  const rows = await books.lines();
  return rows
    .map((row) =>
      [
        ...[row.address, row.source, row.points_micros, row.base_micros, row.invitee, row.rule_version],
        ...[row.market, row.trade, row.side, row.time_ms],
      ].join(" "),
    )
    .sort();
}

/** INV: the totals equal the sums of the lines. Seasons are checked separately, because they end. */
async function assertTotalsAreSums(books: ScoringBooks): Promise<void> {
  const { rows } = await sql<{ wrong: number }>`
    with sums as (
      select 0 as scope, day as period, address, sum(points_micros) as points, max(time_ms) as last_ms
      from points_line group by day, address
    )
    select count(*)::int as wrong
    from sums full join (select * from points_total where scope = 0) as kept using (scope, period, address)
    where kept.points_micros is distinct from sums.points or kept.last_ms is distinct from sums.last_ms`.execute(
    books.db,
  );
  assert.equal(rows[0]!.wrong, 0);
}

describe("PTS-3: random batches against a plain oracle", () => {
  let database: TestDatabase;
  let books: ScoringBooks;
  before(async () => {
    database = await openTestDatabase(migrations);
    books = await new ScoringBooks(database).open();
  });
  after(() => database.close());
  beforeEach(() => books.clear());

  for (const seed of process.env["TEST_DEPTH"] === "long" ? ["one", "two", "three"] : ["one"]) {
    it(`lines, totals and volumes are the oracle's (seed ${seed})`, async () => {
      const fills = await RandomFills.open(books, seed);
      await fills.run(40);
      const { oracle } = fills;
      assert.ok(oracle.lines.length > 50 && oracle.volumes.size > 0, "the run was too tame");
      assert.deepEqual(await linesOf(books), oracle.lines.toSorted());
      assert.deepEqual(new Map([...(await books.totals())].sort()), new Map([...oracle.totals].sort()));
      assert.deepEqual(new Map([...(await books.volumes())].sort()), new Map([...oracle.volumes].sort()));
      await assertTotalsAreSums(books);
    });
  }
});

describe("PTS-3: scoring in the projector", () => {
  /** The flow's time begins in 1970. */
  const epochs = new Epochs(Date.UTC(1969, 11, 29));

  async function projected(t: { after(end: () => Promise<void>): void }, failures: number) {
    const database = await openTestDatabase(migrations);
    t.after(() => database.close());
    const test = createTestExchange(7);
    await test.run(3_000);
    const { count } = test.engine.state.accounts;
    const numbers = Array.from({ length: count }, (_, place) => place + 1);
    await sql`
      insert into exchange_account (account, address, opened_at)
      select *, now() from unnest(${numbers}::int[], ${numbers.map(walletOfAccount)}::text[])`.execute(database.db);
    const score = scoreFills({ epochs, inviters: INVITERS });
    let [calls, failed] = [0, 0];
    const projector = await createTestProjector(database, test, {
      mostEvents: 300,
      onError: () => {
        failed += 1;
      },
      projections: [
        async (tx, batch) => {
          await score(tx, batch);
          calls += 1;
          // After the points are written, before the commit.
          if (calls <= failures) throw new Error("pulled the plug");
        },
      ],
    });
    for (const applied of test.applied) projector.hear(applied);
    projector.start();
    await projector.waitForAll(60_000);
    await projector.stop();
    const books = new ScoringBooks(database);
    return { books, failed };
  }

  it("a batch that is rolled back and projected again is scored once", async (t) => {
    const [plain, shaken] = [await projected(t, 0), await projected(t, 8)];
    assert.deepEqual([plain.failed, shaken.failed], [0, 8]);
    const lines = await linesOf(plain.books);
    assert.ok(lines.length > 100, `only ${lines.length} lines`);
    assert.deepEqual(await linesOf(shaken.books), lines);
    assert.deepEqual(await shaken.books.totals(), await plain.books.totals());
    await assertTotalsAreSums(shaken.books);
  });

  it("each fill that pays a fee of its own is a line, and no other is", async (t) => {
    const { books } = await projected(t, 0);
    const { rows } = await sql<{ missing: number; surplus: number; points: string; fees: string }>`
      with due as (
        select market, trade, side, fee_micros - fee_from_bonus_micros as fee, is_maker
        from exchange_fill as own
        where fee_micros > fee_from_bonus_micros and cause not in ('liquidation', 'takeover', 'adl')
          and is_off_market is not true
          and not exists (
            select from exchange_fill as other
            where other.market = own.market and other.trade = own.trade and other.side <> own.side
              and other.account = own.account)
      )
      select count(*) filter (where line.id is null)::int as missing,
        count(*) filter (where due.trade is null)::int as surplus,
        sum(line.points_micros)::text as points,
        sum(case when is_maker then due.fee * 15 else due.fee * 10 end)::text as fees
      from due full join points_line as line using (market, trade, side)`.execute(books.db);
    const { missing, surplus, points, fees } = rows[0]!;
    assert.deepEqual([missing, surplus, points], [0, 0, fees]);
  });
});
