import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAudit, BUY, PLAIN_ORDER, SELL, TRADING } from "@bourse/engine";
import { type Bench, createBench, testAddress } from "../exchange/account/testing.ts";
import { DAY_ms, HOUR_ms } from "../kernel/dates.ts";
import { walletDb } from "./tables.ts";

const usdt = (amount: number) => amount * 1_000_000;

describe("VLT-4: when the fund has lost too much in a market", () => {
  let bench: Bench;
  let number = 900;
  before(async () => {
    bench = await createBench();
    await bench.database.db
      .transaction()
      .execute((tx) => bench.engineRequests.tell(tx, "seed", { kind: "seed_fund", amount_micros: usdt(10_000) }));
    await bench.dispatcher.idle();
  });
  after(async () => {
    assertAudit(bench.exchange.engine);
    await bench.close();
  });

  async function trader(amount: number, leverage = 10) {
    number += 1;
    const address = testAddress(number);
    await bench.deposits.credit(address, usdt(amount), `fund:${number}`);
    const account = bench.directory.numberOf(address)!;
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage });
    return { address, account, token: await bench.tokenOf(address) };
  }
  type Trader = Awaited<ReturnType<typeof trader>>;

  async function trade(buyer: Trader, seller: Trader, size: number, price: number): Promise<void> {
    const order = { ...PLAIN_ORDER, kind: "place_order", market: 0, lots: size * 1_000, ticks: price * 10 } as const;
    await bench.submit({ ...order, account: seller.account, side: SELL });
    const { events } = await bench.submit({ ...order, account: buyer.account, side: BUY });
    assert.ok(
      events.some(({ kind }) => kind === "fill"),
      JSON.stringify(events),
    );
  }
  async function price(value: number) {
    await bench.clock.advance(1_000);
    const { events } = await bench.submit({
      kind: "set_price",
      market: 0,
      indexTicks: value * 10,
      markTicks: value * 10,
    });
    return events;
  }
  const holds = async () => {
    await bench.projector.waitForAll();
    const rows = await walletDb(bench.database).selectFrom("withdrawal_hold").selectAll().orderBy("account").execute();
    return rows.map(({ account, reason, amount_micros, ends_at, wait_ms }) => ({
      account,
      reason,
      amount_micros,
      ends_at,
      wait_ms,
    }));
  };

  it("gains of those who traded directly with a bankrupt account are held for a day, up to the outflow; others are not", async () => {
    await price(60_000);
    const bankrupt = await trader(1_000, 50);
    const winner = await trader(100_000);
    const stranger = await trader(100_000);
    const other = await trader(100_000);
    // The winner sells the bankrupt its long, and closes in profit; strangers gain as much from each other.
    await trade(bankrupt, winner, 0.5, 60_000);
    await trade(other, stranger, 0.5, 60_000);
    await price(58_500);
    assert.deepEqual(await holds(), []);
    await price(58_200);
    await trade(winner, other, 0.5, 58_200);
    await trade(stranger, other, 0.5, 58_200);
    assert.deepEqual(await holds(), [], "winners are not held in general");
    const events = await price(51_000);
    const capped = events.find(({ kind }) => kind === "fund_capped");
    assert.ok(capped?.kind === "fund_capped", JSON.stringify(events.map(({ kind }) => kind)));
    const gain = BigInt(usdt(900));
    const outflow = BigInt(capped.outflow_micros);
    const ends_at = new Date(bench.clock.now() + DAY_ms);
    assert.deepEqual(await holds(), [
      {
        account: winner.account,
        reason: "fund_capped",
        amount_micros: gain < outflow ? gain : outflow,
        ends_at,
        wait_ms: BigInt(DAY_ms),
      },
    ]);
    const { body } = await bench.call("GET", "/withdraw/holds", winner.token);
    assert.deepEqual(
      body.items.map(({ reason, until }: { reason: string; until: number }) => [reason, until]),
      [["fund_capped", ends_at.getTime()]],
    );
    assert.deepEqual((await bench.call("GET", "/withdraw/holds", stranger.token)).body.items, []);
  });

  it("who traded with it more than an hour before is not held", async () => {
    const before_ = (await holds()).length;
    await bench.clock.advance(2 * HOUR_ms);
    await price(51_000);
    await bench.submit({ kind: "set_market_status", market: 0, status: TRADING });
    const bankrupt = await trader(1_000, 50);
    const winner = await trader(100_000);
    await trade(bankrupt, winner, 0.5, 51_000);
    await bench.clock.advance(HOUR_ms + 1_000);
    const far = await trader(100_000);
    await price(51_000);
    await trade(winner, far, 0.5, 51_000);
    await price(49_500);
    await price(49_200);
    const events = await price(43_000);
    if (events.some(({ kind }) => kind === "fund_capped")) assert.equal((await holds()).length, before_);
    else assert.fail(JSON.stringify(events.map(({ kind }) => kind)));
  });
});
