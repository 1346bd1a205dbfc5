import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GTC, IOC } from "../book/codes.ts";
import { OrderFlow } from "../codec/testing/order-flow.ts";
import { LIMIT, MARKET } from "../contract/codes.ts";
import { PLAIN_ORDER, type PlaceOrder } from "../contract/commands.ts";
import type { EventOf } from "../contract/events.ts";
import { Engine } from "../engine.ts";
import { definitionOf, FIRST_MARKETS } from "../rules/market.ts";
import { NEWEST_RULES, NEXT_RULES } from "../rules/version.ts";
import { BUY, SELL } from "../side.ts";
import { stateHash } from "../snapshot/state-hash.ts";
import { State } from "../state/state.ts";
import { Rehearsal, SELF } from "./rehearsal.ts";

/** The outcome of an order: why it was refused, or what it executed and how it ended. */
function outcomeOf(engine: Engine, account: number) {
  const events = engine.events.decode();
  const [first] = events;
  if (first?.kind === "refused") return { reason: first.reason, limit: first.limit, actual: first.actual };
  const opened = events.find((event) => event.kind === "order_opened" && event.account === account);
  const order = (opened as EventOf<"order_opened">).order;
  const fills = events.filter((event) => event.kind === "fill" && event.order === order) as EventOf<"fill">[];
  const closed = events.find((event) => event.kind === "order_closed" && event.order === order);
  return {
    fills: fills.map(
      ({ ticks, lots, fee_micros, feeFromBonus_micros, realised_micros, positionLots, cost_micros }) => ({
        ticks,
        lots,
        fee_micros,
        feeFromBonus_micros,
        realised_micros,
        positionLots,
        cost_micros,
      }),
    ),
    status: closed?.kind === "order_closed" ? closed.status : "open",
  };
}

/**
 * Whether the state of other accounts affected the order, which a rehearsal leaves out: a maker that became insolvent
 * or whose reduce-only order shrank with its position, or a conditional order that fired.
 */
function isDisturbed(engine: Engine, account: number): boolean {
  return engine.events
    .decode()
    .some(
      (event) =>
        event.kind === "conditional_triggered" ||
        event.kind === "order_amended" ||
        (event.kind === "order_closed" && event.account !== account),
    );
}

describe("a rehearsal", () => {
  for (const seed of process.env["TEST_DEPTH"] === "long" ? [1, 2, 3, 5] : [1, 5]) {
    it(`FUT-18: says what the engine then does, for the orders of a random flow (${seed})`, () => {
      const engine = new Engine(new State(seed === 5 ? NEXT_RULES : NEWEST_RULES));
      const flow = new OrderFlow(seed, engine.state);
      let rehearsed = 0;
      let refused = 0;
      let filled = 0;
      for (let count = 0; count < (seed === 5 ? 4_000 : 6_000); count += 1) {
        const command = flow.next();
        if (command.kind !== "place_order" || engine.state.markets[command.market] === undefined) {
          engine.apply(command);
          continue;
        }
        // Advancing the time may change tiers and expire orders, so it comes first.
        engine.apply({ kind: "advance_time", time_ms: command.time_ms });
        const { account, time_ms: _, ...order } = command satisfies PlaceOrder;
        const hash = count % 500 === 0 ? stateHash(engine.state) : undefined;
        const rehearsal = new Rehearsal(engine, account, order);
        rehearsal.place(order);
        if (hash !== undefined) assert.equal(stateHash(engine.state), hash);
        const expected = outcomeOf(rehearsal.engine, SELF);
        engine.apply(command);
        if (isDisturbed(engine, account)) continue;
        const happened = outcomeOf(engine, account);
        assert.deepEqual(expected, happened, `command ${count}`);
        rehearsed += 1;
        if ("reason" in happened) refused += 1;
        else if (happened.fills.length > 0) filled += 1;
      }
      assert.ok(rehearsed > 500 && refused > 20 && filled > 100, `${rehearsed}, ${refused}, ${filled}`);
    });
  }

  /** Makers of one lot each at these prices, and an account that can take a thousand of them. */
  function makersAt(...allTicks: readonly number[]): Engine {
    const engine = new Engine();
    const time_ms = 0;
    engine.apply({ kind: "add_market", time_ms, definition: definitionOf(FIRST_MARKETS[0]!) });
    engine.apply({ kind: "set_price", time_ms, market: 0, indexTicks: 600_000, markTicks: 600_000 });
    const makers = Math.ceil(allTicks.length / 200);
    for (let account = 1; account <= makers + 1; account += 1) {
      engine.apply({ kind: "open_account", time_ms, account });
      engine.apply({ kind: "deposit", time_ms, number: account, account, amount_micros: 1e12 });
    }
    for (const [index, ticks] of allTicks.entries()) {
      engine.apply({
        ...order,
        time_ms,
        account: 2 + Math.floor(index / 200),
        side: SELL,
        type: LIMIT,
        timeInForce: GTC,
        ticks,
      });
    }
    assert.equal(engine.state.markets[0]!.book.asks.orders, allTicks.length);
    return engine;
  }

  const order = {
    ...PLAIN_ORDER,
    market: 0,
    side: BUY,
    type: MARKET,
    timeInForce: IOC,
    lots: 1,
  };

  it("FUT-18: beyond 500 orders those of one price count as one, and the sums are the same", () => {
    const engine = makersAt(...Array<number>(700).fill(600_000), 600_001);
    const rehearsal = new Rehearsal(engine, 1, { ...order, lots: 701 });
    rehearsal.place({ ...order, lots: 701 });
    const { fills } = outcomeOf(rehearsal.engine, SELF);
    // The 500th is merged with the orders behind it at its price.
    assert.equal(fills!.length, 501);
    const sum = (field: "lots" | "fee_micros") => fills!.reduce((total, fill) => total + fill[field], 0);
    assert.equal(sum("lots"), 701);
    // 700 times 60 USDT at 0.05 %, and 60.0001 of them rounded up.
    assert.equal(sum("fee_micros"), 700 * 30_000 + 30_001);
    assert.equal(rehearsal.isCut, false);
  });

  it("FUT-18: an order that would meet more than 2,000 prices is not rehearsed; what it does not reach is not read", () => {
    const engine = makersAt(...Array.from({ length: 2_001 }, (_, index) => 600_000 + index));
    assert.equal(new Rehearsal(engine, 1, { ...order, lots: 2_001 }).isCut, true);
    assert.equal(new Rehearsal(engine, 1, { ...order, lots: 2_000 }).isCut, false);
    const limit = { ...order, type: LIMIT, timeInForce: GTC, ticks: 600_004, lots: 2_001 };
    const rehearsal = new Rehearsal(engine, 1, limit);
    assert.equal(rehearsal.isCut, false);
    assert.equal(rehearsal.market.book.asks.orders, 5);
    const below = new Rehearsal(engine, 1, { ...limit, ticks: 500_000 });
    assert.equal(below.market.book.asks.orders, 1);
  });
});
