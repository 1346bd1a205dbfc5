import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HALTED, type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { seededRandom } from "../../kernel/random.ts";
import type { PriceStore } from "./store.ts";
import { TestExchange } from "./testing.ts";
import { guarded, MINUTE_S } from "./testing-guard.ts";

describe("a guarded market after a restart", () => {
  it("FUT-13: the five minutes go on", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(3 * MINUTE_S);
    await g.restart();
    await g.run(2 * MINUTE_S - 1);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.run(1);
    assert.equal(g.status(), HALTED);
  });

  it("FUT-13: a halted market is the guard's, and the sources must agree for a whole minute again", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S);
    await g.agree(50);
    await g.restart();
    await g.agree(30);
    assert.equal(g.status(), HALTED);
    await g.agree(31);
    assert.deepEqual([g.status(), g.phase()], [REDUCE_ONLY, "resuming"]);
    await g.agree(30);
    await g.restart();
    await g.agree(MINUTE_S - 1);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.agree(1);
    assert.equal(g.status(), TRADING);
  });

  it("FUT-13: an admin's status that the guard's record contradicts stays", async () => {
    const cases: [kept: "reduce_only" | "halted" | "resuming", status: MarketStatus, after: MarketStatus][] = [
      ["reduce_only", HALTED, HALTED],
      ["resuming", HALTED, HALTED],
      ["halted", TRADING, TRADING],
      // The process has ended between the record and the halt, or between the end of the halt and the record.
      ["halted", REDUCE_ONLY, TRADING],
      ["reduce_only", REDUCE_ONLY, TRADING],
    ];
    for (const [phase, status, after] of cases) {
      const g = await guarded();
      await g.x.setStatus(status);
      await g.x.store.keepGuard("BTCUSDT", { phase, since_ms: g.x.clock.now(), resumes: TRADING });
      await g.restart();
      await g.agree(3 * MINUTE_S);
      assert.equal(g.status(), after, `${phase} and ${status}`);
    }
  });
});

describe("a guarded market in any order of events", () => {
  /** A process that has ended writes nothing more, although its object still hears of commands. */
  function livingStore(kept: PriceStore) {
    let isAlive = true;
    const store: PriceStore = {
      load: () => kept.load(),
      keepHome: (...row) => kept.keepHome(...row),
      keepPin: (...row) => kept.keepPin(...row),
      keepGuard: async (...row) => (isAlive ? kept.keepGuard(...row) : undefined),
      keepPremiums: async (...row) => (isAlive ? kept.keepPremiums(...row) : undefined),
    };
    const end = () => {
      isAlive = false;
    };
    return { store, end };
  }

  /** What an admin has last said, and how long the sources have agreed or not since. */
  class Expectation {
    word: MarketStatus = TRADING;
    with_s = 0;
    without_s = 0;

    hear(word: MarketStatus): void {
      this.word = word;
      this.without_s = 0;
    }

    second(hasIndex: boolean): void {
      this.with_s = hasIndex ? this.with_s + 1 : 0;
      this.without_s = hasIndex ? 0 : this.without_s + 1;
    }

    check(status: MarketStatus): void {
      if (this.word === HALTED) assert.equal(status, HALTED, "an admin's halt stays");
      if (this.word === REDUCE_ONLY) assert.notEqual(status, TRADING, "an admin's reduce-only does not become trading");
      if (this.without_s > 0) assert.notEqual(status, TRADING, "nobody trades without an index");
      if (this.without_s > 5 * MINUTE_S) assert.equal(status, HALTED, "five minutes without an index halt it");
      if (this.with_s > 2 * MINUTE_S + 2)
        assert.equal(status, this.word, "two minutes with an index end what the guard did");
    }
  }

  it("FUT-13: no order of losses, returns, admins' words and restarts breaks the rule", async () => {
    for (const seed of ["a", "b"]) {
      const random = seededRandom(seed);
      const below = (limit: number) => random.bytes(4).readUInt32LE() % limit;
      const x = await new TestExchange().open();
      const sources = [x.source("a"), x.source("b")];
      const expected = new Expectation();
      let life = livingStore(x.store);
      let prices = x.prices(sources, { store: life.store });
      await prices.start();
      let hasIndex = true;
      for (let event = 0; event < 120; event += 1) {
        const kind = below(10);
        if (kind < 6) hasIndex = !hasIndex;
        else if (kind < 8) {
          const word = [TRADING, REDUCE_ONLY, HALTED][below(3)]!;
          await x.setStatus(word);
          expected.hear(word);
        } else {
          // Without a stop, as after a crash.
          life.end();
          life = livingStore(x.store);
          prices = x.prices(sources, { store: life.store });
          await prices.start();
          expected.with_s = 0;
          if (x.market().status !== HALTED) expected.without_s = 0;
        }
        const seconds = below(4) === 0 ? 200 + below(300) : below(80);
        for (let second = 0; second < seconds; second += 1) {
          x.clock.advance(1_000);
          sources[0]!.say("BTCUSDT", "60000");
          sources[1]!.say("BTCUSDT", hasIndex ? "60010" : "62000");
          await prices.tick();
          expected.second(hasIndex);
          expected.check(x.market().status);
        }
      }
      assert.deepEqual(x.errors, [], seed);
    }
  });
});
