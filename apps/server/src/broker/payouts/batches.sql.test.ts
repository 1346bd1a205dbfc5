import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { WITHOUT_NOTES } from "../../kernel/engine-requests/testing.ts";
import { ApiError } from "../../kernel/errors.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { seededRandom } from "../../kernel/random.ts";
import { settlePeriod } from "../settlement/settle.ts";
import { brokerDb } from "../tables.ts";
import { type BookedBroker, BrokerBooks } from "../testing/books.ts";
import { PayoutBatches } from "./batches.ts";
import { markPaid } from "./marking.ts";
import { csvOf, sha256Of } from "./payees-csv.ts";
import { ADMIN, PayoutBooks, payeeAddress, usdt } from "./testing/payout-books.ts";

const [DAY_1, DAY_2, TODAY] = ["2026-06-01", "2026-06-02", "2026-06-03"];
const WRITTEN = ["payout_line", "payout_payee", "payout_batch", "rebate_record", "rebate_period"];
const CURSORS = new PageCursors(Buffer.alloc(32));
const TX = `0x${"ab".repeat(32)}`;
const OTHER_TX = `0x${"ac".repeat(32)}`;

describe("payout batches", () => {
  let database: TestDatabase;
  let brokers: BrokerBooks;
  let books: PayoutBooks;
  let batches: PayoutBatches;
  const clock = new ManualClock(Date.parse(`${TODAY}T12:00:00Z`));

  const create = (request: { period?: string; min_amount?: string | number } = {}) => batches.create(request, ADMIN);
  const refused =
    (code: string, status = 409) =>
    (error: unknown) =>
      error instanceof ApiError && error.code === code && error.status === status;
  const payeesOf = async (id: string) =>
    (await batches.detail(id, {})).items.map(({ payee, amount, line_count }) => [payee, amount, line_count]);
  const nothing = async (action: () => Promise<unknown>, expected: (error: unknown) => boolean) => {
    const before = await books.fingerprint();
    await assert.rejects(action, expected);
    assert.equal(await books.fingerprint(), before, "nothing has changed");
  };
  const pay = (batchId: string, payees: readonly string[] | undefined, txHash = TX) =>
    brokerDb(database)
      .transaction()
      .execute((tx) => markPaid(tx, { batchId, payees, txHash, now: new Date(clock.now()) }));

  before(async () => {
    database = await openTestDatabase(migrations);
    brokers = new BrokerBooks(database);
    books = new PayoutBooks(brokers.db);
    const audit = createAuditLog({ clock });
    batches = new PayoutBatches({
      database,
      clock,
      random: seededRandom("batches"),
      audit,
      cursors: CURSORS,
      engineRequests: WITHOUT_NOTES,
    });
  });
  after(() => database.close());
  beforeEach(async () => {
    for (const table of [...WRITTEN, "broker_pre_settlement", "rebate_root"]) {
      await sql`delete from ${sql.table(table)}`.execute(database.db);
    }
  });

  /** A KOL with one customer: 10 for the customer, 30 for the KOL. */
  async function simpleDay(period = DAY_1) {
    const kol = await brokers.kol({ rate: 0.4 });
    const customer = await brokers.customer(kol, { ratio: 0.1 });
    await books.day(period);
    const record = await books.record({ period, of: kol, downline: customer, customer: 10, net: 30 });
    return { kol, customer, record };
  }

  it("BRK-14, WIRE-3: lines are summed per payee; the batch shows its totals and the digest of its CSV", async () => {
    const { kol, customer, record } = await simpleDay();
    const sub = await brokers.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const other = await brokers.customer(sub, { ratio: 0.1 });
    await books.record({ period: DAY_1, of: sub, downline: other, customer: 10, net: 16, share: 4, parent: kol });
    const { id, sha256, csv_url, created_at, ...batch } = await create({ period: DAY_1, min_amount: "1.5" });
    assert.deepEqual(batch, {
      period: DAY_1,
      status: "open",
      line_count: 5,
      payee_count: 4,
      total_amount: "70.00",
      transactions: [],
      way: null,
      min_amount: "1.50",
      hold_up: null,
      paid_at: null,
    });
    assert.equal(created_at, "2026-06-03T12:00:00.000Z");
    assert.equal(csv_url, `/api/v1/broker/admin/rebate/payout-batches/${id}/csv`);
    const expected = [
      [kol.wallet, "34.00", 2],
      [customer.wallet, "10.00", 1],
      [sub.wallet, "16.00", 1],
      [other.wallet, "10.00", 1],
    ];
    assert.deepEqual(await payeesOf(id), expected);
    assert.deepEqual(
      (await books.lines(id)).filter(([, payee]) => payee === kol.wallet),
      [
        ["kol", kol.wallet, usdt(30)],
        ["share", kol.wallet, usdt(4)],
      ],
    );
    const csv = await batches.csv(id);
    assert.equal(sha256Of(csv), sha256);
    assert.equal(
      csv.toString(),
      `payee,amount,lines\n${kol.wallet},34.000000,2\n${customer.wallet},10.000000,1\n` +
        `${sub.wallet},16.000000,1\n${other.wallet},10.000000,1\n`,
    );
    assert.deepEqual(await books.statusOf(record), {
      payment_status: "pending",
      payment_tx_hash: null,
      is_locked: true,
    });
    const entry = await database.db
      .selectFrom("audit_log")
      .selectAll()
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    assert.deepEqual([entry.action, entry.target, entry.actor], ["rebate.payout.create", id, "admin-1"]);
    assert.deepEqual(entry.after, { period: DAY_1, total_amount: "70.00", sha256 });
  });

  it("BRK-14: a line is in one batch; a second batch finds nothing, and says so", async () => {
    await simpleDay();
    await create();
    await nothing(() => create(), refused("NOTHING_TO_PAY"));
  });

  it("WIRE-3: only closed days can be batched", async () => {
    const { kol, customer } = await simpleDay();
    await books.day(DAY_2, "provisional");
    await books.record({ period: DAY_2, of: kol, downline: customer, customer: 5, net: 5 });
    await nothing(() => create({ period: DAY_2 }), refused("INVALID_STATE"));
    await nothing(() => create({ period: TODAY }), refused("INVALID_STATE"));
    await nothing(() => create({ period: "2026-05-31" }), refused("NOT_FOUND", 404));
    await nothing(() => create({ period: "2026-06-04" }), refused("NOT_FOUND", 404));
    for (const period of [
      "2026-6-1",
      "2026-02-30",
      "yesterday",
      "",
      "2026-06-01T00:00:00Z",
      "0000-01-01",
      "2026-06-01\0",
    ]) {
      await nothing(() => create({ period }), refused("INVALID_PERIOD", 400));
    }
    for (const min_amount of ["-1", "abc", "1.0000001", "1e3", "", -0.5, 1e-7, "9".repeat(40), "1\0"]) {
      await nothing(() => create({ min_amount }), refused("INVALID_FIELD", 400));
    }
    assert.equal((await create()).total_amount, "40.00", "all closed days");
  });

  it("BRK-9: what an adjustment takes back is carried forward against later amounts", async () => {
    const { kol, customer } = await simpleDay();
    await create();
    const taken = { period: DAY_1, of: kol, downline: customer, revision: 1 };
    await books.record({ ...taken, customer: -4, net: -12 });
    await nothing(() => create(), refused("NOTHING_TO_PAY"));
    await books.day(DAY_2);
    await books.record({ period: DAY_2, of: kol, downline: customer, customer: 3, net: 20 });
    const { id, total_amount, line_count } = await create({ period: DAY_2 });
    assert.deepEqual([total_amount, line_count], ["8.00", 2]);
    assert.deepEqual(await payeesOf(id), [[kol.wallet, "8.00", 2]]);
    assert.deepEqual(await books.lines(id), [
      ["kol", kol.wallet, usdt(-12)],
      ["kol", kol.wallet, usdt(20)],
    ]);
    await books.day("2026-05-30");
    await books.record({ period: "2026-05-30", of: kol, downline: customer, customer: 2 });
    const last = await create();
    assert.deepEqual(await payeesOf(last.id), [[customer.wallet, "1.00", 3]]);
  });

  it("BRK-9: a payee whose amounts add up to nothing waits", async () => {
    const { kol, customer } = await simpleDay();
    await books.record({ period: DAY_1, of: kol, downline: customer, revision: 1, customer: -10 });
    const { id } = await create();
    assert.deepEqual(await payeesOf(id), [[kol.wallet, "30.00", 1]]);
  });

  it("BRK-9: what a settlement finds later comes as adjustments, and is batched beside what is locked", async () => {
    const kol = await brokers.kol({ rate: 0.4 });
    const customer = await brokers.customer(kol, { ratio: 0.1 });
    const settle = (period: string) =>
      database.db
        .transaction()
        .execute((tx) => settlePeriod(tx, { period, status: "closed", now: new Date(clock.now()) }));
    await brokers.fee(DAY_1, customer, kol.termsVersion, usdt(100));
    await settle(DAY_1);
    const first = await create({ period: DAY_1 });
    assert.deepEqual([first.total_amount, first.line_count], ["40.00", 2]);
    await brokers.fee(DAY_1, customer, kol.termsVersion, usdt(10));
    await settle(DAY_1);
    const { id: second } = await create({ period: DAY_1 });
    assert.deepEqual(await payeesOf(second), [
      [kol.wallet, "3.00", 1],
      [customer.wallet, "1.00", 1],
    ]);
    await brokerDb(database)
      .updateTable("broker_pre_settlement")
      .set({ counted_micros: usdt(50) })
      .execute();
    await settle(DAY_1);
    await nothing(() => create(), refused("NOTHING_TO_PAY"));
    await brokers.fee(DAY_2, customer, kol.termsVersion, usdt(100));
    await settle(DAY_2);
    const { id: third } = await create({ period: DAY_2 });
    assert.deepEqual(await payeesOf(third), [
      [kol.wallet, "12.00", 2],
      [customer.wallet, "4.00", 2],
    ]);
    for (const id of [first.id, second, third]) await pay(id, undefined);
    assert.deepEqual(await books.countsOf(DAY_1), { record_count: 3, paid_count: 3 });
    const before = await books.fingerprint();
    await settle(DAY_1);
    assert.equal(await books.fingerprint(), before, "a rerun changes nothing");
  });

  it("BRK-9: a batch of a named day takes nothing positive of other days", async () => {
    const { kol, customer } = await simpleDay();
    await books.day(DAY_2);
    await books.record({ period: DAY_2, of: kol, downline: customer, customer: 1, net: 1 });
    assert.equal((await create({ period: DAY_2 })).total_amount, "2.00");
    assert.equal((await create()).total_amount, "40.00");
  });

  it("BRK-14: payees who are owed less than the least wait with all their lines", async () => {
    const { kol, customer } = await simpleDay();
    await nothing(() => create({ min_amount: "30.000001" }), refused("NOTHING_TO_PAY"));
    const { id } = await create({ min_amount: 30 });
    assert.deepEqual(await payeesOf(id), [[kol.wallet, "30.00", 1]]);
    const rest = await create({ min_amount: 0 });
    assert.deepEqual(await payeesOf(rest.id), [[customer.wallet, "10.00", 1]]);
  });

  it("BRK-15: frozen brokers wait, their customers do not; active again they are paid", async () => {
    const { kol, customer } = await simpleDay();
    const own = await books.record({ period: DAY_1, of: kol, downline: kol, customer: 7 });
    const freeze = (broker: BookedBroker, status: "frozen" | "active") =>
      brokerDb(database).updateTable("broker").set({ status }).where("id", "=", broker.id).execute();
    await freeze(kol, "frozen");
    const { id } = await create();
    assert.deepEqual(await payeesOf(id), [[customer.wallet, "10.00", 1]]);
    await pay(id, undefined);
    assert.equal((await books.statusOf(own)).payment_status, "pending");
    await nothing(() => create(), refused("NOTHING_TO_PAY"));
    await freeze(kol, "active");
    assert.deepEqual(await payeesOf((await create()).id), [[kol.wallet, "37.00", 2]]);
  });

  it("REF-4: the reward of an affiliate is a line of its own kind", async () => {
    await books.day(DAY_1);
    const affiliate = payeeAddress(1);
    const record = await books.record({
      period: DAY_1,
      of: affiliate,
      downline: { account: 9, wallet: payeeAddress(2) },
      net: 3,
    });
    const { id } = await create();
    assert.deepEqual(await books.lines(id), [["affiliate", affiliate, usdt(3)]]);
    await pay(id, undefined);
    assert.deepEqual(await books.statusOf(record), { payment_status: "paid", payment_tx_hash: TX, is_locked: true });
    assert.deepEqual(await books.countsOf(DAY_1), { record_count: 0, paid_count: 0 });
  });

  it("BRK-11: a record is paid when all its lines are; its transaction is the broker's", async () => {
    const { kol, customer, record } = await simpleDay();
    const own = await books.record({ period: DAY_1, of: kol, downline: kol, customer: 7 });
    const empty = await books.record({ period: DAY_1, of: kol, downline: customer, revision: 1 });
    const { id } = await create();
    await pay(id, [customer.wallet]);
    assert.equal((await books.statusOf(record)).payment_status, "pending");
    assert.deepEqual(await books.countsOf(DAY_1), { record_count: 3, paid_count: 1 });
    await pay(id, [kol.wallet], OTHER_TX);
    assert.deepEqual(await books.statusOf(record), {
      payment_status: "paid",
      payment_tx_hash: OTHER_TX,
      is_locked: true,
    });
    assert.equal((await books.statusOf(own)).payment_tx_hash, OTHER_TX, "the customer's where net is 0");
    assert.equal((await books.statusOf(empty)).payment_status, "paid", "nothing is owed on it");
    assert.deepEqual(await books.countsOf(DAY_1), { record_count: 3, paid_count: 3 });
    const after = await books.fingerprint();
    await pay(id, [kol.wallet], TX);
    assert.equal(await books.fingerprint(), after, "marked once");
  });

  it("BRK-11: lines of one record in two batches are paid on their own", async () => {
    const { kol, customer, record } = await simpleDay();
    const first = await create({ min_amount: 20 });
    const second = await create();
    assert.deepEqual(await payeesOf(second.id), [[customer.wallet, "10.00", 1]]);
    await pay(second.id, undefined, OTHER_TX);
    assert.equal((await books.statusOf(record)).payment_status, "pending");
    await pay(first.id, [kol.wallet]);
    assert.deepEqual(await books.statusOf(record), { payment_status: "paid", payment_tx_hash: TX, is_locked: true });
  });

  it("BRK-14: an open batch that is cancelled lets its lines go, keeps its CSV, and is audited once", async () => {
    const { record } = await simpleDay();
    const { id, sha256 } = await create();
    const cancelled = await batches.cancel(id, ADMIN);
    assert.equal(cancelled.status, "cancelled");
    assert.deepEqual(await books.lines(id), []);
    assert.equal((await books.statusOf(record)).is_locked, true);
    const after = await books.fingerprint();
    assert.deepEqual(await batches.cancel(id, ADMIN), cancelled);
    assert.equal(await books.fingerprint(), after);
    assert.equal(sha256Of(await batches.csv(id)), sha256);
    const again = await create();
    assert.deepEqual([again.total_amount, again.sha256], ["40.00", sha256]);
    const entries = await database.db
      .selectFrom("audit_log")
      .select("action")
      .where("target", "=", id)
      .orderBy("seq")
      .execute();
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["rebate.payout.create", "rebate.payout.cancel"],
    );
  });

  it("BRK-14: batches made at the same moment share no line", async () => {
    const { kol } = await simpleDay();
    await books.day(DAY_2);
    await books.customers(DAY_2, kol, 300, 1_000_000n);
    const made = await Promise.allSettled([create(), create(), create({ period: DAY_2 }), create({ period: DAY_1 })]);
    const ids = made.flatMap((result) => (result.status === "fulfilled" ? [result.value.id] : []));
    assert.ok(ids.length >= 1);
    for (const result of made) {
      if (result.status === "rejected") assert.ok(refused("NOTHING_TO_PAY")(result.reason), String(result.reason));
    }
    const lines = await brokerDb(database)
      .selectFrom("payout_line")
      .select(["record_id", "kind", "amount_micros"])
      .execute();
    assert.equal(lines.length, 302);
    assert.equal(new Set(lines.map(({ record_id, kind }) => `${record_id}:${kind}`)).size, 302);
    assert.equal(
      lines.reduce((sum, { amount_micros }) => sum + amount_micros, 0n),
      usdt(340),
    );
  });

  it("BRK-14: a batch has so many payees at most, those who wait longest first", async () => {
    const { kol, customer } = await simpleDay();
    await books.day(DAY_2);
    await books.customers(DAY_2, kol, 5, 1_000_000n);
    const audit = createAuditLog({ clock });
    const few = new PayoutBatches({
      database,
      clock,
      random: seededRandom("few"),
      audit,
      cursors: CURSORS,
      engineRequests: WITHOUT_NOTES,
      mostPayees: 3,
    });
    const first = await few.create({}, ADMIN);
    assert.deepEqual(
      (await payeesOf(first.id)).map(([payee]) => payee),
      [kol.wallet, customer.wallet, payeeAddress(0)],
    );
    assert.equal((await few.create({}, ADMIN)).payee_count, 3);
    assert.equal((await few.create({}, ADMIN)).payee_count, 1);
  });

  it("BRK-14: thousands of lines, of one payee or of many, are all taken and all marked", async () => {
    const { kol } = await simpleDay();
    await books.day(DAY_2);
    await books.customers(DAY_2, kol, 5_200, 1_000n);
    await sql`update rebate_record set customer_micros = 400, net_micros = 600 where period = ${DAY_2}`.execute(
      database.db,
    );
    const { id, line_count, payee_count, total_amount } = await create();
    assert.deepEqual([line_count, payee_count, total_amount], [10_402, 5_202, "45.20"]);
    await pay(id, undefined);
    assert.deepEqual(await books.countsOf(DAY_2), { record_count: 5_200, paid_count: 5_200 });
    const left = await brokerDb(database)
      .selectFrom("rebate_record")
      .select("id")
      .where("payment_status", "=", "pending")
      .execute();
    assert.deepEqual(left, []);
  });

  it("WIRE-2: batches are listed newest first, payees by address, in pages", async () => {
    const { kol } = await simpleDay();
    await books.day(DAY_2);
    await books.customers(DAY_2, kol, 3, 1_000_000n);
    const first = await create({ period: DAY_1 });
    clock.advance(1_000);
    const second = await create({ period: DAY_2 });
    const items = [second, first];
    const envelope = { total: 2, next_cursor: null, page: 1, per_page: 20 };
    assert.deepEqual(await batches.list({}), { items, batches: items, ...envelope });
    assert.deepEqual((await batches.list({ page: 2, per_page: 1 })).items, [first]);
    assert.equal((await batches.list({ per_page: 1_000 })).per_page, 100);
    const page = await batches.detail(second.id, { page: 2, per_page: 2 });
    assert.deepEqual([page.page, page.per_page, page.payee_count], [2, 2, 3]);
    assert.deepEqual(
      page.items.map(({ payee }) => payee),
      [payeeAddress(2)],
    );
    await assert.rejects(batches.detail("3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44", {}), refused("NOT_FOUND", 404));
  });

  it("WIRE-8: the payees of a batch are walked by cursor, as by number", async () => {
    const { kol } = await simpleDay();
    await books.day(DAY_2);
    await books.customers(DAY_2, kol, 5, 1_000_000n);
    const { id } = await create({ period: DAY_2 });
    const { items, total } = await batches.detail(id, {});
    assert.equal(total, 5);
    const walked = [];
    let cursor: string | undefined;
    for (let page = 1; page <= 3; page += 1) {
      const { page: _, per_page: __, ...numbered } = await batches.detail(id, { page, per_page: 2 });
      const detail = await batches.detail(id, { limit: 2, cursor });
      assert.deepEqual(detail.items, numbered.items);
      walked.push(...detail.items);
      cursor = detail.next_cursor ?? undefined;
    }
    assert.deepEqual([walked, cursor], [items, undefined]);
  });

  it("BRK-14: payees that do not give the digest are not handed out", async () => {
    await simpleDay();
    const { id } = await create();
    await brokerDb(database)
      .updateTable("payout_payee")
      .set({ amount_micros: 1n })
      .where("batch_id", "=", id)
      .execute();
    await assert.rejects(batches.csv(id), /do not give its digest/);
    assert.ok(csvOf([]).length > 0);
  });
});
