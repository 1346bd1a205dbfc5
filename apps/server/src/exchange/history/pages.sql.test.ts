import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import { BadCursor } from "../../kernel/page-cursor.ts";
import type { Page } from "../../kernel/pages.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { projectionDb } from "../projector/tables.ts";
import { createTestExchange, createTestProjector } from "../projector/testing.ts";
import { History } from "./history.ts";
import type { PageQuery } from "./records.ts";

/** An account that trades much in the order flow. */
const ACCOUNT = 2;
const MARKET = 0;

describe("lists page by page", () => {
  let database: TestDatabase;
  let projector: Projector;
  let history: History;

  before(async () => {
    database = await openTestDatabase(projectorMigrations);
    // The flow of version 4 has enough rounds of funding; pages do not depend on the version.
    const test = createTestExchange(6, undefined, 4);
    projector = await createTestProjector(database, test);
    test.exchange.listen(projector.hear);
    projector.start();
    await test.run(2_000);
    await projector.waitForAll(60_000);
    history = new History({ database, projector, clock: test.clock, cursorKey: Buffer.alloc(32, 7) });
  });

  after(async () => {
    await projector.stop();
    await database.close();
  });

  /** Reads page after page; returns all rows and the total that each page states. */
  async function walk<Row>(read: (part: PageQuery) => Promise<Page<Row>>, isDescending: boolean, limit: number) {
    const rows: Row[] = [];
    const totals: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ cursor, isDescending, limit });
      rows.push(...page.rows);
      totals.push(page.total);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return { rows, totals };
  }

  /** FUT-20, WIRE-8: descending order reverses the whole list, not each page. */
  async function isSameFromBothEnds<Row>(read: (part: PageQuery) => Promise<Page<Row>>, limit: number): Promise<Row[]> {
    const up = await walk(read, false, limit);
    const down = await walk(read, true, limit);
    assert.ok(up.totals.length > 2, "there are several pages");
    assert.deepEqual(down.rows, up.rows.toReversed());
    for (const { totals } of [up, down]) {
      assert.deepEqual(totals, [up.rows.length, ...Array(totals.length - 1).fill(-1)]);
    }
    return up.rows;
  }

  it("FUT-20, WIRE-8: income ascends, and descends from the newest end", async () => {
    const income = await isSameFromBothEnds((part) => history.money.incomePage(ACCOUNT, part), 23);
    const listed = await history.money.income(ACCOUNT, { start_ms: 0, limit: 1000 });
    assert.deepEqual(income.slice(0, 1000), listed);
    const fees = await walk((part) => history.money.incomePage(ACCOUNT, { ...part, type: "COMMISSION" }), true, 500);
    assert.deepEqual(
      fees.rows.toReversed(),
      income.filter(({ type }) => type === "COMMISSION"),
    );
  });

  it("FUT-14, WIRE-8: funding of a market ascends, and descends from the newest end", async () => {
    const rates = await isSameFromBothEnds((part) => history.markets.fundingPage(MARKET, part), 2);
    assert.deepEqual(rates, await history.markets.fundingRates({ market: MARKET, limit: 1000 }));
    const start_ms = rates[1]!.time_ms;
    const within = await history.markets.fundingPage(MARKET, { start_ms, end_ms: rates[2]!.time_ms });
    assert.deepEqual([within.rows, within.total], [rates.slice(1, 3), 2]);
  });

  it("FUT-20, WIRE-8: hours of an account's worth ascend, and descend from the newest end", async () => {
    const figures = { account: ACCOUNT, principal_micros: 5, bonus_micros: 2, unrealised_micros: -3 };
    const hours = [1, 2, 3, 4, 5].map((hour) => ({ ...figures, time_ms: hour * HOUR_ms }));
    await projectionDb(database).insertInto("exchange_equity").values(hours).execute();
    const points = await isSameFromBothEnds((part) => history.money.equityPage(ACCOUNT, part), 2);
    assert.deepEqual(
      points.map(({ time_ms, equity_micros }) => [time_ms / HOUR_ms, equity_micros]),
      [1, 2, 3, 4, 5].map((hour) => [hour, 4]),
    );
  });

  it("WIRE-8: a cursor holds for the list it was given out for", async () => {
    const { nextCursor } = await history.money.incomePage(ACCOUNT, { limit: 1 });
    const cursor = nextCursor!;
    await assert.rejects(history.money.incomePage(ACCOUNT + 1, { cursor }), BadCursor);
    await assert.rejects(history.money.incomePage(ACCOUNT, { cursor, isDescending: true }), BadCursor);
    await assert.rejects(history.money.incomePage(ACCOUNT, { cursor, type: "COMMISSION" }), BadCursor);
    await assert.rejects(history.money.equityPage(ACCOUNT, { cursor }), BadCursor);
    assert.equal((await history.money.incomePage(ACCOUNT, { cursor, limit: 3 })).rows.length, 3);
  });
});
