import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Command, HALTED, type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { MINUTE_ms } from "../../kernel/dates.ts";
import type { Exchange } from "../host/exchange.ts";
import { MarketGuard } from "./market-guard.ts";
import { pricesCheck } from "./prices-check.ts";
import { sizeOf, TEST_NOON_MS, TestExchange } from "./testing.ts";
import { guarded, MINUTE_S } from "./testing-guard.ts";

describe("a market without an index", () => {
  it("FUT-13: reduce-only at once, halted after five minutes with an alarm, and nobody is judged meanwhile", async () => {
    const g = await guarded();
    await g.lose();
    const said = g.said();
    await g.run(5 * MINUTE_S - 1);
    assert.equal(g.status(), REDUCE_ONLY);
    assert.deepEqual(
      g.x.alarms.filter((alarm) => alarm.startsWith("BTCUSDT")),
      [],
    );
    await g.run(1);
    assert.deepEqual([g.status(), g.phase()], [HALTED, "halted"]);
    assert.deepEqual(
      g.x.alarms.filter((alarm) => alarm.startsWith("BTCUSDT")),
      ["BTCUSDT is halted: it has had no index for 5 minutes (too_few_sources)"],
    );
    assert.equal(g.said(), said, "no price was set");
    assert.equal(g.prices().report("BTCUSDT").guard?.since_ms, TEST_NOON_MS + 1_000 + 10_001);
  });

  it("FUT-13: before version 5 it stays reduce-only", async () => {
    const g = await guarded({ rulesVersion: 4 });
    await g.lose();
    await g.run(20 * MINUTE_S);
    assert.equal(g.status(), REDUCE_ONLY);
    assert.deepEqual(g.x.alarms, []);
    await g.agree(1);
    assert.equal(g.status(), TRADING);
  });

  it("FUT-13: back within five minutes it trades at once, and the five minutes begin anew", async () => {
    const g = await guarded();
    for (let round = 0; round < 3; round += 1) {
      await g.lose();
      await g.run(4 * MINUTE_S);
      await g.agree(1);
      assert.deepEqual([g.status(), g.phase()], [TRADING, undefined]);
    }
  });

  it("FUT-13: halted until the sources agree for a minute, reduce-only for another, then it trades", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S);
    assert.equal(g.status(), HALTED);
    const said = g.said();
    await g.agree(MINUTE_S);
    assert.equal(g.status(), HALTED);
    assert.ok(g.said() > said, "the engine hears of prices before anybody is judged by them");
    await g.agree(1);
    assert.deepEqual([g.status(), g.phase()], [REDUCE_ONLY, "resuming"]);
    const resumed = g.said();
    await g.agree(1);
    assert.equal(g.said(), resumed + 1, "the first price after the halt does not wait");
    await g.agree(MINUTE_S - 2);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.agree(1);
    assert.deepEqual([g.status(), g.phase()], [TRADING, undefined]);
  });

  it("FUT-13: a source that comes and goes does not resume a halted market", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S);
    for (let round = 0; round < 5; round += 1) {
      await g.agree(MINUTE_S - 15);
      await g.disagree(11);
    }
    assert.equal(g.status(), HALTED);
    await g.agree(MINUTE_S + 1);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.agree(30);
    await g.disagree(20);
    await g.agree(MINUTE_S);
    assert.deepEqual([g.status(), g.phase()], [REDUCE_ONLY, "resuming"], "the minute begins anew");
    await g.disagree(11 + 5 * MINUTE_S);
    assert.equal(g.status(), HALTED, "and five minutes without an index halt it again");
  });

  it("FUT-13: two that drift apart are no index: reduce-only, HALTED, and back", async () => {
    const g = await guarded();
    g.x.clock.advance(10_000);
    await g.run(1, "60000", "60600");
    assert.equal(g.status(), TRADING, "twice the clamp");
    assert.equal(g.x.shown()[0], 603_000);
    await g.run(1, "60000", "60605");
    assert.deepEqual([g.status(), g.prices().report("BTCUSDT").noIndex], [REDUCE_ONLY, "sources_disagree"]);
    assert.equal(g.x.shown()[0], 603_000, "the last price stands");
    await g.run(5 * MINUTE_S, "60000", "60700");
    assert.equal(g.status(), HALTED);
    assert.match(g.x.alarms.at(-1)!, /BTCUSDT .*sources_disagree/);
    await g.run(2 * MINUTE_S + 2, "60300", "60310");
    assert.equal(g.status(), TRADING);
    assert.equal(g.x.shown()[0], 603_050);
  });

  it("FUT-13: a halted market is in the readiness check until it resumes", async () => {
    const g = await guarded();
    const check = pricesCheck(g.x.exchange, g.prices());
    assert.match(await check.run(), /^reduce-only: ETHUSDT, SOLUSDT, AVAXUSDT$/);
    await g.agree(5 * MINUTE_S);
    await assert.rejects(check.run(), /halted for want of an index: ETHUSDT, SOLUSDT, AVAXUSDT/);
    for (const [symbol, price] of [
      ["ETHUSDT", "3000"],
      ["SOLUSDT", "150"],
      ["AVAXUSDT", "30"],
    ] as const) {
      await g.prices().pin(symbol, sizeOf(price));
    }
    assert.equal(await check.run(), "every market has its index");
  });
});

describe("who else sets the status", () => {
  it("FUT-13: an admin resumes a market while the sources agree: it trades at once", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S);
    await g.agree(3);
    await g.x.setStatus(TRADING);
    await g.agree(2 * MINUTE_S);
    assert.deepEqual([g.status(), g.phase()], [TRADING, undefined]);
  });

  it("FUT-13: an admin resumes one that has no index: reduce-only for another five minutes", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S);
    await g.x.setStatus(TRADING);
    await g.run(1);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.run(5 * MINUTE_S - 1);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.run(1);
    assert.equal(g.status(), HALTED);
  });

  it("FUT-13: what an admin has halted stays halted, before and after the guard's own halt", async () => {
    for (const isGuardFirst of [true, false]) {
      const g = await guarded();
      await g.lose();
      if (isGuardFirst) await g.run(5 * MINUTE_S);
      await g.x.setStatus(HALTED);
      await g.run(10 * MINUTE_S);
      await g.agree(3 * MINUTE_S);
      assert.deepEqual([g.status(), g.phase()], [HALTED, undefined]);
    }
  });

  it("FUT-13: what an admin has made reduce-only is halted too and is reduce-only afterwards", async () => {
    const g = await guarded();
    await g.x.setStatus(REDUCE_ONLY);
    g.x.clock.advance(10_001);
    await g.run(5 * MINUTE_S);
    assert.equal(g.status(), REDUCE_ONLY);
    await g.run(1);
    assert.deepEqual([g.status(), g.phase()], [HALTED, "halted"]);
    await g.agree(5 * MINUTE_S);
    assert.deepEqual([g.status(), g.phase()], [REDUCE_ONLY, undefined]);
  });

  it("FUT-13: an admin who halts while the guard halts has the last word", async () => {
    const g = await guarded();
    await g.lose();
    await g.run(5 * MINUTE_S - 1);
    g.x.clock.advance(1_000);
    await Promise.all([g.prices().tick(), g.x.setStatus(HALTED)]);
    await g.agree(3 * MINUTE_S);
    assert.deepEqual([g.status(), g.phase()], [HALTED, undefined]);
  });

  it("FUT-22: the cap of the fund is not ended by sources that come back", async () => {
    const g = await guarded();
    const { fund } = g.x.market();
    await g.lose();
    // Struck by the losses of another market meanwhile.
    fund.cappedUntil_ms = g.x.clock.now() + 30 * MINUTE_ms;
    await g.agree(10);
    assert.deepEqual([g.status(), g.phase()], [REDUCE_ONLY, "reduce_only"]);
    await g.agree(30 * MINUTE_S);
    assert.deepEqual([g.status(), fund.isCapped], [TRADING, false], "the engine ends the cap, then the guard lets go");
  });

  it("FUT-22: a capped market that loses its index is halted, and trades when cap and minutes are over", async () => {
    const g = await guarded();
    const market = g.x.market();
    market.status = REDUCE_ONLY;
    market.fund.isStopped = true;
    market.fund.cappedUntil_ms = g.x.clock.now() + 30 * MINUTE_ms;
    g.x.clock.advance(10_001);
    await g.run(5 * MINUTE_S + 1);
    assert.equal(g.status(), HALTED);
    await g.agree(10 * MINUTE_S);
    assert.deepEqual([g.status(), g.phase(), market.fund.isCapped], [REDUCE_ONLY, "resuming", true]);
    await g.agree(15 * MINUTE_S);
    assert.deepEqual([g.status(), g.phase(), market.fund.isCapped], [TRADING, undefined, false]);
  });
});

describe("the cap of the fund and a release on its way", () => {
  it("FUT-22: a cap that strikes before a pending release is not lost: the market stays reduce-only for an admin", async () => {
    for (const isCapFirst of [true, false]) {
      const x = await new TestExchange().open();
      const market = x.market();
      const sent: MarketStatus[] = [];
      let number = 10;
      const submit: Exchange["submit"] = async (command) => {
        assert.equal(command.kind, "set_market_status");
        const { status } = command as Extract<typeof command, { kind: "set_market_status" }>;
        sent.push(status);
        number += 2;
        if (isCapFirst && status === TRADING) guard.onCapped(number - 1);
        market.status = status;
        guard.onStatus(number, status);
        if (!isCapFirst && status === TRADING) {
          // The engine takes a market that trades out of TRADING itself.
          market.status = REDUCE_ONLY;
          guard.onCapped(number + 1);
        }
        return { number, time_ms: 0, command: { ...command, time_ms: 0 } as Command, events: [] };
      };
      const fail = (message: string) => assert.fail(message);
      const kept = undefined;
      const guard = new MarketGuard({
        exchange: { submit },
        store: x.store,
        market,
        kept,
        onHalted: () => {},
        onError: fail,
      });
      await guard.judge({ now_ms: 0, hasIndex: false, isPinned: false });
      await guard.judge({ now_ms: 1_000, hasIndex: true, isPinned: false });
      const expected = [REDUCE_ONLY, TRADING, ...(isCapFirst ? [REDUCE_ONLY] : [])];
      assert.deepEqual([sent, market.status, guard.record], [expected, REDUCE_ONLY, undefined]);
    }
  });
});
