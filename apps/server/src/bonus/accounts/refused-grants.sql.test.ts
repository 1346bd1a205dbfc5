import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { BUY, PLAIN_ORDER, SELL } from "@bourse/engine";
import { sql } from "kysely";
import { type BonusBench, benchWallet, createBonusBench } from "./testing/bonus-bench.ts";

const USDT = 1_000_000;
const [BTC, ETH] = [0, 1];

describe("BON-15: a grant that the engine refuses because of a debt", () => {
  let bench: BonusBench;
  let debtor: number;
  let maker: number;
  before(async () => {
    bench = await createBonusBench();
    debtor = await bench.deposit(1, 2_000);
    maker = await bench.deposit(2, 1_000_000);
  });
  after(() => bench.close());

  const price = (market: number, ticks: number) =>
    bench.submit({ kind: "set_price", market, indexTicks: ticks, markTicks: ticks });
  async function trade(market: number, side: typeof BUY | typeof SELL, lots: number, ticks: number) {
    const order = { ...PLAIN_ORDER, kind: "place_order", market, lots, ticks } as const;
    await bench.submit({ ...order, account: maker, side: side === BUY ? SELL : BUY });
    await bench.submit({ ...order, account: debtor, side });
  }

  it("leaves wallet and code free and the pool as it was, even if it went into debt on the way", async () => {
    const { tickOf, lotsOf } = unitsOf(bench);
    await price(BTC, tickOf(BTC, 60_000));
    await price(ETH, tickOf(ETH, 3_000));
    await trade(ETH, BUY, lotsOf(ETH, 2), tickOf(ETH, 3_000));
    await trade(BTC, BUY, lotsOf(BTC, 0.2), tickOf(BTC, 60_000));
    await price(ETH, tickOf(ETH, 3_900));
    await price(BTC, tickOf(BTC, 48_000));
    await bench.dispatcher.stop();
    const before = await bench.pool();
    // Decided while the account has money …
    const [issued] = await bench.decide([benchWallet(1)], 500n * BigInt(USDT));
    const id = issued!.bonus_account_id;
    const code_hash = createHash("sha256").update("a code").digest();
    await sql`
      insert into bonus_code (code_hash, batch_id, request_id, place, amount_micros, expires_at, status, redeemed_by, redeemed_at, created_at)
      select ${code_hash}, batch_id, 'codes', 0, amount_micros, expires_at, 'redeemed', address, granted_at, granted_at
      from bonus_account where id = ${id}`.execute(bench.db);
    await sql`update bonus_account set code_hash = ${code_hash} where id = ${id}`.execute(bench.db);
    // … and applied when its principal is below zero.
    await trade(BTC, SELL, lotsOf(BTC, 0.2), tickOf(BTC, 48_000));
    assert.ok(bench.exchange.engine.state.accounts.principal(debtor) < 0);
    bench.dispatcher.start();
    await bench.settle();
    const row = await bench.row(id);
    assert.deepEqual([row.status, row.refusal, row.is_credited], ["refused", "account_in_debt", false]);
    assert.deepEqual(
      (await bench.linesOf(id)).map(({ kind, amount_micros }) => [kind, amount_micros]),
      [
        ["GRANT", 500n * BigInt(USDT)],
        ["REFUSED", 500n * BigInt(USDT)],
      ],
    );
    const { granted_micros, returned_micros } = await bench.pool();
    assert.equal(granted_micros - returned_micros, before.granted_micros - before.returned_micros);
    const code = await bench.db.selectFrom("bonus_code").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([code.status, code.redeemed_by, code.redeemed_at], ["unused", null, null]);
  });

  it("the same wallet and the same code can be granted later, once", async () => {
    await bench.deposit(1, 2_000);
    const [issued] = await bench.grant([benchWallet(1)], 500n * BigInt(USDT));
    const row = await bench.row(issued!.bonus_account_id);
    assert.deepEqual([row.status, row.is_credited, row.refusal], ["active", true, null]);
    await assert.rejects(bench.decide([benchWallet(1)], 500n * BigInt(USDT)), /bonus_account_(once|running)/);
  });
});

function unitsOf(bench: BonusBench) {
  const marketOf = (market: number) => bench.exchange.engine.state.markets[market]!.definition;
  return {
    tickOf: (market: number, price: number) => Math.round((price * 1e8) / marketOf(market).tickSize_e8),
    lotsOf: (market: number, size: number) => Math.round((size * 1e8) / marketOf(market).lotSize_e8),
  };
}
