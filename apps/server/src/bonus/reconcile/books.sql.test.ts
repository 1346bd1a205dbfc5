import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BUY, PLAIN_ORDER, SELL } from "@bourse/engine";
import { type BonusBench, benchWallet, createBonusBench } from "../accounts/testing/bonus-bench.ts";
import { Reconciliation } from "./reconciliation.ts";

const USDT = 1_000_000n;
const PRICE_ticks = 600_000;

describe("the books against the engine", () => {
  let bench: BonusBench;
  let reconciliation: Reconciliation;
  before(async () => {
    bench = await createBonusBench();
    const backing = { sums: async () => undefined };
    reconciliation = new Reconciliation({ ...bench, backing, cap_micros: 100_000n * USDT });
    await bench.submit({ kind: "set_price", market: 0, indexTicks: PRICE_ticks, markTicks: PRICE_ticks });
  });
  after(() => bench.close());

  const accounts = () => bench.exchange.engine.state.accounts;

  async function deposit(address: string, amount_micros: number): Promise<number> {
    const account = await bench.directory.ensure(address);
    const payload = { kind: "deposit", account, amount_micros };
    await bench.database.db
      .transaction()
      .execute((tx) => bench.outbox.enqueue(tx, { topic: "exchange", ref: `deposit-${address}`, payload }));
    await bench.settle();
    return account;
  }
  const place = (account: number, side: 0 | 1, lots: number) =>
    bench.submit({
      ...PLAIN_ORDER,
      account,
      market: 0,
      side,
      ticks: PRICE_ticks,
      lots,
    });

  it("BON-11: grants in flight stand apart and disturb nothing", async () => {
    await bench.grant([benchWallet(1)], 100n * USDT);
    await bench.dispatcher.stop();
    await bench.decide([benchWallet(2)], 30n * USDT);
    const report = await reconciliation.report();
    assert.deepEqual(
      [report.ok, report.net_outflow, report.in_flight_count, report.in_flight_total, report.within_cap],
      [true, "100.00", 1, "30.00", true],
    );
    assert.equal(report.in_flight_grants[0]?.address, benchWallet(2));
    const { ok, detail } = await reconciliation.invariant();
    assert.equal(ok, true);
    assert.match(detail, /30\.00 USDT of grants in flight/);
    bench.dispatcher.start();
    await bench.settle();
    assert.deepEqual(
      [(await reconciliation.report()).net_outflow, (await reconciliation.report()).in_flight_count],
      ["130.00", 0],
    );
  });

  it("BON-11: an engine that holds another amount than was granted: frozen, stopped, and back", async () => {
    const [issued] = await bench.grant([benchWallet(3)], 10n * USDT);
    const account = issued?.account ?? 0;
    accounts().setBonus(account, accounts().bonus(account) + 1);
    const run = await reconciliation.run();
    assert.deepEqual(
      [run.report.ok, run.report.difference, run.frozen, run.report.mismatching_accounts[0]?.address],
      [false, "-0.000001", 1, benchWallet(3)],
    );
    const row = await bench.row(issued?.bonus_account_id ?? 0n);
    assert.deepEqual(
      [row.status, row.freeze_reason],
      ["frozen", "reconciliation: pool ledger 10.00, account 10.000001 USDT"],
    );
    assert.match((await bench.pool()).stopped_reason ?? "", /differ by -0\.000001 USDT; 1 accounts do not add up/);
    accounts().setBonus(account, accounts().bonus(account) - 1);
    assert.equal((await reconciliation.run()).report.ok, true);
    assert.equal((await bench.pool()).stopped_reason, null);
  });

  it("BON-11: two errors that cancel each other out are two errors", async () => {
    const issued = await bench.grant([benchWallet(4), benchWallet(5)], 10n * USDT);
    const [first = 0, second = 0] = issued.map(({ account }) => account);
    accounts().setBonus(first, accounts().bonus(first) + 5);
    accounts().setBonus(second, accounts().bonus(second) - 5);
    const { report, frozen } = await reconciliation.run();
    assert.deepEqual([report.ok, report.difference, report.mismatching_count, frozen], [false, "0.00", 2, 2]);
    assert.notEqual((await bench.pool()).stopped_reason, null);
    accounts().setBonus(first, accounts().bonus(first) - 5);
    accounts().setBonus(second, accounts().bonus(second) + 5);
    assert.equal((await reconciliation.run()).report.ok, true);
  });

  it("BON-11: looked at again and again while grants, trades and recalls go on, they always agree", async () => {
    const maker = await deposit(benchWallet(50), 10 ** 13);
    const traders = Array.from({ length: 40 }, (_, at) => benchWallet(100 + at));
    let isTrading = true;
    const trade = async () => {
      for (const address of traders) {
        const [issued] = await bench.decide([address], 50n * USDT);
        bench.dispatcher.notify();
        const account = issued?.account ?? 0;
        await bench.engineRequests.answer(bench.grantRef(issued?.bonus_account_id ?? 0n), 10_000);
        await Promise.all([place(maker, SELL, 2), place(account, BUY, 2)]);
        await Promise.all([place(maker, BUY, 1), place(account, SELL, 1)]);
        if (account % 2 === 0) await Promise.all([place(maker, BUY, 1), place(account, SELL, 1)]);
      }
      isTrading = false;
    };
    const trading = trade();
    let looks = 0;
    while (isTrading) {
      const report = await reconciliation.report();
      assert.equal(report.ok, true, JSON.stringify(report));
      looks += 1;
    }
    await trading;
    await bench.settle();
    assert.ok(looks > 5, `${looks} looks`);
    const last = await reconciliation.report();
    assert.deepEqual([last.ok, last.in_flight_count], [true, 0]);
    assert.ok(Number(last.sums_by_kind["CONSUME_FEE"]) > 0 && Number(last.sums_by_kind["RECALL"]) > 0);
  });

  it("BON-11: tables that do not come far enough in time: 503, and nothing is decided", async () => {
    const stuck = new Reconciliation({
      ...bench,
      backing: { sums: async () => undefined },
      cap_micros: 1n,
      projector: {
        ...bench.projector,
        waitFor: (number: number) => bench.projector.waitFor(number + 1_000_000, 5),
      } as never,
    });
    await assert.rejects(stuck.report(), { status: 503, code: "not_ready" });
    await assert.rejects(stuck.run(), { status: 503 });
  });
});
