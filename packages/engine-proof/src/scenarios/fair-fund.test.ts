import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, NEXT_RULES, REDUCE_ONLY, TRADING } from "@bourse/engine";
import type { Answer } from "./answer.ts";
import { DAY_ms, TestExchange, usdt } from "./exchange.ts";

const HOUR_ms = DAY_ms / 24;

/** Ann is long 0.5 BTC from 60,000 at 50× with a principal of exactly 1,000; Bob is short against her. */
function longWith1000(fund = 0): TestExchange {
  const x = new TestExchange(FIRST_MARKETS, NEXT_RULES);
  x.price(60_000);
  if (fund > 0) x.seedFund(fund);
  x.trader("ann", 1_015, 50);
  x.trader("bob", 1_000_000);
  x.trade("ann", "bob", 0.5, 60_000);
  assert.equal(x.account("ann").principal, usdt(1_000));
  return x;
}

/** [cause, price in ticks, lots] of the first side of each trade. */
function fills(answer: Answer) {
  return answer
    .all("fill")
    .filter((_, place) => place % 2 === 0)
    .map(({ cause, ticks, lots }) => [cause, ticks, lots]);
}

describe("a liquidation by version 5", () => {
  it("FUT-12: sells no further from the index than the bound", () => {
    const x = longWith1000(100_000);
    x.buy("bob", 0.5, { at: 57_330 });
    // 58,500 × 0.98 = 57,330, but b = 58,000 is nearer.
    assert.deepEqual(fills(x.price(58_500)), []);
    x.cancelAll("bob");
    x.buy("bob", 0.5, { at: 58_000 });
    assert.deepEqual(fills(x.price(58_500)), [["liquidation", 580_000, 125]]);
  });

  it("FUT-12: waits for the next price while the balance is half of maintenance, then the fund takes it at b", () => {
    const x = longWith1000(100_000);
    // At 58,500: balance 250, maintenance 292.5. At 58,200: 100 against 291.
    const patient = x.nextPrice(58_500);
    assert.equal(patient.one("liquidation_ended").isResolved, 0);
    assert.deepEqual([fills(patient), x.position("ann").lots], [[], 500]);
    const taken = x.nextPrice(58_200);
    assert.ok(fills(taken).every(([cause, ticks]) => cause === "takeover" && ticks === 580_000));
    assert.deepEqual([x.position("ann").lots, x.position("fund").lots], [0, 500]);
  });

  it("FUT-23: without a fund the other side closes at the mark while the loser can pay, else at b", () => {
    const x = longWith1000();
    const solvent = x.nextPrice(58_100);
    const told = solvent.all("adl");
    assert.deepEqual([told[0]!.ticks, told[0]!.markTicks, told[0]!.indexTicks], [581_000, 581_000, 581_000]);
    assert.deepEqual([told[0]!.reason, told[0]!.account], ["fund_full", x.number("bob")]);
    // 0.125 BTC at 58,100 are 7,262.5; half a percent of them is what the fee takes first.
    assert.equal(solvent.all("liquidation_fee_paid")[0]!.amount_micros, usdt(36.3125));
    const y = longWith1000();
    const bankrupt = y.nextPrice(57_000).all("adl")[0]!;
    assert.deepEqual([bankrupt.ticks, bankrupt.reason], [580_000, "bankrupt"]);
    assert.equal(y.account("ann").balance, 0);
  });

  it("FUT-23: the leg of a hedge comes late", () => {
    const x = longWith1000();
    x.trader("carl", 100_000, 50);
    x.trader("dora", 1_000_000);
    x.price(3_000, "ETHUSDT");
    // Carl is short BTC like Bob, at more leverage, but his long of ETH loses what the short gains.
    x.trade("dora", "carl", 0.5, 60_000);
    x.trade("carl", "dora", 10, 3_000, "ETHUSDT");
    x.price(2_800, "ETHUSDT");
    assert.equal(x.nextPrice(58_100).all("adl")[0]!.account, x.number("bob"));
  });
});

describe("the fund by version 5", () => {
  it("FUT-21: takes over within its inventory; the rest is closed at the mark", () => {
    // A fund of 10,000 gains 25 by the first take-over, at 58,000, and may hold 10,025: 0.172 BTC at 58,200.
    const x = longWith1000(10_000);
    const answer = x.nextPrice(58_200);
    assert.deepEqual(fills(answer)[0], ["takeover", 580_000, 125]);
    assert.equal(x.position("fund").lots, 172);
    assert.ok(answer.all("adl").length > 0);
  });

  it("FUT-21: unwinds once a second, in parts, near the index", () => {
    const x = longWith1000(100_000);
    x.nextPrice(58_200);
    x.buy("bob", 0.5, { at: 58_025.3 });
    x.buy("bob", 0.5, { at: 58_025.4 });
    // The index has run 3 % in the minute: w = min(2 %, 0.3 % + 1.5 %). A minute later it is calm: 58,200 × 0.997 = 58,025.4.
    x.time_ms += 61_000;
    assert.deepEqual(fills(x.nextPrice(58_200)), [["fund", 580_254, 25]]);
    assert.deepEqual(fills(x.price(58_200)), []);
    x.cancelAll("bob");
    x.buy("bob", 0.5, { at: 58_025.3 });
    assert.deepEqual(fills(x.nextPrice(58_200)), []);
    // It runs 1 %: half of the rest at once, as far as 0.3 % + 0.5 % away.
    assert.deepEqual(fills(x.nextPrice(58_400)), []);
    assert.deepEqual(fills(x.nextPrice(58_780)), []);
    assert.deepEqual(fills(x.nextPrice(58_200)), [["fund", 580_253, 238]]);
  });

  it("FUT-21: what it has held for an hour goes to the other side at the mark", () => {
    const x = longWith1000(100_000);
    x.nextPrice(58_200);
    x.time_ms += HOUR_ms - 1_000;
    assert.deepEqual(fills(x.price(58_200)), []);
    const told = x.nextPrice(58_200).one("adl");
    assert.deepEqual([told.ticks, told.lots, told.reason], [582_000, 500, "fund_old"]);
    assert.equal(x.position("fund").lots, 0);
  });

  it("FUT-22: at its cap the market is reduce-only, the position leaves, and it resumes by itself", () => {
    const x = longWith1000(10_000);
    x.nextPrice(58_200);
    assert.equal(x.position("fund").lots, 172);
    // A tenth of 10,000 is lost when the index is 5,900 below what it paid.
    const answer = x.nextPrice(51_000);
    const { market, outflow_micros, cap_micros } = answer.one("fund_capped");
    assert.deepEqual([market, cap_micros], [0, usdt(1_000)]);
    assert.ok(outflow_micros >= usdt(1_000));
    assert.equal(x.engine.state.markets[0]!.status, REDUCE_ONLY);
    assert.deepEqual([x.position("fund").lots, answer.all("adl").at(-1)!.reason], [0, "fund_capped"]);
    x.time_ms += HOUR_ms - 10_000;
    x.price(51_000);
    assert.equal(x.engine.state.markets[0]!.status, REDUCE_ONLY);
    x.time_ms += 10_000;
    assert.deepEqual(x.price(51_000).one("market_status_set").status_code, TRADING);
  });

  it("FUT-22: a fifth of the fund in an hour stops all markets, until an admin resumes them", () => {
    const x = longWith1000(10_000);
    x.rules({ fundOutflow_e8: 90_000_000 });
    x.nextPrice(58_200);
    const answer = x.nextPrice(45_000);
    assert.deepEqual(
      answer.all("fund_capped").map(({ market, until_ms }) => [market, until_ms]),
      [
        [-1, 0],
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    );
    x.time_ms += 2 * HOUR_ms;
    x.price(45_000);
    assert.ok(x.engine.state.markets.every(({ status }) => status === REDUCE_ONLY));
    x.status("trading");
    assert.deepEqual(x.nextPrice(45_000).all("fund_capped"), []);
    assert.deepEqual(
      x.engine.state.markets.map(({ status }) => status),
      [TRADING, REDUCE_ONLY, REDUCE_ONLY, REDUCE_ONLY],
    );
  });

  it("FUT-22: a fund of less than 1,000 is judged as one of 1,000: what it may lose never falls to nothing", () => {
    const x = longWith1000(300);
    x.price(30, "AVAXUSDT");
    x.trader("dora", 201.5);
    x.leverage("dora", 20, "AVAXUSDT");
    x.trade("dora", "bob", 100, 30, "AVAXUSDT");
    // Half of 300 is 5 AVAX at her bankruptcy price of 28; of the others she pays a fee of 26.885.
    x.nextPrice(28.3, "AVAXUSDT");
    assert.deepEqual([x.position("fund", "AVAXUSDT").lots, x.position("dora", "AVAXUSDT").lots], [5, 0]);
    const statuses = () => x.engine.state.markets.map(({ status }) => status);
    // 48.115 USDT are lost: much of 300, but less than a twentieth of 1,000.
    assert.deepEqual(x.nextPrice(13, "AVAXUSDT").all("fund_capped"), []);
    assert.deepEqual(statuses(), [TRADING, TRADING, TRADING, TRADING]);
    const { market, cap_micros } = x.nextPrice(12, "AVAXUSDT").one("fund_capped");
    assert.deepEqual([market, cap_micros], [3, usdt(50)]);
    assert.deepEqual(statuses(), [TRADING, TRADING, TRADING, REDUCE_ONLY]);
  });

  it("FUT-12, FUT-22: without a fund every market trades on and liquidations are closed by the other side", () => {
    const x = longWith1000();
    const answer = x.nextPrice(45_000);
    assert.deepEqual(answer.all("fund_capped"), []);
    assert.equal(x.position("ann").lots, 0);
    assert.ok(x.account("ann").balance >= 0);
    assert.ok(x.engine.state.markets.every(({ status }) => status === TRADING));
  });

  it("FUT-22: a market that somebody halted is not resumed by the end of the cap", () => {
    const x = longWith1000(10_000);
    x.nextPrice(58_200);
    x.nextPrice(51_000);
    x.status("halted");
    x.status("reduce_only");
    x.time_ms += 2 * HOUR_ms;
    x.price(51_000);
    assert.equal(x.engine.state.markets[0]!.status, REDUCE_ONLY);
  });

  it("FUT-22: what the fund is worth is what was seeded and what each market brought", () => {
    const x = longWith1000(10_000);
    x.nextPrice(58_200);
    x.funding(50_000);
    x.nextPrice(57_000);
    const { state } = x.engine;
    const realised = state.markets.reduce((sum, { fund }) => sum + fund.realised_micros, 0);
    assert.notEqual(realised, 0);
    assert.equal(x.account("fund").principal, usdt(10_000) + realised);
  });
});
