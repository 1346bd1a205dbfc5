import assert from "node:assert/strict";
import { REDUCE_ONLY, TRADING } from "@bourse/engine";
import { TestExchange, type TestExchangeOptions } from "./testing.ts";

export const MINUTE_S = 60;

/** BTC with three sources, whose words a test lets live or fall silent, second by second. */
export async function guarded(options: TestExchangeOptions = {}) {
  const x = await new TestExchange(options).open();
  const sources = [x.source("a"), x.source("b"), x.source("c")];
  let prices = x.prices(sources);
  let said = 0;
  x.exchange.listen(({ command }) => {
    if (command.kind === "set_price") said += 1;
  });
  const say = (...words: readonly string[]) => {
    for (const [place, word] of words.entries()) sources[place]!.say("BTCUSDT", word);
  };
  /** Each second the first sources say these prices. */
  const run = async (count: number, ...words: readonly string[]) => {
    for (let second = 0; second < count; second += 1) {
      x.clock.advance(1_000);
      say(...words);
      await prices.tick();
    }
  };
  const restart = async () => {
    await prices.stop();
    prices = x.prices(sources);
    await prices.start();
  };
  const status = () => x.market().status;
  const phase = () => prices.report("BTCUSDT").guard?.phase;
  const agree = (count: number) => run(count, "60000", "60000", "60000");
  const disagree = (count: number) => run(count, "60000", "60700");
  /** No source is fresh any more, and the market is reduce-only. */
  const lose = async () => {
    x.clock.advance(10_001);
    await prices.tick();
    assert.deepEqual([status(), phase()], [REDUCE_ONLY, "reduce_only"]);
  };
  await agree(1);
  assert.equal(status(), TRADING);
  return {
    x,
    run,
    agree,
    disagree,
    lose,
    restart,
    status,
    phase,
    prices: () => prices,
    said: () => said,
  };
}
