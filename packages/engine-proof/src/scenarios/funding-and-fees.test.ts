import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_ms, TestExchange, usdt } from "./exchange.ts";

function market(price = 50_000): TestExchange {
  const x = new TestExchange();
  // Behind more than a million of open interest.
  x.seedFund(1_000_000);
  x.price(price);
  for (const name of ["ann", "bob", "cid"]) x.trader(name, 10_000_000, 2);
  return x;
}

describe("funding", () => {
  it("FUT-14: longs pay when the rate is positive, shorts when it is negative", () => {
    const x = market(61_000);
    x.trade("ann", "bob", 0.5, 61_000);
    const answer = x.funding(1_250);
    assert.deepEqual(
      answer.all("funding_paid").map(({ account, lots, amount_micros }) => [account, lots, amount_micros]),
      [
        [x.number("ann"), 500, usdt(0.38125)],
        [x.number("bob"), -500, -usdt(0.38125)],
      ],
    );
    assert.equal(answer.one("funding_settled").residue_micros, 0);
    const { principal } = x.account("ann");
    x.funding(-1_250);
    assert.equal(x.account("ann").principal, principal + usdt(0.38125));
  });

  it("INV-2: payers are rounded up, receivers down, and the residue is the fund's", () => {
    const x = market(8_008);
    x.trade("ann", "bob", 0.001, 8_008);
    const answer = x.funding(1_250);
    assert.deepEqual(
      answer.all("funding_paid").map(({ amount_micros }) => amount_micros),
      [101, -100],
    );
    const { residue_micros, fund_micros } = answer.one("funding_settled");
    assert.deepEqual([residue_micros, fund_micros], [1, usdt(1_000_000) + 1]);
  });

  it("FUT-14: an hour is settled once, within the cap", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 50_000);
    const funding = { kind: "apply_funding", time_ms: x.time_ms, market: 0 } as const;
    assert.equal(x.apply({ ...funding, rate_e8: 93_751, hour: 500_000 }).refusal, "out_of_range");
    assert.equal(x.apply({ ...funding, rate_e8: -93_751, hour: 500_000 }).refusal, "out_of_range");
    assert.equal(x.apply({ ...funding, rate_e8: 93_750, hour: 500_000 }).refusal, "");
    const again = x.apply({ ...funding, rate_e8: 1, hour: 500_000 });
    assert.deepEqual([again.refusal, again.bounds], ["window_passed", [500_000, 500_000]]);
  });

  it("FUT-14: an isolated position pays from its own margin, and is judged by it", () => {
    const x = market();
    x.seedFund(100_000);
    x.trader("dan", 10_000);
    x.leverage("dan", 50);
    x.mode("dan", "isolated");
    x.trade("dan", "bob", 1, 50_000);
    const { principal } = x.account("dan");
    assert.equal(x.position("dan").isolated, usdt(1_000));
    x.funding(90_000);
    assert.equal(x.position("dan").isolated, usdt(955));
    assert.equal(x.account("dan").principal, principal);
    // Maintenance is 500; eleven more hours take the margin below it.
    for (let hour = 0; hour < 10; hour += 1) assert.equal(x.funding(90_000).all("liquidation_started").length, 0);
    assert.equal(x.funding(90_000).one("liquidation_started").balance_micros, usdt(460));
  });

  it("FUT-14: no price, no position: nothing is paid, the hour is settled all the same", () => {
    const x = market();
    assert.deepEqual(x.funding(1_250, "SOLUSDT").kinds, ["funding_settled"]);
  });
});

describe("fees and tiers", () => {
  it("FUT-15: maker and taker of tier 0, a discount, rounded up", () => {
    const x = market(60_000);
    x.discount("ann", 1_000);
    const [taker, maker] = x.trade("ann", "bob", 0.5, 60_000).all("fill");
    assert.deepEqual([taker?.fee_micros, maker?.fee_micros], [usdt(13.5), usdt(6)]);
    x.price(0.001, "AVAXUSDT");
    x.discount("ann", 3_333);
    // 5,001 micros × 1e-3 … 5.001 USDT × 0.05 % × 0.6667 is 1,667.08…, of the maker 1,000.2 micros.
    const [up, other] = x.trade("ann", "bob", 5_001, 0.001, "AVAXUSDT").all("fill");
    assert.deepEqual([up?.fee_micros, other?.fee_micros], [1_668, 1_001]);
    x.discount("ann", 10_000);
    assert.equal(x.trade("ann", "bob", 0.5, 60_000).all("fill")[0]?.fee_micros, 0);
  });

  it("FUT-15: the fill that crosses a million pays the old rate, the next one the new", () => {
    const x = market();
    const [before] = x.trade("ann", "bob", 19.999, 50_000).all("fill");
    assert.equal(before?.fee_micros, usdt(999_950 * 0.0005));
    const answer = x.trade("ann", "bob", 0.001, 50_000);
    assert.equal(answer.all("fill")[0]?.fee_micros, usdt(50 * 0.0005));
    assert.deepEqual(
      answer
        .all("tier_changed")
        .map(({ account, change, tier, previousTier }) => [account, change, tier, previousTier]),
      [
        [x.number("ann"), "upgrade_immediate", 1, 0],
        [x.number("bob"), "upgrade_immediate", 1, 0],
      ],
    );
    const after = x.trade("ann", "bob", 1, 50_000).all("fill");
    assert.deepEqual(
      after.map(({ fee_micros }) => fee_micros),
      [usdt(50_000 * 0.00045), usdt(50_000 * 0.00018)],
    );
  });

  it("FUT-15: a downgrade is announced at one midnight and applied at the next", () => {
    const x = market();
    x.trade("ann", "bob", 20, 50_000);
    assert.deepEqual(x.advance(13 * DAY_ms).kinds, []);
    const announced = x.advance(DAY_ms).all("tier_changed");
    assert.deepEqual(
      announced.map(({ change, tier, previousTier }) => [change, tier, previousTier]),
      [
        ["downgrade_scheduled", 0, 1],
        ["downgrade_scheduled", 0, 1],
      ],
    );
    assert.equal(x.account("ann").tier, 1);
    assert.deepEqual(x.advance(DAY_ms - 1).kinds, []);
    assert.equal(x.advance(1).all("tier_changed")[0]?.change, "downgrade_applied");
    assert.equal(x.account("ann").tier, 0);
  });

  it("FUT-15: volume that comes back before midnight cancels it", () => {
    const x = market();
    x.trade("ann", "bob", 20, 50_000);
    x.advance(14 * DAY_ms);
    x.trade("ann", "cid", 19.999, 50_000);
    assert.equal(x.account("ann").tier, 1);
    const answer = x.trade("ann", "cid", 0.001, 50_000);
    assert.deepEqual(
      answer.all("tier_changed").map(({ account, change }) => [account, change]),
      [
        [x.number("ann"), "downgrade_canceled"],
        [x.number("cid"), "upgrade_immediate"],
      ],
    );
    const midnight = x.advance(DAY_ms).all("tier_changed");
    assert.deepEqual(
      midnight.map(({ account, change }) => [account, change]),
      [[x.number("bob"), "downgrade_applied"]],
    );
  });

  it("FUT-15: a jump over many midnights ends where one by one would have", () => {
    const x = market();
    x.trade("ann", "bob", 20, 50_000);
    const changes = x.advance(400 * DAY_ms).all("tier_changed");
    assert.deepEqual(
      changes.map(({ account, change }) => [account, change]),
      [
        [x.number("ann"), "downgrade_scheduled"],
        [x.number("bob"), "downgrade_scheduled"],
        [x.number("ann"), "downgrade_applied"],
        [x.number("bob"), "downgrade_applied"],
      ],
    );
  });

  it("BRK-8: every fill carries the version of the terms that held when it happened", () => {
    const x = market();
    assert.equal(x.trade("ann", "bob", 0.1, 50_000).all("fill")[0]?.termsVersion, 0);
    const resting = x.buy("ann", 0.1, { at: 49_000 }).order;
    x.terms("ann", 7);
    const fills = x.sell("bob", 0.1, { at: 49_000 }).all("fill");
    assert.deepEqual(
      fills.map(({ order, termsVersion }) => [order === resting, termsVersion]),
      [
        [false, 0],
        [true, 7],
      ],
    );
  });
});
