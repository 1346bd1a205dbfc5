import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { brokerTx } from "../tables.ts";
import { BrokerBooks, walletOfAccount } from "../testing/books.ts";
import { createRebateInvariant } from "./invariant.ts";
import { settlePeriod } from "./settle.ts";
import { digestOf } from "./testing/digest.ts";
import { rollUp } from "./totals.ts";

const USDT = 1_000_000n;
const at = (time: string) => new Date(`2026-06-02T${time}Z`);

describe("settlement of a day", () => {
  let database: TestDatabase;
  let books: BrokerBooks;
  let lastDay = 0;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new BrokerBooks(database);
  });
  after(() => database.close());

  /** Each test settles a different day. */
  function newDay(): string {
    lastDay += 1;
    return `2026-05-${String(lastDay).padStart(2, "0")}`;
  }

  const settle = (period: string, status: "closed" | "provisional" = "closed", now = at("00:10:00")) =>
    database.db.transaction().execute((tx) => settlePeriod(tx, { period, status, now }));

  const records = async (period: string) =>
    await books.db.selectFrom("rebate_record").selectAll().where("period", "=", period).orderBy("revision").execute();

  /** Nominal, customer, share and net in whole USDT. */
  const partsOf = (row: { [name in "nominal" | "customer" | "share" | "net" as `${name}_micros`]: bigint }) =>
    [row.nominal_micros, row.customer_micros, row.share_micros, row.net_micros].map((part) => Number(part) / 1e6);

  const lock = (id: string) =>
    books.db.updateTable("rebate_record").set({ is_locked: true }).where("id", "=", id).execute();

  it("BRK-10: fee 100, KOL 0.40, customer 0.10 → nominal 40, customer 10, net 30", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1, share: 0.5 });
    await books.fee(day, customer, kol.termsVersion, 100n * USDT);
    const settled = await settle(day);
    const [record, ...others] = await records(day);
    assert.deepEqual([partsOf(record!), others], [[40, 10, 0, 30], []]);
    assert.equal(record!.broker_id, kol.id);
    assert.equal(record!.downline_wallet, customer.wallet);
    assert.deepEqual([record!.net_payee, record!.share_payee, record!.parent_broker_id], [kol.wallet, null, null]);
    assert.deepEqual([record!.rate_e6, record!.customer_ratio_e6, record!.share_ratio_e6], [400_000, 100_000, 0]);
    assert.deepEqual([record!.payment_status, record!.is_locked], ["pending", false]);
    assert.deepEqual([settled.broker_count, settled.record_count, settled.leaf_count, settled.revision], [1, 1, 1, 1]);
  });

  it("BRK-10: sub-KOL 0.30 under 0.40, customer 0.10, share 0.20 → 30, 10, 4, 16, and the parent gets 4", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const customer = await books.customer(sub, { ratio: 0.1, share: 0.05 });
    await books.fee(day, customer, sub.termsVersion, 100n * USDT);
    await settle(day);
    const [record] = await records(day);
    assert.deepEqual(partsOf(record!), [30, 10, 4, 16]);
    assert.deepEqual([record!.broker_id, record!.parent_broker_id, record!.share_payee], [sub.id, kol.id, kol.wallet]);
    const totals = await books.db.selectFrom("broker_day_total").selectAll().where("period", "=", day).execute();
    const parent = totals.find(({ broker_id }) => broker_id === kol.id);
    assert.deepEqual([parent!.records, parent!.share_income_micros, parent!.fee_micros], [0, 4n * USDT, 0n]);
    assert.equal(totals.find(({ broker_id }) => broker_id === sub.id)!.net_micros, 16n * USDT);
  });

  it("BRK-10: the larger share counts, that of the customer's code or that of the sub-KOL's", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const customer = await books.customer(sub, { ratio: 0.1, share: 0.25 });
    await books.fee(day, customer, sub.termsVersion, 100n * USDT);
    await settle(day);
    assert.deepEqual(partsOf((await records(day))[0]!), [30, 10, 5, 15]);
  });

  it("BRK-12: a KOL that trades for itself gets nominal, and no net", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    await books.fee(day, kol, kol.termsVersion, 100n * USDT);
    await settle(day);
    const [record] = await records(day);
    assert.deepEqual(partsOf(record!), [40, 40, 0, 0]);
    assert.deepEqual([record!.broker_id, record!.downline_wallet], [kol.id, kol.wallet]);
  });

  it("BRK-12: a sub-KOL 0.30 that trades for itself under 0.40 → the parent's record 40, 30, 10; under 0.25 → 25, 25, 0", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    await books.fee(day, sub, sub.termsVersion, 100n * USDT);
    await settle(day);
    const [record] = await records(day);
    assert.deepEqual(partsOf(record!), [40, 30, 0, 10]);
    assert.deepEqual([record!.broker_id, record!.downline_wallet, record!.net_payee], [kol.id, sub.wallet, kol.wallet]);
    assert.equal(record!.share_payee, null);

    const later = newDay();
    const lowered = await books.terms(sub, { rate: 0.3, parent: kol, parentRate: 0.25, share: 0.2 });
    await books.fee(later, sub, lowered, 100n * USDT);
    await settle(later);
    const [capped] = await records(later);
    assert.deepEqual(partsOf(capped!), [25, 25, 0, 0]);
    assert.equal(capped!.rate_e6, 250_000);
  });

  it("BRK-5: the cap holds at settlement: a customer's ratio above the chain's lowest rate is cut to it", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4 });
    const customer = await books.customer(sub, { ratio: 0.28, share: 0.5 });
    const lowered = await books.terms(sub, { rate: 0.3, parent: kol, parentRate: 0.2 });
    await books.fee(day, customer, lowered, 100n * USDT);
    await settle(day);
    assert.deepEqual(partsOf((await records(day))[0]!), [20, 20, 0, 0]);
  });

  it("BRK-13: each part is rounded down and net takes the rest; fees under equal terms are summed first", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.333333, parent: kol, parentRate: 0.4, share: 0.333333 });
    const customer = await books.customer(sub, { ratio: 0.1, share: 0 });
    // Frozen and active again: another version with the same rates.
    const frozen = await books.terms(sub, {
      rate: 0.333333,
      parent: kol,
      parentRate: 0.4,
      share: 0.333333,
      status: "frozen",
    });
    for (const version of [sub.termsVersion, frozen, sub.termsVersion]) await books.fee(day, customer, version, 5n);
    await settle(day);
    const [record] = await records(day);
    // 15 × 0.333333 = 4.99 → 4; 15 × 0.1 = 1.5 → 1; (4 − 1) × 0.333333 = 0.99 → 0; the rest is 3.
    assert.equal(record!.fee_micros, 15n);
    assert.deepEqual(partsOf(record!), [4e-6, 1e-6, 0, 3e-6]);
  });

  it("BRK-13: amounts near the end of 64 bits are exact", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.999999 });
    const customer = await books.customer(kol, { ratio: 0.999998 });
    const fee = 1_000_000_000_000_000_001n;
    await books.fee(day, customer, kol.termsVersion, fee);
    await settle(day);
    const [record] = await records(day);
    assert.equal(record!.nominal_micros, (fee * 999_999n) / 1_000_000n);
    assert.equal(record!.customer_micros, (fee * 999_998n) / 1_000_000n);
    assert.equal(record!.net_micros, record!.nominal_micros - record!.customer_micros);
    // The totals would overflow if other tests were added to so large a day.
    await books.db.deleteFrom("broker_pre_settlement").where("day", "=", day).execute();
    await settle(day);
    assert.deepEqual(await records(day), []);
  });

  it("BRK-8: a rate change splits the day: each fill at its own terms, the record shows the last", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    await books.fee(day, customer, kol.termsVersion, 100n * USDT);
    const raised = await books.terms(kol, { rate: 0.5 });
    await books.fee(day, customer, raised, 100n * USDT);
    const settled = await settle(day);
    const [record] = await records(day);
    assert.deepEqual(partsOf(record!), [90, 20, 0, 70]);
    assert.equal(record!.rate_e6, 500_000);
    assert.equal(settled.record_count, 1);
  });

  it("REF-4: an affiliate's reward is a record of its own kind, apart from the brokers' sums", async () => {
    const day = newDay();
    const affiliate = walletOfAccount(77);
    const version = await books.affiliateTerms(500, affiliate, 0.05);
    await books.fee(day, { account: 500 }, version, 100n * USDT);
    const settled = await settle(day);
    const [record] = await records(day);
    assert.deepEqual([record!.kind, record!.broker_id, record!.net_payee], ["affiliate", null, affiliate]);
    assert.deepEqual(partsOf(record!), [5, 0, 0, 5]);
    assert.deepEqual([settled.record_count, settled.leaf_count, settled.affiliate_micros], [0, 1, 5n * USDT]);
    assert.equal(settled.fee_micros, 0n);
  });

  it("BRK-11: a record on which nothing is owed counts as paid; fees that do not count make none", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0 });
    const customer = await books.customer(kol, { ratio: 0 });
    const other = await books.customer(kol, { ratio: 0 });
    await books.fee(day, customer, kol.termsVersion, 1n);
    await books.fee(day, other, kol.termsVersion, 0n, { skipped_micros: 50n, reason: "self_trade" });
    const settled = await settle(day);
    const rows = await records(day);
    assert.deepEqual(
      rows.map(({ payment_status }) => payment_status),
      ["paid"],
    );
    assert.deepEqual([settled.record_count, settled.paid_count], [1, 1]);
  });

  it("BRK-9: a closed day stays closed, a second run writes nothing, and an empty day has a root", async () => {
    const day = newDay();
    const first = await settle(day, "provisional", at("00:01:00"));
    assert.deepEqual([first.status, first.revision, first.record_count], ["provisional", 1, 0]);
    const closed = await settle(day, "closed", at("00:02:00"));
    assert.deepEqual([closed.status, closed.revision], ["closed", 1]);
    const before = await digestOf(database.db);
    assert.equal((await settle(day, "provisional", at("00:03:00"))).status, "closed");
    assert.equal(await digestOf(database.db), before);
    const row = await books.db
      .selectFrom("rebate_period")
      .selectAll()
      .where("period", "=", day)
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.closed_at, row.calculated_at], [at("00:02:00"), at("00:02:00")]);
  });

  it("BRK-9: what is locked never changes; the difference is one adjustment, and the second rerun writes nothing", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    await books.fee(day, customer, kol.termsVersion, 100n * USDT);
    const first = await settle(day);
    const [original] = await records(day);
    await lock(original!.id);
    await books.fee(day, customer, kol.termsVersion, 10n * USDT);
    const second = await settle(day);
    assert.deepEqual(second.changes, { inserted: 1, updated: 0, deleted: 0 });
    assert.deepEqual([second.revision, second.record_count, second.broker_count], [first.revision + 1, 2, 1]);
    assert.equal(second.fee_micros, 110n * USDT);
    const [kept, adjustment] = await records(day);
    assert.deepEqual(kept, { ...original!, is_locked: true });
    assert.deepEqual([adjustment!.revision, ...partsOf(adjustment!)], [1, 4, 1, 0, 3]);
    const before = await digestOf(database.db);
    assert.deepEqual((await settle(day)).changes, { inserted: 0, updated: 0, deleted: 0 });
    assert.equal(await digestOf(database.db), before);

    // More fees arrive: an open adjustment grows; after it is locked, another adjustment follows.
    await books.fee(day, customer, kol.termsVersion, 10n * USDT);
    assert.deepEqual((await settle(day)).changes, { inserted: 0, updated: 1, deleted: 0 });
    await lock(adjustment!.id);
    await books.fee(day, customer, kol.termsVersion, 1n * USDT);
    await settle(day);
    assert.deepEqual(
      (await records(day)).map((row) => [row.revision, Number(row.fee_micros) / 1e6]),
      [
        [0, 100],
        [1, 20],
        [2, 1],
      ],
    );
    const history = await books.db
      .selectFrom("rebate_root")
      .selectAll()
      .where("period", "=", day)
      .orderBy("revision")
      .execute();
    assert.deepEqual(
      history.map(({ revision, leaf_count }) => [revision, leaf_count]),
      [
        [1, 1],
        [2, 2],
        [3, 2],
        [4, 3],
      ],
    );
  });

  it("BRK-9: an adjustment can take something back, and can take back all", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const customer = await books.customer(sub, { ratio: 0.1 });
    await books.fee(day, customer, sub.termsVersion, 100n * USDT);
    await settle(day);
    await lock((await records(day))[0]!.id);
    const sums = books.db.updateTable("broker_pre_settlement").where("day", "=", day);
    await sums.set({ counted_micros: 60n * USDT }).execute();
    await settle(day);
    const adjustment = (await records(day))[1]!;
    assert.deepEqual([adjustment.fee_micros, ...partsOf(adjustment)], [-40n * USDT, -12, -4, -1.6, -6.4]);
    assert.deepEqual([adjustment.share_payee, adjustment.payment_status], [kol.wallet, "pending"]);
    await sums.set({ counted_micros: 0n }).execute();
    await settle(day);
    const gone = (await records(day))[1]!;
    assert.deepEqual([gone.fee_micros, ...partsOf(gone)], [-100n * USDT, -30, -10, -4, -16]);
    const total = await books.db.selectFrom("broker_total").selectAll().where("broker_id", "=", sub.id).execute();
    assert.deepEqual([total[0]!.fee_micros, total[0]!.net_micros, total[0]!.records], [0n, 0n, 2n]);
  });

  it("the totals of downlines are rolled up once, and follow what is settled later", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    const rolled = () => database.db.transaction().execute((tx) => rollUp(brokerTx(tx), day));
    const totals = () =>
      books.db.selectFrom("broker_downline_total").selectAll().where("broker_id", "=", kol.id).execute();
    await books.fee(day, customer, kol.termsVersion, 100n * USDT);
    await settle(day, "provisional");
    assert.equal(await rolled(), false, "a day that still runs is not rolled up");
    await settle(day);
    assert.deepEqual([await rolled(), await rolled()], [true, false]);
    assert.deepEqual(
      (await totals()).map((row) => [row.downline_account, row.net_micros]),
      [[customer.account, 30n * USDT]],
    );
    await books.fee(day, customer, kol.termsVersion, 10n * USDT);
    await settle(day);
    assert.deepEqual(
      (await totals()).map((row) => [row.fee_micros, row.net_micros]),
      [[110n * USDT, 33n * USDT]],
    );
  });

  it("INV-4: holds after all of this, and notices what was changed by hand", async () => {
    const check = createRebateInvariant({ database });
    const good = await check();
    assert.equal(good.ok, true, good.detail);
    assert.match(
      good.detail,
      /^records of the last \d+ of \d+ settled days add up; a rerun of 2026-05-\d\d gives the same/,
    );
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    await books.fee(day, customer, kol.termsVersion, 100n * USDT);
    await settle(day);
    const faults = [
      {
        change: sql`update rebate_record set net_micros = net_micros - 1, customer_micros = customer_micros + 1 where period = ${day}`,
        detail: /rerun/,
      },
      {
        change: sql`update rebate_record set leaf = sha256('x') where period = ${day}`,
        detail: /do not lead to its root/,
      },
      {
        change: sql`update broker_day_total set net_micros = net_micros + 1 where period = ${day}`,
        detail: /totals of a broker's day/,
      },
      {
        change: sql`update broker_total set fee_micros = fee_micros + 1 where broker_id = ${kol.id}`,
        detail: /settled days/,
      },
      {
        change: sql`update broker_pre_settlement set terms_version = 987654 where day = ${day}`,
        detail: /terms that do not exist/,
      },
    ];
    for (const { change, detail } of faults) {
      const undone = new Error("undone");
      const attempt = database.db.transaction().execute(async (tx) => {
        await change.execute(tx);
        const finding = await createRebateInvariant({ database: within(tx) })();
        assert.equal(finding.ok, false);
        assert.match(finding.detail, detail);
        throw undone;
      });
      await assert.rejects(attempt, undone);
    }
    assert.equal((await check()).ok, true);
  });

  it("a settlement that fails at any statement leaves nothing behind, and the next one is as if it had not been", async () => {
    const day = newDay();
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const [first, second] = [await books.customer(kol, { ratio: 0.1 }), await books.customer(sub, { ratio: 0.1 })];
    await books.fee(day, first, kol.termsVersion, 100n * USDT);
    await books.fee(day, second, sub.termsVersion, 100n * USDT);
    await settle(day);
    await database.db.transaction().execute((tx) => rollUp(brokerTx(tx), day));
    const rows = await records(day);
    await lock(rows.find(({ broker_id }) => broker_id === kol.id)!.id);
    await books.fee(day, first, kol.termsVersion, 7n * USDT);
    await books.fee(day, second, sub.termsVersion, 7n * USDT);
    await books.fee(day, sub, sub.termsVersion, 7n * USDT);
    const before = await digestOf(database.db);
    let failures = 0;
    for (let statements = 0; ; statements += 1) {
      const attempt = database.db.transaction().execute((tx) => {
        const failing = failingAfter(tx, statements);
        return settlePeriod(failing, { period: day, status: "closed", now: at("01:00:00") });
      });
      const outcome = await attempt.then(
        () => "done",
        (error: Error) => error.message,
      );
      if (outcome === "done") break;
      assert.equal(outcome, "broken off");
      assert.equal(await digestOf(database.db), before, `after ${statements} statements`);
      failures += 1;
    }
    assert.ok(failures >= 10, `${failures} statements`);
    const [kept, ...others] = await records(day);
    assert.equal(kept!.revision, 0);
    assert.deepEqual(
      others.map(({ revision }) => revision),
      [0, 0, 1],
    );
    assert.deepEqual((await settle(day)).changes, { inserted: 0, updated: 0, deleted: 0 });
    const finding = await createRebateInvariant({ database })();
    assert.equal(finding.ok, true, finding.detail);
  });
});

/** The database as seen inside a transaction that will be rolled back. */
const within = (tx: Tx) =>
  ({
    db: { transaction: () => ({ setIsolationLevel: () => ({ execute: <T>(work: (inner: Tx) => T) => work(tx) }) }) },
  }) as unknown as Pick<TestDatabase, "db">;

/** A transaction that fails after this number of statements. */
function failingAfter(tx: Tx, statements: number): Tx {
  let done = 0;
  const plugin = {
    transformQuery: ({ node }: { node: never }) => {
      done += 1;
      if (done > statements) throw new Error("broken off");
      return node;
    },
    transformResult: async ({ result }: { result: never }) => result,
  };
  return tx.withPlugin(plugin as never) as unknown as Tx;
}
