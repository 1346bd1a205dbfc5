import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";
import type { JobWindow } from "../../kernel/jobs/job.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { createTestExchange, createTestProjector, type TestExchange } from "../projector/testing.ts";
import { History } from "./history.ts";
import { equitySnapshotJob, orderPruneJob } from "./jobs.ts";

const windowAt = (due_ms: number): JobWindow => ({
  since_ms: due_ms - HOUR_ms,
  due_ms,
  isManual: false,
  moveWatermark: async () => undefined,
});

describe("jobs of the history", () => {
  let database: TestDatabase;
  let test: TestExchange;
  let projector: Projector;

  before(async () => {
    database = await openTestDatabase(projectorMigrations);
    test = createTestExchange(3);
    projector = await createTestProjector(database, test);
    test.exchange.listen(projector.hear);
    projector.start();
    await test.run(2_500);
    await projector.waitForAll(60_000);
  });
  after(async () => {
    await projector.stop();
    await database.close();
  });

  it("equity-snapshot notes what every account with money is worth, once", async () => {
    const { engine, clock } = test;
    const { accounts, positions } = engine.state;
    const due_ms = clock.now() - (clock.now() % HOUR_ms);
    const job = equitySnapshotJob(database, engine);
    const first = await job.run(windowAt(due_ms));
    assert.deepEqual(await job.run(windowAt(due_ms)), first);
    const { rows } = await sql<{ account: number; equity: bigint }>`
      select account, principal_micros + bonus_micros + unrealised_micros as equity
      from exchange_equity where time_ms = ${due_ms}`.execute(database.db);
    assert.deepEqual(first, { accounts: rows.length });
    assert.ok(rows.length > 30);
    for (const { account, equity } of rows) {
      engine.margin.computeAll(account);
      let wanted = engine.margin.balance_micros;
      for (let at = accounts.firstPosition(account); at !== 0; at = positions.next(at)) {
        if (positions.mode(at) === 1) wanted += engine.margin.isolatedBalance(at);
      }
      assert.equal(Number(equity), wanted, `account ${account}`);
    }
    const history = new History({ database, projector, clock, cursorKey: Buffer.alloc(32) });
    const { rows: points, total } = await history.money.equityPage(1, {});
    const [point] = points;
    assert.equal(total, 1);
    assert.equal(point!.time_ms, due_ms);
    assert.equal(point!.equity_micros, Number(rows.find(({ account }) => account === 1)!.equity));
  });

  it("order-prune takes away what ended long ago without a fill, and nothing else", async () => {
    const due_ms = test.clock.now();
    const isOld = sql`created_ms < ${due_ms - 3 * DAY_ms} and executed_lots = 0
      and status in ('CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED')`;
    const kept = async () => {
      const { rows } = await sql<{ ids: string }>`
        select md5(string_agg(order_id::text, ',' order by order_id)) as ids
        from exchange_order where not (${isOld})`.execute(database.db);
      return rows[0]!.ids;
    };
    const before = await kept();
    const { rows } = await sql<{ old: bigint; all: bigint }>`
      select count(*) filter (where ${isOld}) as old, count(*) as all from exchange_order`.execute(database.db);
    assert.ok(rows[0]!.old > 10n && rows[0]!.all > rows[0]!.old);
    const report = (await orderPruneJob(database).run(windowAt(due_ms))) as { orders: number };
    assert.equal(report.orders, Number(rows[0]!.old));
    assert.equal(await kept(), before);
    const { rows: left } = await sql<{ count: bigint; orphans: bigint }>`
      select count(*) as count,
             (select count(*) from exchange_order_amendment where order_id not in (select order_id from exchange_order))
               as orphans
      from exchange_order where ${isOld}`.execute(database.db);
    assert.deepEqual(left, [{ count: 0n, orphans: 0n }]);
    // The projector still works, so no row that can change was deleted.
    await test.run(500);
    await projector.waitForAll(60_000);
  });
});
