import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NEWEST_RULES } from "@bourse/engine";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { CRASHES, type Crash, runCrash } from "./crash.ts";

const SEED = 1;
const FUND = 100_000;

/** Per market a tenth or a twentieth, and what one price moves inventory and mark: see `Tally.outflowExcess` for the exact bound. */
const boundOf = ({ markets }: Crash) => markets.reduce((sum, market) => sum + FUND * (market < 2 ? 0.12 : 0.06), 0);

describe("a fall of all prices in one minute, by version 5", () => {
  for (const crash of CRASHES) {
    it(`FUT-12, FUT-22: ${crash.name}: nobody below zero, no case left, no unit lost, no book crossed, the fund within its cap`, () => {
      const outcome = runCrash(crash, NEWEST_RULES, SEED);
      assert.deepEqual(outcome.faults, []);
      assert.equal(outcome.badDebt, 0);
      assert.ok(outcome.fundLost <= boundOf(crash), `the fund lost ${outcome.fundLost}`);
    });
  }

  it("FUT-1: the same seed gives the same figures", () => {
    const crash = CRASHES.find(({ attack }) => attack === "farm")!;
    assert.deepEqual(runCrash(crash, NEWEST_RULES, SEED), runCrash(crash, NEWEST_RULES, SEED));
  });
});

describe("the same by the rules before version 5", () => {
  const compare = (name: string) => {
    const crash = CRASHES.find((one) => one.name === name)!;
    return { old: runCrash(crash, EARLIER_RULES, SEED), fair: runCrash(crash, NEWEST_RULES, SEED) };
  };

  it("FUT-21: the fund lost most of itself in a thin book, and attackers took it in a calm one", () => {
    assert.ok(compare("BTC, thin book, −30 %").old.fundLost > FUND / 2);
    const { old, fair } = compare("fund farmers, BTC calm");
    assert.ok(old.attackers > 15_000, `by the old rules ${old.attackers}`);
    assert.ok(fair.attackers < 0 && fair.fundLost === 0, `by the new rules ${fair.attackers}`);
  });

  it("FUT-13: quotes in an empty book ruined others, and a lying source too", () => {
    const { old, fair } = compare("mark pushers, AVAX calm, nobody quotes");
    assert.ok(old.liquidations > 0 && old.attackers > 5_000, `by the old rules ${old.attackers}`);
    assert.ok(fair.liquidations === 0 && fair.attackers <= 0, `by the new rules ${fair.attackers}`);
    const liar = compare("BTC, calm, one source lies");
    assert.ok(liar.old.liquidations > 0, "a third of 4.9 % liquidates at 50×");
    assert.equal(liar.fair.liquidations, 0);
  });

  it("BON-7, VLT-3: three trial funds of 500 were worth over a thousand to a clean wallet", () => {
    const { old, fair } = compare("bonus moved, AVAX calm");
    assert.ok(old.attackers > 1_000, `by the old rules ${old.attackers}`);
    assert.ok(fair.attackers <= 0, `by the new rules ${fair.attackers}`);
  });

  it("FUT-23: more accounts are deleveraged, but nearer to the index", () => {
    const { old, fair } = compare("BTC, thin book, −50 %");
    assert.ok(fair.deleveragedWorst < old.deleveragedWorst);
  });
});
