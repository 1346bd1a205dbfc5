import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { brokerDb, brokerTx } from "../tables.ts";
import { createRebateInvariant } from "./invariant.ts";
import type { RebateRecordRow } from "./leaf.ts";
import { settlePeriod } from "./settle.ts";
import { digestOf } from "./testing/digest.ts";
import { type OracleRecord, oracleId, oracleLeaf, oracleRoot, oracleSettle } from "./testing/oracle.ts";
import { RandomBooks, randomNumbers } from "./testing/random-books.ts";
import { rollUp } from "./totals.ts";

const DAYS = ["2026-06-01", "2026-06-02", "2026-06-03"];
const USUAL_SEEDS = process.env["TEST_DEPTH"] === "long" ? "rebate-1,rebate-2" : "rebate-1";
const SEEDS = (process.env["REBATE_SEEDS"] ?? USUAL_SEEDS).split(",");
const ROUNDS = 10;
const FILLS_PER_ROUND = 220;

/** The oracle's record as a row of the table. */
const rowOf = (books: RandomBooks["oracle"], period: string, record: OracleRecord) => {
  const wallet = books.wallets.get(record.account) ?? "";
  return {
    id: oracleId(period, record, wallet),
    period,
    kind: record.kind,
    broker_id: record.kind === "broker" ? record.owner : null,
    downline_account: record.account,
    downline_wallet: wallet,
    revision: record.revision,
    fee_micros: record.fee,
    nominal_micros: record.nominal,
    customer_micros: record.customer,
    share_micros: record.share,
    net_micros: record.net,
    rate_e6: record.rate_e6,
    customer_ratio_e6: record.ratio_e6,
    share_ratio_e6: record.share_e6,
    net_payee: record.netPayee,
    parent_broker_id: record.parent ?? null,
    share_payee: record.sharePayee ?? null,
    leaf: oracleLeaf(period, record, wallet),
    is_locked: record.isLocked,
    payment_status: [record.customer, record.share, record.net].every((part) => part === 0n) ? "paid" : "pending",
    payment_tx_hash: null,
  };
};

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

for (const seed of SEEDS) {
  describe(`settlement against the oracle, seed ${seed}`, () => {
    let database: TestDatabase;
    let books: RandomBooks;
    const { below, oneIn } = randomNumbers(`${seed} moves`);
    const expected = new Map<string, OracleRecord[]>();
    let compared = 0;
    let adjustments = 0;

    before(async () => {
      database = await openTestDatabase(migrations);
      books = new RandomBooks(database, seed, DAYS);
      await books.fillWithPartners(6, 5, 25, 4);
    });
    after(() => database.close());

    const read = (period: string): Promise<RebateRecordRow[]> =>
      brokerDb(database).selectFrom("rebate_record").selectAll().where("period", "=", period).orderBy("id").execute();

    async function settle(period: string): Promise<void> {
      const now = new Date(`${period}T23:00:00Z`);
      const status = oneIn(2) ? "closed" : "provisional";
      const run = () => database.db.transaction().execute((tx) => settlePeriod(tx, { period, status, now }));
      const first = await run();
      const digest = await digestOf(database.db);
      const second = await run();
      assert.equal(await digestOf(database.db), digest, "a rerun writes nothing");
      assert.deepEqual(second.changes, { inserted: 0, updated: 0, deleted: 0 });
      assert.deepEqual({ ...second, changes: first.changes }, first);
      const records = oracleSettle(books.oracle, period, expected.get(period) ?? []);
      expected.set(period, records);
      const rows = records.map((record) => rowOf(books.oracle, period, record)).sort(byId);
      assert.deepEqual(await read(period), rows);
      assert.equal(
        first.root.toString("hex"),
        oracleRoot(
          period,
          rows.map(({ leaf }) => leaf),
        ).toString("hex"),
      );
      compared += rows.length;
      adjustments += rows.filter(({ revision }) => revision > 0).length;
    }

    /** Locks records as a batch does. */
    async function lockSome(period: string): Promise<void> {
      for (const record of expected.get(period) ?? []) {
        const isOwed = [record.customer, record.share, record.net].some((part) => part !== 0n);
        // A record that was in a batch stays locked, even if the batch is cancelled.
        if (record.isLocked || !isOwed || !oneIn(5)) continue;
        record.isLocked = true;
        const id = rowOf(books.oracle, period, record).id;
        await brokerDb(database).updateTable("rebate_record").set({ is_locked: true }).where("id", "=", id).execute();
      }
    }

    async function judgeTotals(): Promise<void> {
      const wanted = new Map<string, bigint[]>();
      const add = (broker: string, amounts: bigint[]) => {
        const sums = wanted.get(broker) ?? amounts.map(() => 0n);
        wanted.set(
          broker,
          sums.map((sum, place) => sum + amounts[place]!),
        );
      };
      for (const { kind, owner, parent, fee, nominal, customer, share, net } of [...expected.values()].flat()) {
        if (kind === "broker") add(owner, [1n, fee, nominal, customer, share, net, 0n]);
        if (parent !== undefined) add(parent, [0n, 0n, 0n, 0n, 0n, 0n, share]);
      }
      const rows = await brokerDb(database).selectFrom("broker_total").selectAll().execute();
      const found = rows.map((row): [string, bigint[]] => [
        row.broker_id,
        [
          row.records,
          row.fee_micros,
          row.nominal_micros,
          row.customer_micros,
          row.share_micros,
          row.net_micros,
          row.share_income_micros,
        ],
      ]);
      const nothing = (sums: readonly bigint[]) => sums.every((sum) => sum === 0n);
      assert.deepEqual(
        new Map(found.filter(([, sums]) => !nothing(sums)).sort()),
        new Map([...wanted].filter(([, sums]) => !nothing(sums)).sort()),
      );
      const finding = await createRebateInvariant({ database })();
      assert.equal(finding.ok, true, finding.detail);
    }

    it("BRK-13: every record agrees to the last unit, whatever changes in between", async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const period = DAYS[Math.min(below(4), DAYS.length - 1)]!;
        await books.trade(period, FILLS_PER_ROUND);
        if (oneIn(2)) await books.changeTerms();
        if (oneIn(3)) await books.promoteCustomer();
        await books.trade(period, FILLS_PER_ROUND);
        await settle(period);
        await lockSome(period);
        if (oneIn(2)) await database.db.transaction().execute((tx) => rollUp(brokerTx(tx), period));
        await judgeTotals();
      }
      for (const period of DAYS) await settle(period);
      await judgeTotals();
      assert.ok(compared > 400 && adjustments > 20, `${compared} records compared, ${adjustments} adjustments`);
    });

    it("INV-4: the parts of all revisions of a record add up to its nominal, which is at most the fee", async () => {
      const { rows } = await sql<{ wrong: number; records: number }>`
        select count(*)::int as records,
          count(*) filter (where customer + share + net <> nominal or nominal > fee or least(customer, share, net) < 0)::int
            as wrong
        from (
          select sum(fee_micros) as fee, sum(nominal_micros) as nominal, sum(customer_micros) as customer,
            sum(share_micros) as share, sum(net_micros) as net
          from rebate_record group by period, kind, broker_id, net_payee, downline_account
        ) as sums`.execute(database.db);
      assert.ok(rows[0]!.records > 50);
      assert.equal(rows[0]!.wrong, 0);
    });
  });
}
