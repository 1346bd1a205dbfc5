import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Command, Engine, FIRST_MARKETS, PLAIN_ORDER, type PlaceOrder, stateHash } from "@bourse/engine";
import { DAY_ms, START_ms, TestExchange, usdt } from "./exchange.ts";

describe("commands", () => {
  it("FUT-1: what is no command is refused, and counted", () => {
    const engine = new Engine();
    for (const command of [null, undefined, 7, "deposit", [], {}, { kind: "none", time_ms: 1 }]) {
      engine.apply(command as unknown as Command);
      assert.deepEqual(engine.events.decode(), [
        { kind: "refused", account: 0, reason: "bad_field", limit: 0, actual: 0 },
      ]);
    }
    assert.equal(engine.state.commandNumber, 7);
  });

  it("FUT-1: time never goes back", () => {
    const x = new TestExchange();
    x.advance(DAY_ms);
    x.apply({ kind: "advance_time", time_ms: START_ms });
    assert.equal(x.engine.state.time_ms, START_ms + DAY_ms);
  });

  it("FUT-16: an order can be checked without being placed, and nothing changes", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("ann", 600);
    const order: PlaceOrder = {
      ...PLAIN_ORDER,
      time_ms: x.time_ms,
      account: x.number("ann"),
      market: 0,
      side: 0,
      ticks: 600_000,
      lots: 100,
    };
    const before = stateHash(x.engine.state);
    assert.equal(x.engine.checkOrder(order), undefined);
    const refusal = { reason: "margin_insufficient", limit: usdt(600), actual: usdt(606) };
    assert.deepEqual(x.engine.checkOrder({ ...order, lots: 101 }), refusal);
    const unfilled = { reason: "fok_not_filled", limit: 0, actual: 0 };
    assert.deepEqual(x.engine.checkOrder({ ...order, timeInForce: 2 }), unfilled);
    assert.equal(stateHash(x.engine.state), before);
  });

  it("FUT-1: accounts are numbered without gaps", () => {
    const x = new TestExchange();
    x.trader("ann");
    for (const account of [0, 1, 3, -1]) {
      assert.notEqual(x.apply({ kind: "open_account", time_ms: x.time_ms, account }).refusal, "");
    }
    assert.equal(x.apply({ kind: "open_account", time_ms: x.time_ms, account: 2 }).refusal, "");
  });

  it("FUT-2: markets are data: a valid definition, once", () => {
    const x = new TestExchange();
    const add = (definition: (typeof FIRST_MARKETS)[0]) =>
      x.apply({ kind: "add_market", time_ms: x.time_ms, definition }).refusal;
    assert.equal(add(FIRST_MARKETS[0]!), "duplicate_market");
    assert.equal(add({ ...FIRST_MARKETS[0]!, symbol: "lower" }), "bad_market");
    assert.equal(add({ ...FIRST_MARKETS[0]!, symbol: "NEWUSDT" }), "");
    assert.equal(x.engine.state.markets.length, 5);
  });
});

describe("the outside world", () => {
  it("FUT-1: a number that is not above the last is ignored, whatever it says", () => {
    const x = new TestExchange();
    const account = x.trader("ann", 100);
    const deposit = { kind: "deposit", time_ms: x.time_ms, account, amount_micros: 5 } as const;
    x.apply({ ...deposit, number: 10 });
    for (const number of [10, 9, 1]) {
      const answer = x.apply({ ...deposit, number, amount_micros: -5 });
      assert.deepEqual(answer.one("ignored"), { kind: "ignored", number, lastNumber: 10 });
    }
    assert.equal(x.account("ann").principal, usdt(100) + 5);
  });

  it("FUT-1: a refused one has used its number up", () => {
    const x = new TestExchange();
    const account = x.trader("ann", 100);
    const deposit = { kind: "deposit", time_ms: x.time_ms, account, number: 10 } as const;
    assert.equal(x.apply({ ...deposit, amount_micros: 0 }).refusal, "bad_field");
    assert.deepEqual(x.apply({ ...deposit, amount_micros: 5 }).kinds, ["ignored"]);
    assert.equal(x.apply({ ...deposit, number: 0, amount_micros: 5 }).refusal, "bad_field");
    assert.equal(x.apply({ ...deposit, number: 1.5, amount_micros: 5 }).refusal, "bad_field");
    assert.equal(x.apply({ ...deposit, number: 11, amount_micros: 5 }).refusal, "");
  });

  it("INV-1: a withdrawal is in flight until it is done or comes back", () => {
    const x = new TestExchange();
    x.trader("ann", 1_000);
    const refused = x.holdWithdrawal("ann", 1_000.000001);
    assert.deepEqual([refused.refusal, refused.bounds], ["not_withdrawable", [usdt(1_000), usdt(1_000.000001)]]);
    x.holdWithdrawal("ann", 400);
    assert.deepEqual([x.account("ann").principal, x.account("ann").inFlight], [usdt(600), usdt(400)]);
    assert.equal(x.settleWithdrawal("ann", 400.000001, true).refusal, "not_in_flight");
    x.settleWithdrawal("ann", 150, false);
    x.settleWithdrawal("ann", 250, true);
    assert.deepEqual([x.account("ann").principal, x.account("ann").inFlight], [usdt(750), 0]);
    assert.equal(x.engine.state.totals.withdrawals_micros, BigInt(usdt(250)));
  });

  it("INV-1: fees are paid out of the fee account, and may come back", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("ann", 10_000);
    x.trader("bob", 10_000);
    x.trade("ann", "bob", 0.1, 60_000);
    const refused = x.payOut(4.200001);
    assert.deepEqual([refused.refusal, refused.bounds], ["fee_account_short", [usdt(4.2), usdt(4.200001)]]);
    assert.equal(x.payOut(4).one("paid_out").feeAccount_micros, usdt(0.2));
    assert.equal(x.returnPayout(4.000001).refusal, "not_in_flight");
    assert.equal(x.returnPayout(1).one("payout_returned").feeAccount_micros, usdt(1.2));
  });

  it("INV-1: turnover has no limit: ten billion in and out stay exact", () => {
    const x = new TestExchange();
    x.trader("ann");
    const amount = 999_999_999.999999;
    for (let i = 0; i < 11; i += 1) {
      x.deposit("ann", amount);
      x.holdWithdrawal("ann", 999_999_999.999998);
      x.settleWithdrawal("ann", 999_999_999.999998, true);
      x.holdWithdrawal("ann", 0.000001);
      x.settleWithdrawal("ann", 0.000001, true);
    }
    assert.equal(x.engine.state.totals.deposits_micros, 10_999_999_999_999_989n);
    assert.equal(x.engine.state.totals.withdrawals_micros, 10_999_999_999_999_989n);
  });

  it("INV-1: no account and not the exchange as a whole can hold more than its limit", () => {
    const x = new TestExchange();
    x.trader("ann", 1_000_000_000);
    assert.equal(x.deposit("ann", 0.000001).refusal, "balance_limit");
    for (const name of ["bob", "cid"]) x.trader(name, 1_000_000_000);
    assert.equal(x.seedFund(1_000_000_000).refusal, "");
    assert.equal(x.seedFund(0.000001).refusal, "balance_limit");
    x.trader("dan");
    assert.equal(x.deposit("dan", 1).refusal, "balance_limit");
    assert.equal(x.grant("dan", 1).refusal, "balance_limit");
  });
});
