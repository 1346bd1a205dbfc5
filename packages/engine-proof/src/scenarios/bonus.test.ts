import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_ms, earlierExchange, TestExchange, usdt } from "./exchange.ts";

/** Ann trades without fees, with principal and bonus; Bob is rich. BTC at 60,000. */
function withBonus(principal: number, bonus: number, leverage = 10, x = new TestExchange()): TestExchange {
  x.price(60_000);
  x.trader("bob", 10_000_000);
  x.trader("ann", principal);
  x.discount("ann", 10_000);
  if (leverage !== 10) x.leverage("ann", leverage);
  x.grant("ann", bonus, 50);
  return x;
}

describe("a bonus in the account", () => {
  it("BON-6: orders lock their part and unlock it, a price writes no line", () => {
    const x = withBonus(100, 100);
    const answer = x.buy("ann", 0.01, { at: 60_000 });
    const { locked_micros, bonus_micros, consumed_micros } = answer.one("bonus_line");
    assert.deepEqual(answer.lines, [["LOCK", usdt(30)]]);
    assert.deepEqual([locked_micros, bonus_micros, consumed_micros], [usdt(30), usdt(100), 0]);
    assert.deepEqual(x.cancel("ann", answer.order).lines, [["UNLOCK", usdt(30)]]);
    x.trade("ann", "bob", 0.01, 60_000);
    assert.deepEqual(x.price(66_000).lines, []);
    assert.equal(x.account("ann").locked, usdt(30));
    // The next command that touches the account uses the new mark price.
    assert.deepEqual(x.deposit("ann", 1).lines, [["LOCK", usdt(3)]]);
  });

  it("BON-7: what principal lacks of its half of the margin the bonus covers", () => {
    const x = withBonus(100, 500, 50);
    x.buy("ann", 0.25, { at: 60_000 });
    assert.deepEqual([x.account("ann").initial, x.account("ann").locked], [usdt(300), usdt(200)]);
  });

  it("BON-7: bonus 30, principal 100, a loss of 100: the bonus pays 30, principal 70", () => {
    const x = withBonus(100, 30);
    x.trade("ann", "bob", 0.02, 60_000);
    x.price(55_000);
    x.buy("bob", 0.02, { at: 55_000 });
    const answer = x.sell("ann", 0.02, { at: 55_000 });
    const fill = answer.all("fill")[0];
    assert.deepEqual([fill?.realised_micros, fill?.lossFromBonus_micros], [-usdt(100), usdt(30)]);
    assert.deepEqual(answer.lines, [["CONSUME_LOSS", usdt(30)]]);
    assert.equal(x.account("ann").principal, usdt(30));
    assert.deepEqual([x.account("ann").bonus, x.account("ann").state], [0, "recalled"]);
  });

  it("BON-7: bonus 500, principal 5, a cost of 20: principal pays 5, the bonus 15", () => {
    const x = withBonus(5, 500, 50);
    x.price(50_000);
    x.trade("ann", "bob", 0.5, 50_000);
    const answer = x.funding(80_000);
    const paid = answer.all("funding_paid").find(({ account }) => account === x.number("ann"));
    assert.deepEqual([paid?.amount_micros, paid?.fromBonus_micros], [usdt(20), usdt(15)]);
    assert.deepEqual([x.account("ann").principal, x.account("ann").bonus], [0, usdt(485)]);
    assert.deepEqual(answer.lines[0], ["CONSUME_FUNDING", usdt(15)]);
  });

  it("BON-7: half each, the odd unit from principal; fee and loss each by itself", () => {
    const x = withBonus(1_000, 1_000);
    x.discount("ann", 0);
    x.price(60_000.1);
    // The fee of one lot at 60,000.1 is 30,000.05 micros, so 30,001.
    const answer = x.trade("ann", "bob", 0.001, 60_000.1);
    const [fill] = answer.all("fill");
    assert.deepEqual([fill?.fee_micros, fill?.feeFromBonus_micros], [30_001, 15_000]);
    x.price(59_000);
    x.buy("bob", 0.001, { at: 59_000 });
    const closed = x.sell("ann", 0.001, { at: 59_000 }).all("fill")[0];
    assert.deepEqual(
      [closed?.fee_micros, closed?.feeFromBonus_micros, closed?.realised_micros, closed?.lossFromBonus_micros],
      [29_500, 14_750, -1_000_100, 500_050],
    );
  });

  it("BON-7: profit and funding received go to principal", () => {
    const x = withBonus(100, 100);
    x.trade("ann", "bob", 0.01, 60_000);
    x.funding(-10_000);
    assert.deepEqual([x.account("ann").principal, x.account("ann").bonus], [usdt(100.06), usdt(100)]);
  });

  it("BON-7: before version 5 a grant covers a principal below zero first", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.price(3_000, "ETHUSDT");
    x.trader("bob", 10_000_000);
    x.trader("ann", 1_000);
    x.discount("ann", 10_000);
    x.trade("ann", "bob", 0.1, 60_000);
    x.trade("ann", "bob", 1, 3_000, "ETHUSDT");
    x.price(75_000);
    x.price(1_500, "ETHUSDT");
    x.buy("bob", 1, { at: 1_500, in: "ETHUSDT" });
    x.sell("ann", 1, { at: 1_500, in: "ETHUSDT" });
    assert.equal(x.account("ann").principal, -usdt(500));
    const answer = x.grant("ann", 600, 10);
    assert.deepEqual(answer.lines.slice(0, 2), [
      ["GRANT", usdt(600)],
      ["CONSUME_LOSS", usdt(500)],
    ]);
    assert.deepEqual([x.account("ann").principal, x.account("ann").bonus], [0, usdt(100)]);
  });
});

describe("what a bonus forbids", () => {
  it("BON-8: above 0.60 no exposure against the net side; reducing and the same side pass", () => {
    const x = withBonus(40, 60.000001, 50);
    x.trade("ann", "bob", 0.02, 60_000);
    assert.equal(x.sell("ann", 0.021, { at: 60_000 }).refusal, "bonus_ratio");
    assert.equal(x.sell("ann", 0.015, { at: 61_000 }).refusal, "");
    assert.equal(x.sell("ann", 0.006, { at: 61_000 }).refusal, "bonus_ratio");
    assert.equal(x.sell("ann", 0.005, { at: 61_000 }).refusal, "");
    assert.equal(x.buy("ann", 0.01, { at: 60_000 }).refusal, "");
  });

  it("BON-8: at 0.60 exactly, and flat, any side passes", () => {
    const x = withBonus(40, 60, 50);
    x.trade("ann", "bob", 0.02, 60_000);
    assert.equal(x.sell("ann", 0.03, { at: 60_000 }).refusal, "");
    const flat = withBonus(1, 99, 50);
    assert.equal(flat.sell("ann", 0.01, { at: 60_000 }).refusal, "");
    assert.equal(flat.buy("ann", 0.01, { at: 59_000 }).refusal, "");
  });

  it("BON-8: leverage is lowered to the grant's and stays within it, isolated mode is refused", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.price(100, "SOLUSDT");
    x.trader("ann", 1_000, 20);
    x.mode("ann", "isolated", "ETHUSDT");
    const answer = x.grant("ann", 100, 5);
    assert.deepEqual(
      answer.all("leverage_set").map(({ market, leverage }) => [market, leverage]),
      [
        [0, 5],
        [1, 5],
      ],
    );
    assert.deepEqual(answer.one("margin_mode_set"), {
      kind: "margin_mode_set",
      account: x.number("ann"),
      market: 1,
      mode: 0,
    });
    const refused = x.leverage("ann", 6);
    assert.deepEqual([refused.refusal, refused.bounds], ["leverage_invalid", [5, 6]]);
    assert.equal(x.mode("ann", "isolated").refusal, "mode_bonus");
    x.buy("ann", 1, { at: 90, in: "SOLUSDT" });
    assert.equal(x.position("ann", "SOLUSDT").leverage, 5);
    x.cancelAll("ann");
    x.recall("ann");
    assert.equal(x.leverage("ann", 6).refusal, "");
  });

  it("BON-10: withdrawable keeps half of the margin in principal, and all that the bonus does not cover", () => {
    const x = withBonus(1_000, 100);
    x.trade("ann", "bob", 0.05, 60_000);
    x.price(59_000);
    // 1,000 − 50 − max(147.5, 295 − 100).
    assert.equal(x.account("ann").withdrawable, usdt(755));
    assert.equal(x.holdWithdrawal("ann", 755.000001).refusal, "not_withdrawable");
    assert.equal(x.holdWithdrawal("ann", 755).refusal, "");
    assert.equal(x.account("ann").withdrawable, 0);
  });

  it("BON-10: frozen: what is not reduce-only is cancelled, only reducing is allowed, until it is unfrozen", () => {
    const x = withBonus(1_000, 100);
    x.trade("ann", "bob", 0.05, 60_000);
    const plain = x.buy("ann", 0.01, { at: 59_000 }).order;
    x.sell("ann", 0.01, { at: 61_000, reduceOnly: true });
    const answer = x.freeze("ann");
    assert.equal(answer.one("bonus_state_set").state, "frozen");
    assert.deepEqual(answer.closed, [[plain, "CANCELED", "bonus_frozen"]]);
    assert.equal(x.position("ann").orders, 1);
    assert.equal(x.buy("ann", 0.01, { at: 59_000 }).refusal, "bonus_only_reducing");
    assert.equal(x.sell("ann", 0.06, { at: 61_000 }).refusal, "bonus_only_reducing");
    const reducing = x.sell("ann", 0.05, { at: 61_000 }).one("order_opened");
    assert.deepEqual([reducing.isReduceOnly, reducing.lots], [1, 40]);
    assert.equal(x.freeze("ann").refusal, "already_frozen");
    x.unfreeze("ann");
    assert.equal(x.buy("ann", 0.01, { at: 59_000 }).refusal, "");
    assert.equal(x.unfreeze("ann").refusal, "not_frozen");
  });
});

describe("how a bonus ends", () => {
  it("BON-10: a recall waits for the locked part; without one all goes back", () => {
    const x = withBonus(100, 100);
    const order = x.buy("ann", 0.01, { at: 60_000 }).order;
    const refused = x.recall("ann");
    assert.deepEqual([refused.refusal, refused.bounds], ["bonus_locked", [0, usdt(30)]]);
    x.cancel("ann", order);
    const answer = x.recall("ann");
    assert.deepEqual(answer.lines, [["RECALL", usdt(100)]]);
    assert.equal(answer.one("bonus_state_set").state, "recalled");
    assert.equal(x.recall("ann").refusal, "no_bonus");
    assert.equal(x.grant("ann", 5).refusal, "");
    assert.equal(x.grant("ann", 5).refusal, "already_has_bonus");
  });

  it("BON-9: expired without a position: orders are cancelled, the bonus goes back", () => {
    const x = withBonus(100, 100);
    const order = x.buy("ann", 0.01, { at: 59_000 }).order;
    const { conditional } = x.stop("ann", "buy", 0.01, { trigger: 70_000 });
    const early = x.expire("ann");
    assert.deepEqual([early.refusal, early.bounds], ["not_due", [x.time_ms + 7 * DAY_ms, x.time_ms]]);
    x.advance(7 * DAY_ms);
    const answer = x.expire("ann");
    assert.deepEqual(answer.closed, [[order, "CANCELED", "bonus_ended"]]);
    assert.deepEqual(answer.closedConditionals, [[conditional, "CANCELED", "bonus_ended"]]);
    assert.deepEqual(answer.lines, [
      ["UNLOCK", usdt(29.5)],
      ["EXPIRE", usdt(100)],
    ]);
    assert.equal(answer.one("bonus_state_set").state, "recalled");
    assert.deepEqual(x.expire("ann").kinds, []);
  });

  it("BON-9: expired with positions: free bonus returns, the rest as it leaves margin, the last with the last", () => {
    const x = withBonus(100, 100);
    x.trade("ann", "bob", 0.01, 60_000);
    x.advance(7 * DAY_ms);
    const answer = x.expire("ann");
    assert.equal(answer.one("bonus_state_set").state, "expired_pending");
    assert.deepEqual(answer.lines, [["EXPIRE", usdt(70)]]);
    assert.deepEqual([x.account("ann").bonus, x.account("ann").locked], [usdt(30), usdt(30)]);
    assert.equal(x.buy("ann", 0.01, { at: 60_000 }).refusal, "bonus_only_reducing");
    assert.equal(x.expire("ann").refusal, "already_expired");
    x.buy("bob", 0.005, { at: 60_000 });
    assert.deepEqual(x.sell("ann", 0.005, { at: 60_000 }).lines, [
      ["UNLOCK", usdt(15)],
      ["EXPIRE", usdt(15)],
    ]);
    x.buy("bob", 0.005, { at: 60_000 });
    const last = x.sell("ann", 0.005, { at: 60_000 });
    assert.deepEqual(last.lines, [
      ["UNLOCK", usdt(15)],
      ["RECALL", usdt(15)],
    ]);
    assert.deepEqual([x.account("ann").state, x.account("ann").principal], ["recalled", usdt(100)]);
  });

  it("BON-6: funding consumes and writes no lock; the next order does", () => {
    const x = withBonus(70, 500);
    x.trade("ann", "bob", 0.08, 60_000);
    const locked = x.account("ann").locked;
    assert.deepEqual(
      x.funding(1_250).lines.map(([line]) => line),
      ["CONSUME_FUNDING"],
    );
    assert.equal(x.account("ann").locked, locked);
    const [line] = x.buy("ann", 0.001, { at: 59_000 }).lines[0] ?? [];
    assert.equal(line, "LOCK");
  });

  it("BON-9: free bonus that covers an open loss does not return yet", () => {
    const x = withBonus(100, 100);
    x.trade("ann", "bob", 0.01, 60_000);
    x.price(44_000);
    x.advance(7 * DAY_ms);
    // Balance 40, initial margin 44: nothing is available.
    assert.deepEqual(x.expire("ann").lines, [["UNLOCK", usdt(8)]]);
    assert.equal(x.account("ann").bonus, usdt(100));
    x.deposit("ann", 10);
    assert.deepEqual(x.account("ann").bonus, usdt(94));
  });

  it("BON-9: before version 5, seven days later what is left is closed by bounded IOC orders", () => {
    const x = withBonus(100, 100, 10, earlierExchange());
    x.trade("ann", "bob", 0.01, 60_000);
    assert.equal(x.closeExpired("ann").refusal, "not_expired");
    x.advance(7 * DAY_ms);
    x.expire("ann");
    x.advance(7 * DAY_ms - 1);
    assert.equal(x.closeExpired("ann").refusal, "not_due");
    x.advance(1);
    assert.deepEqual(x.closeExpired("ann").kinds, []);
    x.buy("bob", 0.004, { at: 57_000 });
    x.buy("bob", 0.006, { at: 56_999.9 });
    const answer = x.closeExpired("ann");
    const { cause, ticks, isReduceOnly, timeInForce } = answer.one("order_opened");
    assert.deepEqual([cause, ticks, isReduceOnly, timeInForce], ["bonus_expiry", 570_000, 1, 1]);
    assert.deepEqual(answer.trades, [[570_000, 4]]);
    assert.equal(answer.one("order_closed").reason, "time_in_force");
    x.buy("bob", 0.006, { at: 60_000 });
    assert.equal(x.closeExpired("ann").one("bonus_state_set").state, "recalled");
    assert.deepEqual(x.closeExpired("ann").kinds, []);
  });

  it("BON-9: closing the last position before expiry cancels what is open and recalls the bonus", () => {
    const x = withBonus(100, 100);
    x.trade("ann", "bob", 0.01, 60_000);
    const order = x.buy("ann", 0.001, { at: 50_000 }).order;
    x.buy("bob", 0.01, { at: 60_000 });
    const answer = x.sell("ann", 0.01, { at: 60_000 });
    assert.deepEqual(answer.closed, [[order, "CANCELED", "bonus_ended"]]);
    assert.deepEqual(answer.lines, [
      ["UNLOCK", usdt(32.5)],
      ["RECALL", usdt(100)],
    ]);
    assert.equal(x.account("ann").state, "recalled");
  });

  it("BON-9: positions opened on an earlier grant do not end the next one", () => {
    const x = withBonus(100, 100);
    x.trade("ann", "bob", 0.01, 60_000);
    x.buy("bob", 0.01, { at: 60_000 });
    x.discount("ann", 0);
    x.sell("ann", 0.01, { at: 60_000 });
    assert.equal(x.account("ann").consumed, usdt(0.15));
    x.grant("ann", 50);
    x.deposit("ann", 1);
    const { state, bonus, consumed } = x.account("ann");
    assert.deepEqual([state, bonus, consumed], ["active", usdt(50), 0]);
  });

  it("BON-9: a position from before the grant does not end it", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("bob", 10_000_000);
    x.trader("ann", 100);
    x.discount("ann", 10_000);
    x.trade("ann", "bob", 0.01, 60_000);
    x.grant("ann", 100);
    x.buy("bob", 0.01, { at: 60_000 });
    assert.deepEqual(x.sell("ann", 0.01, { at: 60_000 }).lines, [["UNLOCK", usdt(30)]]);
    assert.equal(x.account("ann").state, "active");
  });

  it("BON-10: a frozen bonus can be recalled, and expires like an active one", () => {
    const recalled = withBonus(100, 100);
    recalled.freeze("ann");
    assert.deepEqual(recalled.recall("ann").lines, [["RECALL", usdt(100)]]);
    const expired = withBonus(100, 100);
    expired.freeze("ann");
    expired.advance(7 * DAY_ms);
    assert.equal(expired.expire("ann").one("bonus_state_set").state, "recalled");
  });
});
