import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../compose/migrations.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { ManualClock } from "../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import type { NotedRow, NotedTable } from "../kernel/engine-requests/noted-rows.ts";
import { takeUpSettings } from "../kernel/engine-requests/take-up.ts";
import { PageCursors } from "../kernel/page-cursor.ts";
import { seededRandom } from "../kernel/random.ts";
import { BATCHES, BROKER_ROWS, PERIODS } from "./noted.ts";
import { PayoutBatches } from "./payouts/batches.ts";
import { restoreBatch } from "./payouts/restore.ts";
import { ADMIN } from "./payouts/testing/payout-books.ts";
import { brokerPart } from "./rebuild.ts";
import { createRebateInvariant } from "./settlement/invariant.ts";
import { restorePeriod } from "./settlement/restore.ts";
import { SettlementService } from "./settlement/settlement-service.ts";
import { type BookedBroker, BrokerBooks } from "./testing/books.ts";

const [DAY_1, DAY_2] = ["2026-06-01", "2026-06-02"] as const;
const RESTORED = [
  ...["payout_line", "payout_payee", "payout_batch", "rebate_record", "rebate_root", "rebate_period"],
  ...["broker_day_total", "broker_total", "broker_downline_total"],
];

describe("LOG-3: days and payouts that the log has notes of", () => {
  const clock = new ManualClock(Date.parse("2026-06-03T12:00:00Z"));
  const audit = createAuditLog({ clock });
  const cursors = new PageCursors(Buffer.alloc(32));
  let database: TestDatabase;
  let books: BrokerBooks;
  let kol: BookedBroker;
  let service: SettlementService;
  let batches: PayoutBatches;
  let notes: [table: string, row: NotedRow][] = [];
  const engineRequests = {
    isNoting: true,
    notify: () => {},
    answer: async () => undefined,
    note: async (_tx: unknown, { name }: NotedTable, rows: readonly NotedRow[]) => {
      notes.push(...rows.map((row): [string, NotedRow] => [name, row]));
      return undefined;
    },
  };

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new BrokerBooks(database);
    const exchange = { waiting: 0, current: () => undefined, engine: { state: { time_ms: clock.now() } } } as never;
    const projector = { waitForAll: async () => {} };
    service = new SettlementService({ database, clock, audit, engineRequests, exchange, projector });
    batches = new PayoutBatches({ database, clock, random: seededRandom("batches"), audit, cursors, engineRequests });
  });
  after(() => database.close());
  beforeEach(async () => {
    await forget();
    await sql`delete from broker_pre_settlement`.execute(database.db);
    await sql`delete from kernel_state`.execute(database.db);
    kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    for (const day of [DAY_1, DAY_2]) await books.fee(day, customer, kol.termsVersion, 100_000_000n);
    notes = [];
  });

  async function forget(): Promise<void> {
    for (const table of RESTORED) await sql`delete from ${sql.table(table)}`.execute(database.db);
  }
  async function restore(): Promise<void> {
    for (const [table, row] of notes) {
      const one = table === PERIODS.name ? restorePeriod : restoreBatch;
      await database.db.transaction().execute((tx) => one(tx, row));
    }
  }
  async function rows(): Promise<Record<string, unknown[]>> {
    const tables: Record<string, unknown[]> = {};
    for (const table of RESTORED) {
      const { rows } = await sql<{ row: unknown }>`
        select to_jsonb(one) as row from ${sql.table(table)} as one order by 1`.execute(database.db);
      tables[table] = rows.map(({ row }) => row);
    }
    return tables;
  }
  const lineCount = async () => (await rows())["payout_line"]!.length;
  const sealed = async () => {
    const { rows } = await sql<{ day: string }>`
      select period as day from rebate_period where is_sealed order by 1`.execute(database.db);
    return rows.map(({ day }) => day);
  };
  const nothingIsPayable = async () => {
    await assert.rejects(batches.create({}, ADMIN), /there is nothing to pay/);
    const { ok, detail } = await createRebateInvariant({ database })();
    assert.ok(ok, `INV-4: ${detail}`);
  };

  it("are as they were: closed days with their roots, batches with their lines, whether open or cancelled", async () => {
    await service.settle(DAY_1);
    const first = await batches.create({}, ADMIN);
    await service.settle(DAY_2);
    await batches.cancel(first.id, ADMIN);
    await batches.create({ period: DAY_1, min_amount: "20" }, ADMIN);
    const kept = await rows();
    assert.deepEqual(
      notes.map(([table]) => table),
      [PERIODS, BATCHES, PERIODS, BATCHES, BATCHES].map(({ name }) => name),
    );
    await forget();
    await restore();
    assert.deepEqual(await rows(), kept);
    await restore();
    assert.deepEqual(await rows(), kept, "a second time nothing changes");
    assert.equal((await service.settle(DAY_1)).changes.inserted, 0);
  });

  it("a settled day is noted when it closes and when its root changes, and not otherwise", async () => {
    await service.settle(DAY_1);
    await service.settle(DAY_1);
    assert.equal(notes.length, 1);
    await books.fee(DAY_1, kol, kol.termsVersion, 5_000_000n);
    await service.settle(DAY_1);
    await service.settle("2026-06-03");
    assert.deepEqual(
      notes.map(([, { revision }]) => revision),
      [1, 2],
    );
  });

  it("a day that comes out otherwise is sealed: it keeps its root, and nothing of it is owed or settled again", async () => {
    const { root } = await service.settle(DAY_1);
    await batches.create({}, ADMIN);
    await forget();
    await sql`update broker_pre_settlement set counted_micros = counted_micros + 1 where day = ${DAY_1}`.execute(
      database.db,
    );
    await restore();
    assert.deepEqual([await sealed(), await lineCount()], [[DAY_1], 0]);
    assert.match(
      (await brokerPart.findLosses!(database.db)).join(),
      /^1 days of rebates from 2026-06-01 to 2026-06-01 /,
    );
    const again = await service.settle(DAY_1);
    assert.deepEqual([again.root, again.changes.inserted, again.status], [root, 0, "closed"]);
    await nothingIsPayable();
    await service.settle(DAY_2);
    assert.equal((await batches.create({}, ADMIN)).total_amount, "40.00", "other days are paid");
  });

  it("a batch whose payees come out otherwise seals the days that it could be from", async () => {
    await service.settle(DAY_1);
    await batches.create({}, ADMIN);
    await forget();
    await sql`update broker set status = 'frozen' where id = ${kol.id}`.execute(database.db);
    await restore();
    assert.deepEqual([await sealed(), await lineCount()], [[DAY_1], 0]);
    await nothingIsPayable();
  });

  it("a batch that only an older database knew, of lines that another batch has, is not paid", async () => {
    await service.settle(DAY_1);
    await batches.create({}, ADMIN);
    const inLog = [...notes];
    await forget();
    notes = inLog.slice(0, 1);
    await restore();
    const { id } = await batches.create({ min_amount: "20" }, ADMIN);
    notes = inLog.slice(1);
    await restore();
    assert.deepEqual([await sealed(), await lineCount()], [[DAY_1], 0]);
    assert.equal((await batches.read(id)).status, "cancelled");
    await nothingIsPayable();
  });

  it("days from before the notes are noted once; what was in a batch then is not paid from the log", async () => {
    await service.settle(DAY_1);
    await batches.create({}, ADMIN);
    await service.settle(DAY_2);
    notes = [];
    await takeUpSettings({ database, clock, engineRequests, rows: BROKER_ROWS });
    const days = notes.filter(([table]) => table === PERIODS.name);
    assert.deepEqual(
      days.map(([, { period, is_sealed }]) => [period, is_sealed]),
      [
        [DAY_1, true],
        [DAY_2, false],
      ],
    );
    const before_ = notes.length;
    await takeUpSettings({ database, clock, engineRequests, rows: BROKER_ROWS });
    assert.equal(notes.length, before_);
    for (const name of ["broker_tier", "broker", "broker_invite_code", "broker_bind", "broker_terms"]) {
      assert.ok(
        notes.some(([table]) => table === name),
        name,
      );
    }
    notes = days;
    await forget();
    await restore();
    assert.deepEqual([await sealed(), (await rows())["rebate_record"]!.length], [[DAY_1], 1]);
  });
});
