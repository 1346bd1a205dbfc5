import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountPosition, EquityPoint } from "@bourse/api/client";
import { chartPoints, equityNow, isWithoutFunds, profitOver, thinned, unrealisedNow } from "./equity.ts";

const position = (margin_mode: "cross" | "isolated", isolated_margin: string, unrealized_pnl: string) =>
  ({ margin_mode, isolated_margin, unrealized_pnl }) as AccountPosition;
const point = (time: number, equity: string) => ({ time, equity }) as EquityPoint;

describe("equity", () => {
  it("counts what isolated positions stand on and have made; cross ones are in the margin balance", () => {
    const positions = [position("cross", "0.00", "12.5"), position("isolated", "100.00", "-20.25")];
    assert.equal(equityNow({ margin_balance: "1000.00", positions }), "1079.75");
    assert.equal(unrealisedNow({ positions }), "-7.75");
  });

  it("is drawn hour by hour, with now at the end", () => {
    const points = chartPoints([point(1_000, "10"), point(5_000, "12")], { time: 4_000, equity: "11.5" });
    assert.deepEqual(
      points.map(({ value }) => value),
      ["10", "11.5"],
    );
  });

  it("is thinned evenly without losing its ends", () => {
    const numbers = Array.from({ length: 1_001 }, (_, index) => index);
    const few = thinned(numbers, 11);
    assert.deepEqual(few, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]);
    assert.equal(thinned(numbers, 5_000).length, 1_001);
  });
});

describe("an account without funds", () => {
  const zero = { principal: "0.00", bonus: "0.00", isolated_margin: "0.00", in_flight: "0.00", margin_balance: "0.00" };

  it("SEC-11: is one in which nothing is there, not one that has lost or is sending its money", () => {
    assert.equal(isWithoutFunds({ ...zero, positions: [] }), true);
    for (const some of [{ principal: "0.01" }, { bonus: "5.00" }, { in_flight: "1.00" }, { margin_balance: "-1.00" }]) {
      assert.equal(isWithoutFunds({ ...zero, ...some, positions: [] }), false);
    }
    assert.equal(isWithoutFunds({ ...zero, positions: [position("isolated", "1.00", "0.00")] }), false);
  });
});

describe("profit and loss", () => {
  const flows = [
    { amount: "1000.00", time: 1_000 },
    { amount: "-200.00", time: 3_000 },
  ];

  it("is what equity has gained apart from transfers", () => {
    assert.deepEqual(profitOver(point(2_000, "1010"), "850.5", flows), { amount: "40.5", since: 2_000 });
  });

  it("is that of the whole life where nothing was noted before", () => {
    assert.deepEqual(profitOver(undefined, "790", flows), { amount: "-10", since: undefined });
  });
});
