import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HALTED, REDUCE_ONLY } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import { settleFunding } from "./funding.ts";
import { TEST_NOON_MS } from "./testing.ts";
import { guarded, MINUTE_S } from "./testing-guard.ts";

describe("funding without an index", () => {
  /** Up to ten seconds before 13:00, with a position on either side. */
  async function beforeTheHour() {
    const g = await guarded();
    const [ann, bob] = [await g.x.trader("100000"), await g.x.trader("100000")];
    await g.x.sell(ann, "0.5", "60000");
    await g.x.buy(bob, "0.5", "60000");
    g.x.clock.advanceTo(TEST_NOON_MS + HOUR_ms - 10_000);
    await g.prices().tick();
    assert.equal(g.status(), REDUCE_ONLY);
    const settled: number[] = [];
    g.x.exchange.listen(({ events }) => {
      for (const event of events) if (event.kind === "funding_settled") settled.push(event.hour);
    });
    const settle = () => settleFunding(g.x.exchange, g.prices(), TEST_NOON_MS / HOUR_ms + 1);
    return { ...g, settle, settled };
  }
  const HOUR = TEST_NOON_MS / HOUR_ms + 1;

  it("FUT-13: an hour that ends without an index is settled with the first price, because funding judges", async () => {
    const g = await beforeTheHour();
    await g.run(10);
    assert.deepEqual(await g.settle(), [{ symbol: "BTCUSDT", rate_e8: 1_250, isSettled: false, positions: 0 }]);
    await g.run(60);
    assert.deepEqual(g.settled, []);
    await g.agree(1);
    assert.deepEqual(g.settled, [HOUR]);
    assert.deepEqual(await g.settle(), [{ symbol: "BTCUSDT", rate_e8: 1_250, isSettled: false, positions: 0 }]);
    await g.agree(10);
    assert.deepEqual(g.settled, [HOUR]);
  });

  it("FUT-13: or when the market is halted, because nobody is judged then; and after a restart as well", async () => {
    const g = await beforeTheHour();
    await g.run(10);
    await g.settle();
    await g.restart();
    await g.run(4 * MINUTE_S);
    assert.deepEqual(g.settled, []);
    await g.run(MINUTE_S);
    assert.equal(g.status(), HALTED);
    assert.deepEqual(g.settled, [HOUR]);
  });

  it("FUT-14: a halted market settles its hours in time", async () => {
    const g = await beforeTheHour();
    await g.run(5 * MINUTE_S);
    assert.equal(g.status(), HALTED);
    const [outcome] = await g.settle();
    assert.equal(outcome?.isSettled, true);
  });
});
