import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MarketRequest } from "@bourse/api";
import fc from "fast-check";
import { ApiError } from "../../kernel/errors.ts";
import { readMarket } from "./market-request.ts";

const market = { symbol: "NEWUSDT", tick_size: "0.01", lot_size: "0.1", start_price: "100" } as const;
const row = { notional_cap: "25000", max_leverage: 20, maintenance_rate: "0.025" };

describe("a market that is asked for", () => {
  it("FUT-10: a maintenance rate above 1 is refused by its bracket", () => {
    const brackets = [row, { ...row, notional_cap: "50000", maintenance_rate: 1_000_000 }];
    assert.throws(() => readMarket({ ...market, brackets }), {
      status: 400,
      code: "INVALID_MARKET",
      message: "the market is not valid: the maintenance rate of bracket 2 is above 1",
    });
  });

  it("FUT-2: whatever numbers it has, it is a market or a refusal", () => {
    const amount = fc.oneof(
      fc.constantFrom("0", "1", "1000000", "99999999999999999999", "0.00000001", "-1", "x", "1e9", "9007199254740991"),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true }),
    );
    const bracket = fc.record({ notional_cap: amount, max_leverage: fc.maxSafeInteger(), maintenance_rate: amount });
    const brackets = fc.array(bracket, { minLength: 1, maxLength: 50 });
    const sizes = { tick_size: amount, lot_size: amount, start_price: amount, min_order_size_usd: amount };
    const numbers = fc.record({ ...sizes, price_band: amount, default_leverage: fc.integer(), brackets });
    const some = fc.record({ brackets });
    fc.assert(
      fc.property(fc.oneof(numbers, some), (request) => {
        try {
          readMarket({ ...market, ...request } as MarketRequest);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
