import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { assertWalksOnce, type ListUnderTest } from "../../testing/page-walk.ts";
import { BrokerBooks, walletOfAccount } from "../testing/books.ts";
import { explainRecord } from "./explain.ts";
import type { Viewer } from "./record-access.ts";
import { settlePeriod } from "./settle.ts";
import { readSkippedFills } from "./skipped-fills.ts";

const USDT = 1_000_000n;
const DAY = "2026-06-01";
const ADMIN: Viewer = { isAdmin: true };
const ALL_DAYS = { from: DAY, to: DAY };

describe("BRK-17: explain", () => {
  let database: TestDatabase;
  let books: BrokerBooks;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new BrokerBooks(database);
  });
  after(() => database.close());

  const settle = () =>
    database.db.transaction().execute((tx) => settlePeriod(tx, { period: DAY, status: "closed", now: new Date() }));
  const recordsOf = (wallet: string) =>
    books.db
      .selectFrom("rebate_record")
      .selectAll()
      .where("downline_wallet", "=", wallet)
      .orderBy("revision")
      .execute();

  it("an adjustment is the groups less the other revisions, and each line tells how far its payment has come", async () => {
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2 });
    const customer = await books.customer(sub, { ratio: 0.1 });
    await books.fee(DAY, customer, sub.termsVersion, 100n * USDT);
    await settle();
    const [original] = await recordsOf(customer.wallet);
    await putIntoBatch(original!.id, { payee: customer.wallet, kind: "customer", isPaid: true });
    await putIntoBatch(original!.id, { payee: sub.wallet, kind: "kol", isPaid: false });
    await books.fee(DAY, customer, sub.termsVersion, 50n * USDT);
    await settle();
    const [, adjustment] = await recordsOf(customer.wallet);
    const explained = await explainRecord(books.db, adjustment!.id, ADMIN);
    assert.deepEqual(
      explained.groups.map(({ fee, nominal, customer: part, share, net }) => [fee, nominal, part, share, net]),
      [["150.00", "45.00", "15.00", "6.00", "24.00"]],
    );
    assert.deepEqual([explained.record.fee, explained.record.net, explained.record.revision], ["50.00", "8.00", 1]);
    assert.deepEqual(
      explained.other_revisions.map(({ id, revision, fee, net }) => [id, revision, fee, net]),
      [[original!.id, 0, "100.00", "16.00"]],
    );
    assert.deepEqual(explained.unsettled, {
      fee: "0.00",
      nominal: "0.00",
      customer: "0.00",
      share: "0.00",
      net: "0.00",
    });
    assert.match(explained.formula, /net = 24\.00 of all groups − 16\.00 in other revisions = 8\.00$/);
    assert.equal(explained.fills_total, 2);
    assert.deepEqual(
      explained.lines.map(({ kind, amount, status }) => [kind, amount, status]),
      [
        ["customer", "5.00", "pending"],
        ["kol", "8.00", "pending"],
        ["share", "2.00", "pending"],
      ],
    );
    const first = await explainRecord(books.db, original!.id, ADMIN);
    assert.deepEqual(
      first.lines.map(({ kind, payee, status }) => [kind, payee, status]),
      [
        ["customer", customer.wallet, "paid"],
        ["kol", sub.wallet, "in_batch"],
        ["share", kol.wallet, "pending"],
      ],
    );
  });

  it("REF-4: an affiliate sees what its reward comes from, and the trader as well", async () => {
    const affiliate = walletOfAccount(0xaffe);
    const version = await books.affiliateTerms(700, affiliate, 0.05);
    await books.fee(DAY, { account: 700 }, version, 10n * USDT);
    await settle();
    const [record] = await recordsOf(walletOfAccount(700));
    for (const wallet of [affiliate, walletOfAccount(700)]) {
      const explained = await explainRecord(books.db, record!.id, { isAdmin: false, wallet });
      const [group] = explained.groups;
      assert.deepEqual(
        [group!.scenario, group!.rate, group!.nominal, group!.net],
        ["affiliate", "0.05", "0.50", "0.50"],
      );
      assert.deepEqual(group!.chain, [{ wallet: affiliate, role: "affiliate", rate: "0.05" }]);
      assert.deepEqual(explained.lines, [{ kind: "affiliate", payee: affiliate, amount: "0.50", status: "pending" }]);
    }
    const stranger: Viewer = { isAdmin: false, wallet: walletOfAccount(1) };
    await assert.rejects(explainRecord(books.db, record!.id, stranger), { status: 404, code: "NOT_FOUND" });
  });

  const cursors = new PageCursors(Buffer.alloc(32, 5));
  const skippedOf = (broker: { readonly id: string; readonly account: number }, limit: number, cursor?: string) =>
    readSkippedFills({ db: books.db, cursors }, { broker, range: ALL_DAYS, asked: {} }, { limit, cursor });

  it("BRK-7: of many skipped fills the newest are shown, and a sub-KOL's own are its parent's to see", async () => {
    const kol = await books.kol({ rate: 0.4 });
    const sub = await books.kol({ rate: 0.3, parent: kol, parentRate: 0.4 });
    const customer = await books.customer(kol, { ratio: 0.1 });
    const skipped = { skipped_micros: 5n, reason: "paid_by_bonus" };
    for (let count = 0; count < 4; count += 1) await books.fee(DAY, customer, kol.termsVersion, 0n, skipped);
    await books.fee(DAY, sub, sub.termsVersion, 0n, { ...skipped, reason: "liquidation" });
    await books.fee(DAY, kol, kol.termsVersion, 3n, { ...skipped, reason: "partly_paid_by_bonus" });
    await books.fee(DAY, customer, kol.termsVersion, 9n * USDT);
    const { items: fills } = await skippedOf(kol, 3);
    assert.deepEqual(
      fills.map(({ downline_wallet, reason, counted }) => [downline_wallet, reason, counted]),
      [
        [kol.wallet, "partly_paid_by_bonus", "0.000003"],
        [sub.wallet, "liquidation", "0.00"],
        [customer.wallet, "paid_by_bonus", "0.00"],
      ],
    );
    assert.equal((await skippedOf(kol, 500)).items.length, 6);
    const list: ListUnderTest = {
      async read(query) {
        const parameters = new URLSearchParams(query);
        const cursor = parameters.get("cursor") ?? undefined;
        return { status: 200, body: await skippedOf(kol, Number(parameters.get("limit")), cursor) };
      },
      olderName: "fills",
      idOf: ({ trade_id, side }) => [trade_id, side],
    };
    for (const limit of [1, 2, 4]) {
      const add = () => books.fee(DAY, sub, sub.termsVersion, 0n, skipped);
      await assertWalksOnce(list, add, { limit, isNewestFirst: true });
    }
    assert.deepEqual((await skippedOf(sub, 500)).items, []);
  });

  async function putIntoBatch(
    record_id: string,
    { payee, kind, isPaid }: { payee: string; kind: "customer" | "kol"; isPaid: boolean },
  ): Promise<void> {
    const record = await books.db
      .selectFrom("rebate_record")
      .selectAll()
      .where("id", "=", record_id)
      .executeTakeFirstOrThrow();
    const amount_micros = kind === "customer" ? record.customer_micros : record.net_micros;
    const [now, batch_id] = [new Date("2026-06-02T12:00:00Z"), record_id.replace(/^./, kind === "kol" ? "a" : "b")];
    const figures = { line_count: 1, payee_count: 1, total_micros: amount_micros, min_amount_micros: 0n };
    const about = { status: "paying" as const, way: "chain" as const, period: DAY, sha256: "", created_by: "admin" };
    const times = { created_at: now, updated_at: now };
    await books.db
      .insertInto("payout_batch")
      .values({ id: batch_id, ...figures, ...about, ...times })
      .execute();
    const paid = isPaid ? { tx_hash: `0x${"1".repeat(64)}`, paid_at: now } : {};
    await books.db
      .insertInto("payout_payee")
      .values({ batch_id, payee, amount_micros, line_count: 1, ...paid })
      .execute();
    await books.db.insertInto("payout_line").values({ record_id, kind, batch_id, payee, amount_micros }).execute();
    await books.db.updateTable("rebate_record").set({ is_locked: true }).where("id", "=", record_id).execute();
  }
});
