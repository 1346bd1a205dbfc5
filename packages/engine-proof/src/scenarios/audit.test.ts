import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAudit, auditEngine, type Engine, type EngineEvent } from "@bourse/engine";
import { AuditFault } from "../../../engine/src/checks/audit.ts";
import { EventLedger } from "../../../engine/src/checks/event-ledger.ts";
import { FLAG_TOUCHED } from "../../../engine/src/state/accounts.ts";
import { TestExchange } from "./exchange.ts";

/**
 * An exchange with all kinds of state: positions, orders of both kinds, attached orders, a bonus, an isolated position.
 */
function exchange(): TestExchange {
  const x = new TestExchange();
  x.price(60_000);
  x.price(3_000, "ETHUSDT");
  x.trader("ann", 10_000);
  x.trader("bob", 10_000);
  x.trader("cid", 10_000);
  x.grant("cid", 100);
  x.trade("ann", "bob", 0.1, 60_000);
  x.mode("ann", "isolated", "ETHUSDT");
  x.trade("ann", "bob", 1, 3_000, "ETHUSDT");
  x.buy("ann", 0.1, { at: 59_000, name: "a", takeProfit: { at: 62_000 }, stopLoss: { at: 58_000 } });
  x.sell("ann", 0.05, { at: 61_000, reduceOnly: true });
  x.sell("ann", 0.02, { at: 61_000 });
  x.stop("bob", "buy", 0.1, { trigger: 65_000, name: "s" });
  x.trailing("bob", "buy", 0.1, { callback_bps: 50 });
  x.buy("cid", 0.01, { at: 59_000 });
  return x;
}

type Fault = readonly [name: string, plant: (engine: Engine) => void, found: RegExp];

const FAULTS: readonly Fault[] = [
  ["a micro too much", ({ state }) => state.accounts.addPrincipal(1, 1), /INV-1/],
  ["a fee that nobody paid", ({ state }) => state.totals.addFees(1), /INV-1/],
  ["a margin from nowhere", ({ state }) => state.positions.addIsolated(1, 5), /isolated margin of 5 for nothing/],
  ["a lot too much", ({ state }) => state.positions.setHolding(1, 101, state.positions.cost(1)), /INV-2/],
  ["open interest", ({ state }) => state.markets[0]!.addOpenInterest(1), /open interest/],
  ["a bonus from nowhere", ({ state }) => state.accounts.setBonus(1, 7), /bonus of 7 in the state none/],
  ["too much consumed", ({ state }) => state.accounts.setConsumed(3, 1), /INV-3/],
  ["too much locked", ({ state }) => state.accounts.setLocked(3, 1e9), /1000000000 of 100000000 bonus locked/],
  ["open value", ({ state }) => state.positions.addOpen(1, 0, 1, 0), /of open value on side 0/],
  ["open lots", ({ state }) => state.positions.addOpen(1, 1, 0, 1), /open lots on side 1/],
  ["reduce-only lots", ({ state }) => state.positions.addReduceOnlyLots(1, 1), /reduce-only lots/],
  ["a count of orders", ({ state }) => state.positions.addOrders(1, 1), /open orders/],
  [
    "a count of conditional orders",
    ({ state }) => state.positions.addConditionals(1, 1),
    /counts 3 conditional orders/,
  ],
  ["a count of positions", ({ state }) => state.accounts.addOpenPositions(1, 1), /counts 3 positions/],
  ["a lost name", ({ state }) => state.details.dropName(1, "a"), /client id of order/],
  ["a lost name of a trigger", ({ state }) => state.details.dropName(2, "s"), /not found by its client id/],
  ["a lost order", ({ state }) => state.positions.setFirstOrder(2, 0), /lists 0 open orders of 3/],
  [
    "a broken list",
    ({ state }) => state.pool.setOwnerPrevious(state.positions.lastOrder(2), 0),
    /broken list of orders/,
  ],
  ["a lost symbol", ({ state }) => state.accounts.setFirstPosition(1, 0), /accounts lead to/],
  ["an unlisted symbol", ({ state }) => void state.markets[0]!.positions.pop(), /lists 2 symbols, 3 are its own/],
  ["a leverage", ({ state }) => state.positions.setLeverage(1, 20, 1), /may hold 1 at a leverage of 20/],
  ["an old flag", ({ state }) => state.accounts.raiseFlag(1, FLAG_TOUCHED), /not closed off/],
  ["a volume", ({ state }) => state.accounts.setVolume14d(1, 1), /keeps a volume of 1/],
  ["a tier", ({ state }) => state.accounts.setTier(1, 9), /tier 9/],
  ["an account that follows itself", ({ state }) => state.accounts.setTermsLeader(1, 1), /1 follows .* account 1/],
  ["a leader that is nobody", ({ state }) => state.accounts.setTermsLeader(1, 4), /1 follows .* account 4/],
  ["a leader below the fund", ({ state }) => state.accounts.setTermsLeader(1, -1), /1 follows .* account -1/],
  ["a fund that follows", ({ state }) => state.accounts.setTermsLeader(0, 1), /0 follows .* account 1/],
  ["a band", ({ state }) => void state.markets[0]!.bandTicks.fill(1), /keeps the bounds/],
  ["a trigger asleep", ({ state }) => wake(state), /waits for no price/],
  ["a lost trigger", ({ state }) => void state.markets[0]!.triggers[0].trailing.pop(), /wait for a price/],
  ["a debt", ({ state }) => state.accounts.addPrincipal(3, -2e10), /no position that could be closed/],
];

function wake({ conditionals }: Engine["state"]): void {
  for (const conditional of conditionals.all()) conditional.isAsleep = false;
}

describe("the audit", () => {
  it("INV-1, INV-2, INV-3: finds nothing in an engine that is as it must be", () => {
    const { problems, sums, belowZero } = auditEngine(exchange().engine);
    assert.deepEqual([problems, belowZero], [[], []]);
    assert.equal(sums.held, 30_100_000_000n);
    assert.equal(sums.brought, sums.held);
    assert.deepEqual(sums.lots, [0n, 0n, 0n, 0n]);
    assert.deepEqual(sums.longLots, [100n, 1_000n, 0n, 0n]);
  });

  for (const [name, plant, found] of FAULTS) {
    it(`INV-1, INV-2, INV-3: finds ${name}`, () => {
      const { engine } = exchange();
      plant(engine);
      assert.match(auditEngine(engine).problems.join("\n"), found);
      assert.throws(() => assertAudit(engine), AuditFault);
    });
  }

  it("FUT-12: reports accounts below zero with a position that could be closed", () => {
    const { engine } = exchange();
    engine.state.accounts.addPrincipal(2, -2e10);
    const { belowZero } = auditEngine(engine);
    assert.deepEqual(
      belowZero.map(({ account, market }) => [account, market]),
      [[2, -1]],
    );
  });
});

describe("the ledger of events", () => {
  /** Compares after the same events, of which some are withheld. */
  function compare(isHeard: (event: EngineEvent) => boolean): string {
    const ledger = new EventLedger();
    const heard: EngineEvent[] = [];
    const x = new TestExchange();
    const { apply } = x.engine;
    x.engine.apply = (command) => {
      apply.call(x.engine, command);
      heard.push(...x.engine.events.decode());
    };
    x.price(60_000);
    x.trader("ann", 1_000);
    x.trader("bob", 1_000);
    x.grant("bob", 10);
    x.trade("ann", "bob", 0.01, 60_000);
    x.buy("ann", 0.01, { at: 59_000 });
    x.stop("ann", "buy", 0.01, { trigger: 65_000 });
    ledger.hear(heard.filter(isHeard));
    return ledger.compare(x.engine).join("\n");
  }

  it("INV-1: agrees with the engine when it has heard everything", () => {
    assert.equal(
      compare(() => true),
      "",
    );
  });

  it("INV-1: misses what it has not heard", () => {
    assert.match(
      compare(({ kind }) => kind !== "deposited"),
      /account 1 worth/,
    );
    assert.match(
      compare(({ kind }) => kind !== "bonus_line"),
      /the bonus of account 2/,
    );
    assert.match(
      compare(({ kind }) => kind !== "fill"),
      /the lots of account 1 in market 0/,
    );
    assert.match(
      compare(({ kind }) => kind !== "order_opened"),
      /orders open/,
    );
    assert.match(
      compare(({ kind }) => kind !== "conditional_opened"),
      /conditional orders open/,
    );
  });
});
