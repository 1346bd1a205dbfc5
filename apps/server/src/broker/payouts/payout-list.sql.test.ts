import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { WITHOUT_NOTES } from "../../kernel/engine-requests/testing.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { seededRandom } from "../../kernel/random.ts";
import { brokerDb } from "../tables.ts";
import { type BookedBroker, BrokerBooks } from "../testing/books.ts";
import { PayoutBatches } from "./batches.ts";
import { markPaid } from "./marking.ts";
import { PayoutLists } from "./payout-list.ts";
import { ADMIN, PayoutBooks, payeeAddress } from "./testing/payout-books.ts";

const TX = `0x${"ab".repeat(32)}`;

describe("what is owed and paid", () => {
  let database: TestDatabase;
  let books: PayoutBooks;
  let batches: PayoutBatches;
  let lists: PayoutLists;
  let kol: BookedBroker;
  const clock = new ManualClock(Date.parse("2026-06-10T12:00:00Z"));
  /** The expected order: newest day first, then by id. */
  const expected: { id: string; period: string }[] = [];

  before(async () => {
    database = await openTestDatabase(migrations);
    const brokers = new BrokerBooks(database);
    books = new PayoutBooks(brokers.db);
    batches = new PayoutBatches({
      database,
      clock,
      random: seededRandom("lists"),
      audit: createAuditLog({ clock }),
      cursors: new PageCursors(Buffer.alloc(32)),
      engineRequests: WITHOUT_NOTES,
    });
    lists = new PayoutLists({ database });
    kol = await brokers.kol({ rate: 0.4 });
    for (const [period, count] of [
      ["2026-06-01", 3],
      ["2026-06-02", 0],
      ["2026-06-03", 4],
      ["2026-06-04", 1],
    ] as const) {
      await books.day(period);
      for (let place = 0; place < count; place += 1) {
        const downline = { account: 500 + place, wallet: payeeAddress(place) };
        const id = await books.record({ period, of: kol, downline, customer: 10, net: 30 });
        expected.push({ id, period });
      }
    }
    await books.record({
      period: "2026-06-03",
      of: payeeAddress(99),
      downline: { account: 9, wallet: payeeAddress(98) },
      net: 1,
    });
    expected.sort((one, other) =>
      one.period === other.period ? (one.id < other.id ? -1 : 1) : one.period < other.period ? 1 : -1,
    );
  });
  after(() => database.close());

  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

  it("interface 2.8: a record with everything it holds", async () => {
    const { records, total, page, per_page } = await lists.records({ period: "2026-06-04" });
    assert.deepEqual([total, page, per_page], [1, 1, 100]);
    assert.deepEqual(records, [
      {
        id: expected[0]?.id,
        broker_id: kol.id,
        downline_wallet: payeeAddress(0),
        period: "2026-06-04",
        fee_amount: "80.00",
        kol_rebate_rate: "0.4",
        share_ratio: "0",
        nominal_rebate: "40.00",
        share_amount: "0.00",
        kol_net_rebate: "30.00",
        payment_status: "pending",
        payment_tx_hash: null,
        customer_rebate: "10.00",
        revision: 0,
      },
    ]);
  });

  it("interface 4.1: pending by default, newest day first, then by id; every page gives its part", async () => {
    const { records, total } = await lists.records({});
    assert.equal(total, 8);
    assert.deepEqual(ids(records), ids(expected));
    for (const per_page of [1, 2, 3, 5, 8, 9]) {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(8 / per_page) + 1; page += 1) {
        const part = await lists.records({ page, per_page });
        assert.deepEqual([part.total, part.page, part.per_page], [8, page, per_page]);
        seen.push(...ids(part.records));
      }
      assert.deepEqual(seen, ids(expected), `${per_page} to a page`);
    }
    assert.equal((await lists.records({ per_page: 10_000 })).per_page, 500);
    assert.deepEqual((await lists.records({ page: 1_000_000_000, per_page: 500 })).records, []);
    assert.equal((await lists.records({ period: "2026-06-02" })).total, 0);
    assert.equal((await lists.records({ period: "2020-01-01" })).total, 0);
    for (const period of ["2026-6-1", "x", "2026-06-31", "2026-06-01\0"]) {
      await assert.rejects(lists.records({ period }), { code: "INVALID_PERIOD", status: 400 });
    }
  });

  it("BRK-11: what is paid leaves the pending ones and shows its transaction; totals come from the days' counters", async () => {
    const { id } = await batches.create({ period: "2026-06-03" }, ADMIN);
    await brokerDb(database)
      .transaction()
      .execute((tx) => markPaid(tx, { batchId: id, payees: undefined, txHash: TX, now: new Date(clock.now()) }));
    const pending = await lists.records({ per_page: 2, page: 2 });
    const rest = ids(expected.filter(({ period }) => period !== "2026-06-03"));
    assert.deepEqual([pending.total, ids(pending.records)], [4, rest.slice(2, 4)]);
    const paid = await lists.records({ status: "paid" });
    assert.deepEqual(
      paid.records.map(({ period, payment_status, payment_tx_hash }) => [period, payment_status, payment_tx_hash]),
      Array(4).fill(["2026-06-03", "paid", TX]),
    );
    assert.equal(paid.total, 4);
    const all = await lists.records({ status: "all", page: 2, per_page: 3 });
    assert.deepEqual([all.total, ids(all.records)], [8, ids(expected).slice(3, 6)]);
  });

  it("BRK-14: a wallet sees its own payouts, newest first, and none of a cancelled batch", async () => {
    clock.advance(1_000);
    const open = await batches.create({ period: "2026-06-01" }, ADMIN);
    clock.advance(1_000);
    const cancelled = await batches.create({ period: "2026-06-04" }, ADMIN);
    await batches.cancel(cancelled.id, ADMIN);
    const own = await lists.own(payeeAddress(0));
    assert.equal(own.length, 2);
    assert.deepEqual(own[0], {
      batch_id: open.id,
      amount: "10.00",
      line_count: 1,
      status: "open",
      way: null,
      tx_hash: null,
      created_at: open.created_at,
      paid_at: null,
    });
    assert.deepEqual([own[1]?.tx_hash, own[1]?.paid_at], [TX, "2026-06-10T12:00:00.000Z"]);
    assert.equal((await lists.own(payeeAddress(0), 1)).length, 1);
    assert.deepEqual(await lists.own(payeeAddress(77)), []);
  });
});
