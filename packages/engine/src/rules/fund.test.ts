import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dailyBrake, FUND_FLOOR_micros, hourlyBrake, outflowCap } from "./fund.ts";
import { USDT_micros } from "./units.ts";

const usdt = (amount: number) => amount * USDT_micros;

describe("what the fund may lose", () => {
  it("FUT-22: a tenth in a market, a fifth in an hour, three tenths below the highest of a day", () => {
    const fund = usdt(100_000);
    assert.equal(outflowCap(fund, 10_000_000), usdt(10_000));
    assert.equal(hourlyBrake(fund), usdt(20_000));
    assert.equal(dailyBrake(fund), usdt(30_000));
  });

  it("FUT-22: a fund of less than 1,000, or of less than nothing, is judged as one of 1,000", () => {
    for (const equity of [usdt(999), 1, 0, -usdt(50)]) {
      assert.equal(outflowCap(equity, 5_000_000), usdt(50));
      assert.equal(hourlyBrake(equity), usdt(200));
      assert.equal(dailyBrake(equity), usdt(300));
    }
    assert.equal(FUND_FLOOR_micros, usdt(1_000));
  });

  it("FUT-22: the cap is rounded down and the brakes are rounded up", () => {
    const fund = usdt(1_000) + 1;
    assert.deepEqual(
      [outflowCap(fund, 10_000_000), hourlyBrake(fund), dailyBrake(fund)],
      [usdt(100), usdt(200) + 1, usdt(300) + 1],
    );
  });
});
