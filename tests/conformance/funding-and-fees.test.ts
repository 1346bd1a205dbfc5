import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import { botKinds } from "./clients/all.ts";
import { type Bot, refused } from "./clients/bot.ts";
import { type ConformanceExchange, sharedExchange, sum } from "./exchange.ts";

const HOUR_ms = 3_600_000;
/** FUT-14: an hour without a premium. */
const CALM_RATE = 0.0000125;

async function insuranceFund(baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/fapi/v1/insuranceBalance?symbol=BTCUSDT`);
  const { assets } = (await response.json()) as { assets: { balance: string }[] };
  return Number(assets[0]?.balance);
}

for (const { name, connect } of botKinds) {
  describe(`funding, fees and settings: ${name}`, () => {
    let exchange: ConformanceExchange;
    let long: Bot;
    let short: Bot;

    before(async () => {
      exchange = await sharedExchange();
      const [own, others] = await Promise.all([exchange.openTrader(), exchange.openTrader()]);
      [long, short] = await Promise.all([connect(exchange.baseUrl, own), connect(exchange.baseUrl, others)]);
      await synchronize();
    });

    after(async () => {
      // So that the funding of the next client involves only its own positions.
      await long.limit({ side: "SELL", quantity: 0.001, price: 60_000 });
      await short.market("BUY", 0.001);
    });

    const synchronize = () => Promise.all([long.synchronize(), short.synchronize()]);

    /** The long bot is the maker, the short one the taker. */
    async function trade(quantity: number, price: number): Promise<void> {
      await long.limit({ side: "BUY", quantity, price });
      const sold = await short.market("SELL", quantity);
      assert.deepEqual([sold.filled, sold.average], [quantity, price]);
    }

    it("T1: has cross margin and one-way positions, and says no to the others", async () => {
      await long.setIsolated(false);
      await refused(long, long.setIsolated(true), -4046);
      await long.setHedged(false);
      await refused(long, long.setHedged(true), -4059);
      assert.equal(await long.isHedged(), false);
    });

    it("FUT-10: sets the leverage within the brackets", async () => {
      assert.equal(await long.setLeverage(25), 25);
      await refused(long, long.setLeverage(51), -4028);
      assert.deepEqual(await long.leverageTiers(), [
        { cap: 100_000, leverage: 50, rate: 0.01 },
        { cap: 500_000, leverage: 25, rate: 0.02 },
        { cap: 2_000_000, leverage: 20, rate: 0.025 },
        { cap: 5_000_000, leverage: 10, rate: 0.05 },
        { cap: 10_000_000, leverage: 5, rate: 0.1 },
        { cap: 20_000_000, leverage: 2, rate: 0.25 },
      ]);
    });

    it("FUT-14: settles an hour's funding: the long pays up, the short gets less, the fund keeps the rest", async () => {
      await exchange.pinPrice("BTCUSDT", "60000.1");
      await trade(0.001, 60_000.1);
      const before_ms = (await long.premium()).next_ms;
      const fundBefore = await insuranceFund(exchange.baseUrl);
      const [longBefore, shortBefore] = [await long.balance(), await short.balance()];
      await exchange.advanceClock(HOUR_ms);
      await synchronize();
      // 60.0001 × 0.0000125 = 0.00075000125
      const [paid, received] = await waitFor(
        async () => {
          const lines = [await long.income("FUNDING_FEE"), await short.income("FUNDING_FEE")] as const;
          return lines.every(({ length }) => length > 0) ? lines : undefined;
        },
        { what: "the funding" },
      );
      assert.deepEqual([paid, received], [[-0.000751], [0.00075]]);
      assert.equal(sum([await long.balance(), -longBefore]), -0.000751);
      assert.equal(sum([await short.balance(), -shortBefore]), 0.00075);
      assert.equal(sum([await insuranceFund(exchange.baseUrl), -fundBefore]), 0.000001);

      const rates = await long.fundingRates();
      assert.deepEqual(rates.at(-1), { rate: CALM_RATE, time_ms: before_ms, mark: 60_000.1 });
      assert.deepEqual(await long.premium(), {
        mark: 60_000.1,
        index: 60_000.1,
        rate: CALM_RATE,
        next_ms: before_ms + HOUR_ms,
      });
      await exchange.pinPrice("BTCUSDT", "60000");
    });

    it("FUT-12: ranks the positions of each side for deleveraging, 4 being the first in line", async () => {
      const rival = await connect(exchange.baseUrl, await exchange.openTrader());
      await rival.synchronize();
      assert.equal(await rival.adlQuantile(), undefined);
      await short.limit({ side: "SELL", quantity: 0.001, price: 60_400 });
      await rival.market("BUY", 0.001);
      // The ranking is at most a second old.
      await exchange.advanceClock(1_000);
      await Promise.all([synchronize(), rival.synchronize()]);
      assert.deepEqual([await long.adlQuantile(), await rival.adlQuantile(), await short.adlQuantile()], [4, 2, 4]);
      await rival.limit({ side: "SELL", quantity: 0.001, price: 60_000 });
      await short.market("BUY", 0.001);
      assert.equal(await rival.position(), undefined);
    });

    it("FUT-15: the fill that makes a million of volume brings the next tier's fees", async () => {
      const [whale, counterpart] = await Promise.all(
        [exchange.openTrader(200_000), exchange.openTrader(200_000)].map(async (trader) =>
          connect(exchange.baseUrl, await trader),
        ),
      );
      assert.ok(whale !== undefined && counterpart !== undefined);
      for (const bot of [whale, counterpart]) {
        await bot.synchronize();
        await bot.setLeverage(20);
      }
      assert.deepEqual(await whale.feeRates(), { maker: 0.0002, taker: 0.0005 });
      await counterpart.limit({ side: "SELL", quantity: 16, price: 60_000 });
      // 960,000 and then 60,000: the second one reaches the tier, and is charged at the old rate.
      const first = await whale.market("BUY", 16);
      assert.deepEqual(await whale.feeRates(), { maker: 0.0002, taker: 0.0005 });
      await counterpart.limit({ side: "SELL", quantity: 1, price: 60_000 });
      const second = await whale.market("BUY", 1);
      assert.deepEqual(await whale.feeRates(), { maker: 0.00018, taker: 0.00045 });
      await counterpart.limit({ side: "BUY", quantity: 17, price: 60_000 });
      const third = await whale.market("SELL", 17);
      const feeOf = async (id: string) => sum((await whale.fills(id)).map(({ fee }) => fee));
      assert.deepEqual(
        [await feeOf(first.id), await feeOf(second.id), await feeOf(third.id)],
        [480, 30, sum([1_020_000 * 0.00045])],
      );
    });
  });
}
