import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HALTED, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Prices } from "./prices.ts";
import { sizeOf, TEST_NOON_MS, TestExchange } from "./testing.ts";

const NOON = TEST_NOON_MS / HOUR_ms;

/** AVAX by version 4, with one lot on either side far above the index and a book of size behind them. */
async function byVersion4() {
  const x = await new TestExchange({ rulesVersion: 4 }).open();
  const prices = x.prices([]);
  await prices.pin("AVAXUSDT", sizeOf("30"));
  const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
  await x.sell(ann, "1", "30.6", "AVAXUSDT");
  await x.buy(bob, "1", "30.6", "AVAXUSDT");
  await x.buy(bob, "1000", "30.6", "AVAXUSDT");
  await x.sell(ann, "1000", "30.602", "AVAXUSDT");
  return { x, prices };
}

const raise = (x: TestExchange) => x.submit({ kind: "set_rules_version", number: x.nextExternal(), version: 5 });

async function seconds(x: TestExchange, prices: Prices, count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    x.clock.advance(1_000);
    await prices.tick();
  }
}

describe("an exchange that is raised to rules version 5 while it runs", () => {
  it("FUT-13: the window begins anew: the mark is near the index at once and has moved by the clamp after 30 s", async () => {
    const { x, prices } = await byVersion4();
    await seconds(x, prices, 40);
    assert.equal(x.shown("AVAXUSDT")[1], 30_600, "by version 4 the quotes move it by any distance");
    await raise(x);
    await seconds(x, prices, 1);
    // One second of 30 counts 300 ticks; the funding estimate of one clamped sample is larger, the trade at the clamp.
    const [, first] = x.shown("AVAXUSDT");
    assert.ok(first <= 30_070, `${first}`);
    await seconds(x, prices, 29);
    assert.equal(x.shown("AVAXUSDT")[1], 30_300);
  });

  it("FUT-14: the hour's premium begins anew, what was settled before is settled by its own rules", async () => {
    const { x, prices } = await byVersion4();
    const market = x.market("AVAXUSDT").number;
    await seconds(x, prices, 10);
    // 0.02 by version 4, capped.
    assert.equal(prices.rate_e8(market, NOON + 1), 234_375);
    x.clock.advanceTo(TEST_NOON_MS + HOUR_ms);
    await raise(x);
    await prices.tick();
    assert.equal(prices.rate_e8(market, NOON + 1), 234_375, "the hour that has ended keeps its mean");
    x.clock.advanceTo(TEST_NOON_MS + 2 * HOUR_ms);
    assert.equal(prices.rate_e8(market, NOON + 2), 1_250, "one slot of 720 at the clamp");

    const again = await byVersion4();
    await seconds(again.x, again.prices, 10);
    await raise(again.x);
    again.x.clock.advanceTo(TEST_NOON_MS + HOUR_ms - 5_000);
    await again.prices.tick();
    again.x.clock.advanceTo(TEST_NOON_MS + HOUR_ms);
    assert.equal(again.prices.rate_e8(market, NOON + 1), 1_250, "samples of the hour by version 4 count nothing");
  });

  it("FUT-13: sources and guard follow the rules from the raise on", async () => {
    const x = await new TestExchange({ rulesVersion: 4 }).open();
    const sources = [x.source("a"), x.source("b"), x.source("c")];
    const prices = x.prices(sources);
    const say = (...words: string[]) => {
      for (const [place, word] of words.entries()) sources[place]!.say("BTCUSDT", word);
    };
    say("60000", "60000", "62000");
    await prices.tick();
    assert.equal(x.shown()[0], 606_667);
    const uses = () => prices.report("BTCUSDT").sources.map(({ use }) => use);
    assert.deepEqual(uses(), ["counted", "counted", "counted"]);
    await raise(x);
    await prices.tick();
    assert.equal(x.shown()[0], 601_000);
    assert.deepEqual(uses(), ["counted", "counted", "clamped"]);
    assert.equal(x.market().status, TRADING);
    x.clock.advance(10_001);
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    await seconds(x, prices, 300);
    assert.equal(x.market().status, HALTED);
  });

  it("FUT-13: one that has had no index for longer is halted by the first second of the new rules", async () => {
    const x = await new TestExchange({ rulesVersion: 4 }).open();
    const prices = x.prices([]);
    await prices.tick();
    await seconds(x, prices, 600);
    assert.equal(x.market().status, REDUCE_ONLY);
    await raise(x);
    await seconds(x, prices, 1);
    assert.equal(x.market().status, HALTED);
  });
});
