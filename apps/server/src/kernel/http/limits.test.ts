import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLimits } from "./limits.ts";

const limits = () =>
  createLimits({
    rateLimitWeight1m: 10,
    rateLimitOrders10s: 5,
    rateLimitOrders1m: 20,
    rateLimitJsonPerS: 50,
    rateLimitLogin1m: 3,
  });

describe("limits", () => {
  it("SEC-10: weight adds up per address and is refused past the budget", async () => {
    const { weight } = limits();
    assert.deepEqual((await weight.take("127.0.0.1", 9)).isWithin, true);
    assert.deepEqual((await weight.take("127.0.0.1", 1)).isWithin, true);
    const refused = await weight.take("127.0.0.1", 1);
    assert.equal(refused.isWithin, false);
    assert.equal(refused.used, 11);
    assert.ok(refused.windowLeft_ms > 55_000 && refused.windowLeft_ms <= 60_000);
    assert.equal((await weight.take("127.0.0.2", 1)).isWithin, true, "each 127.x.y.z on its own");
  });

  it("SEC-10: cancels and reduce-only orders have a fifth of the budget to themselves", async () => {
    const { orders10s } = limits();
    for (let i = 0; i < 5; i++) assert.equal((await orders10s.take("0xa", 1)).isWithin, true);
    for (let i = 0; i < 9; i++) assert.equal((await orders10s.take("0xa", 1)).isWithin, false);
    const reserved = await orders10s.take("0xa", 1, true);
    assert.deepEqual([reserved.isWithin, reserved.isFromReserve, reserved.used], [true, true, 15]);
    assert.equal((await orders10s.take("0xa", 1, true)).isWithin, false, "the reserve is bounded as well");
    await orders10s.giveBack("0xa", 2, true);
    assert.equal((await orders10s.take("0xa", 1, true)).isWithin, true);
    const fresh = await orders10s.take("0xb", 1, true);
    assert.equal(fresh.isFromReserve, false, "only what is beyond the budget");
  });

  it("SEC-10: what is given back can be used again", async () => {
    const { weight } = limits();
    await weight.take("127.0.0.1", 10);
    await weight.giveBack("127.0.0.1", 4);
    assert.equal((await weight.take("127.0.0.1", 4)).isWithin, true);
    assert.equal((await weight.take("127.0.0.1", 1)).isWithin, false);
  });

  it("SEC-10: a wallet has two fifths of an address's JSON budget", async () => {
    const { jsonByWallet } = limits();
    assert.equal((await jsonByWallet.take("0xa", 20)).isWithin, true);
    assert.equal((await jsonByWallet.take("0xa", 1)).isWithin, false);
  });

  it("looking at a budget uses nothing", async () => {
    const { failedLogins } = limits();
    assert.equal((await failedLogins.peek("127.0.0.1")).isWithin, true);
    await failedLogins.take("127.0.0.1", 3);
    assert.equal((await failedLogins.peek("127.0.0.1")).isWithin, false);
    assert.equal((await failedLogins.peek("127.0.0.1")).used, 3);
  });
});
