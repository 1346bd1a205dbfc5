import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Command } from "@bourse/engine";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { NaiveEngine } from "./model.ts";
import { MAJOR, OTHER } from "./random-markets.ts";
import { BUY, SELL, STP_EXPIRE_BOTH, STP_EXPIRE_TAKER, STP_NONE, TAKE_PROFIT, TRAILING_STOP } from "./state.ts";
import { Desk, kinds, only, USDT } from "./testing/desk.ts";

const DAY_ms = 86_400_000;

function btcDesk(desk = new Desk()): Desk {
  desk.market(MAJOR.definition, 600_000);
  return desk;
}

describe("the naive model: commands and money", () => {
  it("INV-1: a withdrawal is in flight until it is settled", () => {
    for (const isDone of [false, true]) {
      const desk = new Desk();
      const account = desk.account(1_000);
      const held = desk.run({ kind: "hold_withdrawal", account, number: desk.nextNumber(), amount_micros: 400 * USDT });
      assert.equal(held[0]?.kind === "withdrawal_held" && held[0].inFlight_micros, 400 * USDT);
      assert.equal(desk.principal(account), 600);
      desk.run({ kind: "settle_withdrawal", account, number: desk.nextNumber(), amount_micros: 400 * USDT, isDone });
      assert.equal(desk.principal(account), isDone ? 600 : 1_000);
      assert.equal(desk.model.audit().left, BigInt(isDone ? 600 : 1_000) * 1_000_000n);
      assert.equal(desk.model.audit().right, desk.model.audit().left);
    }
  });

  it("FUT-1: whatever a command holds, the answer is events", () => {
    const strange: unknown[] = [null, undefined, 5, "x", [], {}, { kind: "toString", time_ms: 1 }];
    for (const command of strange) {
      const refused = { kind: "refused", account: 0, reason: "bad_field", limit: 0, actual: 0 };
      assert.deepEqual(new NaiveEngine().apply(command as Command), [refused]);
    }
  });

  it("FUT-1: a number that was applied is ignored, a refused one counts as applied", () => {
    const desk = new Desk();
    const account = desk.account(0);
    const refused = desk.run({ kind: "deposit", account: account + 1, number: 10, amount_micros: 5 });
    assert.deepEqual(refused, [{ kind: "refused", account: 0, reason: "unknown_account", limit: 0, actual: 0 }]);
    const again = desk.run({ kind: "deposit", account, number: 10, amount_micros: -1 });
    assert.deepEqual(again, [{ kind: "ignored", number: 10, lastNumber: 10 }]);
    assert.deepEqual(kinds(desk.run({ kind: "deposit", account, number: 11, amount_micros: 5 })), ["deposited"]);
  });

  it("FUT-15: a tier rises with the fill, falls the midnight after it was announced", () => {
    const desk = btcDesk();
    // Behind more than a million of open interest.
    desk.run({ kind: "seed_fund", number: desk.nextNumber(), amount_micros: 1_000_000 * USDT });
    const [one, other] = [desk.account(10_000_000, 0), desk.account(10_000_000, 0)];
    const events = desk.trade(one, other, BUY, 20_000, 600_000);
    const rise = { kind: "tier_changed", change: "upgrade_immediate", tier: 1, previousTier: 0 };
    const volume14d_micros = 1_200_000 * USDT;
    assert.deepEqual(only(events, "tier_changed"), [
      { ...rise, account: one, volume14d_micros },
      { ...rise, account: other, volume14d_micros },
    ]);
    desk.time_ms += 13 * DAY_ms;
    assert.deepEqual(desk.run({ kind: "advance_time" }), []);
    desk.time_ms += 2 * DAY_ms;
    const changes = only(desk.run({ kind: "advance_time" }), "tier_changed").filter((event) => event.account === one);
    assert.deepEqual(
      changes.map((event) => [event.change, event.tier, event.previousTier]),
      [
        ["downgrade_scheduled", 0, 1],
        ["downgrade_applied", 0, 1],
      ],
    );
  });
});

describe("the naive model: orders", () => {
  it("FUT-9: the worst side of open orders counts for the initial margin", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(1_200), desk.account(100_000)];
    desk.trade(account, other, BUY, 100, 600_000);
    desk.order({ account, side: BUY, lots: 100, ticks: 590_000 });
    const [refused] = desk.order({ account, side: SELL, lots: 300, ticks: 610_000 });
    const expected = { account, reason: "margin_insufficient", limit: 10 * USDT, actual: 40 * USDT };
    assert.deepEqual(refused, { kind: "refused", ...expected });
    assert.deepEqual(kinds(desk.order({ account, side: SELL, lots: 290, ticks: 610_000 })), ["order_opened"]);
  });

  it("FUT-3: self-trade prevention closes the maker, the taker or both", () => {
    /** The orders that were closed: 1 is the maker, 2 the taker. */
    const closedWith = (selfTradePrevention: 0 | 1 | 2 | 3): number[] => {
      const desk = btcDesk();
      const account = desk.account(1_000_000);
      desk.order({ account, side: SELL, lots: 1, ticks: 600_000 });
      const events = desk.order({ account, side: BUY, lots: 2, ticks: 600_000, selfTradePrevention });
      return only(events, "order_closed").map((event) => event.order);
    };
    assert.deepEqual(closedWith(0), [1]);
    assert.deepEqual(closedWith(STP_EXPIRE_TAKER), [2]);
    assert.deepEqual(closedWith(STP_EXPIRE_BOTH), [1, 2]);
    assert.deepEqual(closedWith(STP_NONE), []);
  });

  it("FUT-4: a market order is bounded, its slippage can be", () => {
    const desk = btcDesk();
    const [maker, taker] = [desk.account(1_000_000), desk.account(1_000_000)];
    desk.order({ account: maker, side: SELL, lots: 300, ticks: 600_000 });
    desk.order({ account: maker, side: SELL, lots: 200, ticks: 606_000 });
    const wish = { account: taker, side: BUY, lots: 500 } as const;
    const [refused] = desk.order({ ...wish, maxSlippage_e8: 399_999 });
    assert.equal(refused?.kind === "refused" && refused.reason, "slippage_exceeded");
    const events = desk.order({ ...wish, maxSlippage_e8: 400_000 });
    assert.deepEqual(
      only(events, "fill").map((fill) => [fill.account, fill.ticks, fill.lots]),
      [
        [taker, 600_000, 300],
        [maker, 600_000, 300],
        [taker, 606_000, 200],
        [maker, 606_000, 200],
      ],
    );
  });

  it("FUT-6: what exceeds the position is taken from the newest reduce-only order", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(100_000), desk.account(100_000)];
    desk.trade(account, other, BUY, 10, 600_000);
    desk.order({ account, side: SELL, lots: 4, ticks: 610_000, isReduceOnly: true });
    const second = desk.order({ account, side: SELL, lots: 99, ticks: 611_000, isReduceOnly: true });
    assert.equal(only(second, "order_opened")[0]?.lots, 6);
    const third = desk.order({ account, side: SELL, lots: 1, ticks: 612_000, isReduceOnly: true });
    assert.equal(only(third, "refused")[0]?.reason, "reduce_only_rejected");
    const events = desk.trade(other, account, BUY, 5, 600_000);
    const amended = only(events, "order_amended");
    assert.deepEqual(
      amended.map((event) => [event.lots, event.reason]),
      [[1, "reduce_only_excess"]],
    );
    const closing = desk.trade(other, account, BUY, 4, 600_000);
    assert.deepEqual(
      only(closing, "order_closed").map((event) => event.reason),
      ["reduce_only_excess"],
    );
    assert.deepEqual(
      only(closing, "order_amended").map((event) => event.lots),
      [1],
    );
  });

  it("FUT-7: a modified order goes to the back of its queue; no more than executed cancels it", () => {
    const desk = btcDesk();
    const [one, two, taker] = [desk.account(100_000), desk.account(100_000), desk.account(100_000)];
    const order = only(desk.order({ account: one, side: SELL, lots: 5, ticks: 600_000 }), "order_opened")[0]!.order;
    desk.order({ account: two, side: SELL, lots: 5, ticks: 600_000 });
    const modify = { kind: "modify_order", account: one, order, clientId: "", side: -1, ticks: 600_000 } as const;
    assert.deepEqual(kinds(desk.run({ ...modify, lots: 6 })), ["order_amended"]);
    const fills = only(desk.order({ account: taker, side: BUY, lots: 7 }), "fill").filter((fill) => fill.isMaker === 1);
    assert.deepEqual(
      fills.map((fill) => [fill.account, fill.lots]),
      [
        [two, 5],
        [one, 2],
      ],
    );
    assert.equal(only(desk.run({ ...modify, lots: 2 }), "order_closed")[0]?.reason, "modified");
  });

  it("FUT-8: attached triggers wake with the first fill, and one closes the other", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(100_000), desk.account(100_000)];
    desk.order({ account: other, side: SELL, lots: 10, ticks: 600_000 });
    desk.order({ account: other, side: BUY, lots: 10, ticks: 590_000 });
    const takeProfit = { triggerTicks: 605_000, ticks: 0, workingType: 1 } as const;
    const stopLoss = { triggerTicks: 595_000, ticks: 0, workingType: 1 } as const;
    const opened = desk.order({ account, side: BUY, lots: 10, ticks: 600_000, takeProfit, stopLoss });
    assert.deepEqual(kinds(opened), [
      "order_opened",
      "conditional_opened",
      "conditional_opened",
      "fill",
      "fill",
      "conditional_activated",
      "conditional_activated",
    ]);
    const fired = desk.price(594_000);
    assert.deepEqual(kinds(fired).slice(0, 5), [
      "price_set",
      "conditional_triggered",
      "conditional_closed",
      "order_opened",
      "fill",
    ]);
    assert.equal(only(fired, "conditional_closed")[0]?.reason, "sibling_triggered");
  });

  it("FUT-8: rising triggers fire from the lowest, then falling ones, then trailing stops", () => {
    const desk = btcDesk();
    const account = desk.account(100_000);
    desk.conditional({ account, side: BUY, lots: 1, triggerTicks: 603_000 });
    desk.conditional({ account, side: BUY, lots: 1, triggerTicks: 602_000 });
    desk.conditional({ account, side: SELL, lots: 1, type: TAKE_PROFIT, triggerTicks: 601_000 });
    desk.conditional({ account, side: BUY, lots: 1, type: TRAILING_STOP, callback_bps: 10 });
    const order = only(desk.price(605_000), "conditional_triggered").map((event) => event.conditional);
    assert.deepEqual(order, [3, 2, 1, 4]);
  });
});

describe("the naive model: isolated margin, bonus, liquidation", () => {
  it("FUT-9: an isolated position takes its margin along and gives it back with what is closed", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(1_000), desk.account(100_000)];
    desk.run({ kind: "set_margin_mode", account, market: 0, mode: 1 });
    desk.trade(account, other, BUY, 100, 600_000);
    assert.equal(desk.principal(account), 400);
    const closed = desk.trade(account, other, SELL, 50, 606_000);
    const fill = only(closed, "fill").find((event) => event.account === account);
    assert.deepEqual([fill?.isolated_micros, fill?.principal_micros], [300 * USDT, 730 * USDT]);
    const [moved] = desk.run({ kind: "move_isolated_margin", account, market: 0, amount_micros: 30 * USDT });
    assert.equal(moved?.kind === "isolated_margin_moved" && moved.isolated_micros, 330 * USDT);
  });

  it("BON-7: a realised loss is split, the bonus pays what it has", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(100), desk.account(100_000)];
    desk.grant(account, 30);
    desk.leverage(account, 50);
    desk.trade(account, other, BUY, 100, 600_000);
    desk.price(590_000);
    const events = desk.trade(account, other, SELL, 100, 590_000);
    const fill = only(events, "fill").find((event) => event.account === account)!;
    assert.deepEqual([fill.realised_micros, fill.lossFromBonus_micros], [-100 * USDT, 30 * USDT]);
    assert.equal(desk.principal(account), 30);
    assert.deepEqual(
      only(events, "bonus_state_set").map((event) => event.state),
      ["recalled"],
    );
  });

  it("BON-6: an order locks half of its margin in the bonus", () => {
    const desk = btcDesk();
    const account = desk.account(100);
    desk.grant(account, 100);
    const events = desk.order({ account, side: BUY, lots: 10, ticks: 600_000 });
    const line = { line: "LOCK", amount_micros: 30 * USDT, bonus_micros: 100 * USDT, locked_micros: 30 * USDT };
    assert.deepEqual(only(events, "bonus_line"), [{ kind: "bonus_line", account, ...line, consumed_micros: 0 }]);
  });

  it("BON-9: the end of the last position opened on a bonus ends the bonus", () => {
    const desk = btcDesk();
    const [account, other] = [desk.account(1_000), desk.account(100_000)];
    desk.grant(account, 100);
    desk.trade(account, other, BUY, 10, 600_000);
    desk.order({ account, side: BUY, lots: 1, ticks: 590_000 });
    const events = desk.trade(account, other, SELL, 10, 600_000);
    assert.deepEqual(
      only(events, "order_closed").map((event) => event.reason),
      ["bonus_ended"],
    );
    assert.deepEqual(
      only(events, "bonus_line").map((event) => event.line),
      ["UNLOCK", "RECALL"],
    );
    assert.deepEqual(
      only(events, "bonus_state_set").map((event) => event.state),
      ["recalled"],
    );
  });

  it("FUT-12: before version 5 a quarter goes first, at the bankruptcy price, to the fund", () => {
    const desk = btcDesk(new Desk(EARLIER_RULES));
    desk.run({ kind: "seed_fund", number: desk.nextNumber(), amount_micros: 100_000 * USDT });
    const [account, other] = [desk.account(1_000), desk.account(100_000)];
    desk.leverage(account, 50);
    desk.trade(account, other, BUY, 500, 600_000);
    const events = desk.price(585_000);
    const started = { market: -1, maintenance_micros: 292_500_000, balance_micros: 250 * USDT };
    assert.deepEqual(only(events, "liquidation_started"), [{ kind: "liquidation_started", account, ...started }]);
    const first = only(events, "fill").slice(0, 2);
    assert.deepEqual(
      first.map((fill) => [fill.account, fill.cause, fill.ticks, fill.lots, fill.side]),
      [
        [account, "takeover", 580_000, 125, SELL],
        [0, "takeover", 580_000, 125, BUY],
      ],
    );
    assert.equal(only(events, "liquidation_ended")[0]?.isResolved, 1);
    assert.ok(desk.model.audit().lowest >= 0n);
  });

  it("FUT-12: without a fund the other side gives, the largest gain times leverage first", () => {
    const desk = btcDesk();
    const [account, low, high] = [desk.account(1_000), desk.account(100_000), desk.account(100_000)];
    desk.leverage(account, 50);
    desk.leverage(high, 20);
    desk.order({ account: low, side: SELL, lots: 250, ticks: 600_000 });
    desk.order({ account: high, side: SELL, lots: 250, ticks: 600_000 });
    desk.order({ account, side: BUY, lots: 500, ticks: 600_000 });
    const fills = only(desk.price(575_000), "fill");
    assert.deepEqual(new Set(fills.map((fill) => fill.cause)), new Set(["adl"]));
    assert.equal(fills[1]?.account, high);
    assert.ok(fills.every((fill) => fill.ticks === 580_000 && fill.fee_micros === 0));
    assert.equal(desk.principal(account), 0);
  });

  it("INV-2: funding adds up, the residue is the fund's", () => {
    const desk = new Desk();
    desk.market(MAJOR.definition, 80_080);
    desk.market(OTHER.definition, 15_000);
    const [long, short] = [desk.account(100), desk.account(100)];
    desk.trade(long, short, BUY, 1, 80_080);
    const events = desk.run({ kind: "apply_funding", market: 0, rate_e8: 1_250, hour: 500_000 });
    assert.deepEqual(
      only(events, "funding_paid")
        .map((event) => event.amount_micros)
        .sort(),
      [-100, 101],
    );
    assert.equal(only(events, "funding_settled")[0]?.residue_micros, 1);
  });
});
