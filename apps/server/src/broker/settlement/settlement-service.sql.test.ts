import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { itOnServer, openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { WITHOUT_NOTES } from "../../kernel/engine-requests/testing.ts";
import type { JobWindow } from "../../kernel/jobs/job.ts";
import { type BookedBroker, type BookedCustomer, BrokerBooks } from "../testing/books.ts";
import { createRebateInvariant } from "./invariant.ts";
import { settlementJobs } from "./jobs.ts";
import { SettlementService } from "./settlement-service.ts";
import { digestOf } from "./testing/digest.ts";

const USDT = 1_000_000n;
const ACTOR = { actor: "admin-1", role: "admin" };

describe("the settlement service and its jobs", () => {
  let database: TestDatabase;
  let books: BrokerBooks;
  let kol: BookedBroker;
  let customer: BookedCustomer;
  const clock = new ManualClock(Date.parse("2026-06-10T00:10:00Z"));
  /** The parts of the exchange that settlement reads, and the result of waiting for the projector. */
  const exchange = { waiting: 0, current: () => undefined, engine: { state: { time_ms: 0 } } };
  let onWait: () => Promise<void> = async () => {};

  const newService = (patience_ms = 200) =>
    new SettlementService({
      database,
      clock,
      audit: createAuditLog({ clock }),
      engineRequests: WITHOUT_NOTES,
      exchange: exchange as never,
      projector: { waitForAll: () => onWait() },
      patience_ms,
    });

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new BrokerBooks(database);
    kol = await books.kol({ rate: 0.4 });
    customer = await books.customer(kol, { ratio: 0.1 });
  });
  after(() => database.close());
  beforeEach(() => {
    exchange.waiting = 0;
    onWait = async () => {};
  });

  const periods = () => books.db.selectFrom("rebate_period").selectAll().orderBy("period").execute();
  const job = (name: string) => settlementJobs(newService()).find((one) => one.name === name)!;
  const window = (due: string, more: Partial<JobWindow> = {}): JobWindow => ({
    since_ms: 0,
    due_ms: Date.parse(due),
    isManual: false,
    moveWatermark: async () => {},
    ...more,
  });

  it("BRK-9: a day whose trades are not all written yet is not settled: 503, and nothing changes", async () => {
    const before = await digestOf(database.db);
    onWait = () => Promise.reject(new ProjectionTimeout(7, 1));
    await assert.rejects(newService().calculate("2026-06-09", ACTOR), { status: 503, code: "NOT_READY" });
    onWait = () => Promise.reject(new Error("the database is away"));
    await assert.rejects(newService().calculate("2026-06-09", ACTOR), /the database is away/);
    assert.equal(await digestOf(database.db), before);
  });

  it("BRK-9: a closed day waits for commands that were stamped before its midnight and are still being logged", async () => {
    exchange.waiting = 3;
    exchange.engine.state.time_ms = Date.parse("2026-06-09T23:59:59.998Z");
    await assert.rejects(newService(60).calculate("2026-06-09", ACTOR), { status: 503, code: "NOT_READY" });
    const order: string[] = [];
    onWait = async () => void order.push("projector");
    setTimeout(() => {
      order.push("engine");
      exchange.engine.state.time_ms = Date.parse("2026-06-10T00:00:00.000Z");
    }, 40);
    await newService(5_000).settle("2026-06-09");
    assert.deepEqual(order, ["engine", "projector"]);
    // A busy exchange does not prevent a settlement of today.
    exchange.engine.state.time_ms = 0;
    assert.equal((await newService(60).settle("2026-06-10")).status, "provisional");
  });

  it("BRK-9: today is provisional and closes once it is over", async () => {
    await books.fee("2026-06-10", customer, kol.termsVersion, 100n * USDT);
    const today = await newService().calculate("2026-06-10", ACTOR);
    assert.deepEqual([today.status, today.record_count], ["provisional", 1]);
    clock.advanceTo(Date.parse("2026-06-11T00:10:00Z"));
    const over = await newService().calculate("2026-06-10", ACTOR);
    assert.deepEqual([over.status, over.revision], ["closed", today.revision]);
    assert.equal((await periods()).at(-1)!.is_rolled_up, true);
  });

  it("BRK-9: the job closes the day before it is due and every earlier day that was missed, oldest first", async () => {
    for (const day of ["2026-06-05", "2026-06-11", "2026-06-07"]) {
      await books.fee(day, customer, kol.termsVersion, 10n * USDT);
    }
    clock.advanceTo(Date.parse("2026-06-12T00:10:00Z"));
    let moves = 0;
    const moveWatermark = async (tx: Tx) => {
      moves += 1;
      const { rows } = await sql<{ status: string }>`
        select status from rebate_period where period = '2026-06-11'`.execute(tx);
      assert.deepEqual(rows, [{ status: "closed" }], "in the transaction that closes the day");
    };
    const result = (await job("settlement").run(window("2026-06-12T00:10:00Z", { moveWatermark }))) as {
      days: { period: string; provisional: boolean; total_fee: string; changes: object }[];
    };
    assert.equal(moves, 1);
    assert.deepEqual(
      result.days.map(({ period, provisional, total_fee }) => [period, provisional, total_fee]),
      [
        ["2026-06-05", false, "10.00"],
        ["2026-06-07", false, "10.00"],
        ["2026-06-11", false, "10.00"],
      ],
    );
    assert.deepEqual(result.days[2]!.changes, { inserted: 1, updated: 0, deleted: 0 });
    assert.ok((await periods()).filter(({ status }) => status === "closed").every(({ is_rolled_up }) => is_rolled_up));
    const before = await digestOf(database.db);
    await job("settlement").run(window("2026-06-12T00:10:00Z"));
    assert.equal(await digestOf(database.db), before);
  });

  it("a watermark that cannot be moved leaves the day open; a roll-up that a crash has kept from being done is done later", async () => {
    await books.fee("2026-06-12", customer, kol.termsVersion, 10n * USDT);
    clock.advanceTo(Date.parse("2026-06-13T00:10:00Z"));
    const before = await digestOf(database.db);
    const failing = window("2026-06-13T00:10:00Z", {
      moveWatermark: () => Promise.reject(new Error("moved by another")),
    });
    await assert.rejects(job("settlement").run(failing), /moved by another/);
    assert.equal(await digestOf(database.db), before);
    await job("settlement").run(window("2026-06-13T00:10:00Z"));
    await sql`delete from broker_downline_total`.execute(database.db);
    await sql`update rebate_period set is_rolled_up = false where status = 'closed'`.execute(database.db);
    await job("settlement").run(window("2026-06-13T00:10:00Z"));
    const finding = await createRebateInvariant({ database })();
    assert.equal(finding.ok, true, finding.detail);
    assert.ok((await periods()).filter(({ status }) => status === "closed").every(({ is_rolled_up }) => is_rolled_up));
  });

  it("the hourly job looks at today, and by hand the daily one does as well", async () => {
    await books.fee("2026-06-13", customer, kol.termsVersion, 10n * USDT);
    const hourly = (await job("settlement-provisional").run(window("2026-06-13T00:10:00Z"))) as {
      days: { period: string }[];
    };
    assert.deepEqual(
      hourly.days.map(({ period }) => period),
      ["2026-06-13"],
    );
    const daily = (await job("settlement").run(window("2026-06-13T00:10:00Z", { isManual: true }))) as typeof hourly;
    assert.deepEqual(
      daily.days.map(({ period }) => period),
      ["2026-06-12", "2026-06-13"],
    );
  });

  it("BRK-9: many at once come one after the other; one does the work, the others find nothing to do", async () => {
    await books.fee("2026-06-13", customer, kol.termsVersion, 10n * USDT);
    const service = newService(5_000);
    const all = await Promise.all(Array.from({ length: 6 }, () => service.settle("2026-06-13")));
    const written = all.map(({ changes }) => changes.inserted + changes.updated + changes.deleted);
    assert.deepEqual(written.sort(), [0, 0, 0, 0, 0, 1]);
    assert.equal(new Set(all.map(({ root }) => root.toString("hex"))).size, 1);
  });

  itOnServer("BRK-9: two processes that settle the same day at once wait for each other", async () => {
    await books.fee("2026-06-13", customer, kol.termsVersion, 10n * USDT);
    const all = await Promise.all(Array.from({ length: 4 }, () => newService(5_000).settle("2026-06-13")));
    const written = all.map(({ changes }) => changes.inserted + changes.updated + changes.deleted);
    assert.deepEqual(written.sort(), [0, 0, 0, 1]);
  });
});
