import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HeldLots, oppositePercent } from "./opposite.ts";

const at = (time_ms: number, lots: number, market = 0): HeldLots => ({ market, lots, time_ms });
const percent = (own: HeldLots[], other: HeldLots[], to_ms = 100) => oppositePercent(own, other, { from_ms: 0, to_ms });

describe("BON-12: opposite positions", () => {
  it("count for the time in which both are held, of the time in which the bonus side holds one", () => {
    assert.equal(percent([at(0, 10)], [at(50, -10)]), 50);
    assert.equal(percent([at(0, 10)], [at(51, -10)]), 49);
    assert.equal(percent([at(20, 10), at(40, 0)], [at(30, -10)]), 50);
    assert.equal(percent([at(20, -10), at(40, 0)], [at(0, 10)]), 100);
  });

  it("are of sizes within 10 %, in the same market, on the other side", () => {
    assert.equal(percent([at(0, 10)], [at(0, -9)]), 100);
    assert.equal(percent([at(0, 10)], [at(0, -8)]), 0);
    assert.equal(percent([at(0, 10)], [at(0, 10)]), 0);
    assert.equal(percent([at(0, 10)], [at(0, -10, 1)]), 0);
    assert.equal(percent([at(0, 10), at(0, 10, 1)], [at(0, -10, 1)]), 50);
  });

  it("nothing held is nothing opposite", () => {
    assert.equal(percent([], [at(0, -10)]), 0);
    assert.equal(percent([at(10, 0)], [at(0, -10)]), 0);
  });
});
