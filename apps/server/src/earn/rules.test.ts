import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  allowed,
  type ChainFacts,
  CLAIM_PERIOD_s,
  dueEvent,
  dueOnChain,
  type Facts,
  isInWindow,
  isSettlementDelayed,
  OPERATIONS,
  type ProductEvent,
  pathFrom,
  productStates,
  type Status,
  statusOf,
} from "./rules.ts";

const START_s = 1_000;
const END_s = 2_000;
const SETTLE_s = 3_000;

const chain = (changes: Partial<ChainFacts> = {}): ChainFacts => ({
  status: "open",
  hasOurTerms: true,
  subscribed: 100n,
  principal: 100n,
  interestOwed: 10n,
  funded: 10n,
  ...changes,
});
const facts = (now_s: number, changes: Partial<ChainFacts> | undefined = {}): Facts => ({
  now_s,
  subscribeStart_s: START_s,
  subscribeEnd_s: END_s,
  settleTime_s: SETTLE_s,
  chain: changes === undefined ? undefined : chain(changes),
});
const offChain = (now_s: number): Facts => ({ ...facts(now_s), chain: undefined });

describe("ERN-1: the states of a product", () => {
  it("every state has an answer to every operation", () => {
    assert.deepEqual(Object.keys(allowed).sort(), [...productStates.states].sort());
    for (const status of productStates.states) {
      assert.deepEqual(Object.keys(allowed[status]).sort(), [...OPERATIONS].sort(), status);
    }
  });

  const moves: readonly (readonly [Status, ProductEvent, Status])[] = [
    ["created", "start_reached", "subscribing"],
    ["created", "cancelled", "cancelled"],
    ["subscribing", "end_reached", "active"],
    ["subscribing", "cancelled", "cancelled"],
    ["active", "settled", "settled"],
    ["active", "cancelled", "cancelled"],
    ["settled", "claims_over", "ended"],
  ];
  for (const status of productStates.states) {
    for (const event of productStates.events) {
      const move = moves.find(([from, cause]) => from === status && cause === event);
      const answer = move?.[2] ?? "refused";
      it(`${status} × ${event} → ${answer}`, () => assert.equal(String(productStates.answer(status, event)), answer));
    }
  }

  it("what may be asked of a product depends on its state", () => {
    const inWhich = (operation: (typeof OPERATIONS)[number]) =>
      productStates.states.filter((status) => allowed[status][operation]);
    assert.deepEqual(inWhich("prepare"), ["subscribing"]);
    assert.deepEqual(inWhich("update_terms"), ["created"]);
    assert.deepEqual(inWhich("cancel"), ["created", "subscribing", "active"]);
    assert.deepEqual(inWhich("fund"), ["created", "subscribing", "active"]);
  });
});

describe("ERN-1: what time and chain bring about", () => {
  it("subscribing begins at the start time, on chain, with the same terms", () => {
    assert.equal(dueEvent("created", facts(START_s - 1)), undefined);
    assert.equal(dueEvent("created", facts(START_s)), "start_reached");
    assert.equal(dueEvent("created", offChain(START_s)), undefined);
    assert.equal(dueEvent("created", facts(START_s, { hasOurTerms: false })), undefined);
  });

  it("active begins at the end time", () => {
    assert.equal(dueEvent("subscribing", facts(END_s - 1)), undefined);
    assert.equal(dueEvent("subscribing", facts(END_s)), "end_reached");
  });

  it("settled and cancelled are what the contract says, and nothing else", () => {
    assert.equal(dueEvent("active", facts(SETTLE_s + 1_000)), undefined);
    assert.equal(dueEvent("active", facts(SETTLE_s, { status: "settled" })), "settled");
    for (const status of ["created", "subscribing", "active"] as const) {
      assert.equal(dueEvent(status, facts(0, { status: "cancelled" })), "cancelled");
    }
  });

  it("ended begins when all is claimed, or 180 days after the settle time", () => {
    const settled = { status: "settled" } as const;
    assert.equal(dueEvent("settled", facts(SETTLE_s, settled)), undefined);
    assert.equal(dueEvent("settled", facts(SETTLE_s, { ...settled, principal: 0n })), "claims_over");
    assert.equal(dueEvent("settled", facts(SETTLE_s + CLAIM_PERIOD_s - 1, settled)), undefined);
    assert.equal(dueEvent("settled", facts(SETTLE_s + CLAIM_PERIOD_s, settled)), "claims_over");
    assert.equal(CLAIM_PERIOD_s, 15_552_000);
  });

  it("RUN-6: after a jump all states are passed in their order", () => {
    const settled = { status: "settled" } as const;
    assert.deepEqual(pathFrom("created", facts(SETTLE_s, settled)), ["subscribing", "active", "settled"]);
    assert.deepEqual(pathFrom("created", facts(SETTLE_s + CLAIM_PERIOD_s, settled)), [
      "subscribing",
      "active",
      "settled",
      "ended",
    ]);
    assert.deepEqual(pathFrom("subscribing", facts(SETTLE_s)), ["active"]);
    assert.deepEqual(pathFrom("created", facts(SETTLE_s, { status: "cancelled" })), ["cancelled"]);
    assert.deepEqual(pathFrom("ended", facts(SETTLE_s)), []);
  });

  it("no facts lead to a move that the table refuses, and moving again changes nothing", () => {
    const anyChain = fc.record({
      status: fc.constantFrom("open" as const, "settled" as const, "cancelled" as const),
      hasOurTerms: fc.boolean(),
      subscribed: fc.bigInt(0n, 3n),
      principal: fc.bigInt(0n, 3n),
      interestOwed: fc.bigInt(0n, 3n),
      funded: fc.bigInt(0n, 3n),
    });
    const anyFacts = fc
      .tuple(fc.integer({ min: 0, max: 20_000_000 }), fc.option(anyChain, { nil: undefined }))
      .map(([now_s, seen]): Facts => ({ ...facts(now_s), chain: seen }));
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...productStates.states), (seen, status) => {
        const path = pathFrom(status, seen);
        const last = path.at(-1) ?? status;
        assert.deepEqual(pathFrom(last, seen), []);
        assert.equal(new Set([status, ...path]).size, path.length + 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("after blocks were taken back the state is the one that the facts give", () => {
    assert.equal(statusOf(facts(SETTLE_s)), "active");
    assert.equal(statusOf(facts(START_s)), "subscribing");
    assert.equal(statusOf(offChain(SETTLE_s)), "created");
    assert.equal(statusOf(facts(SETTLE_s, { status: "settled", principal: 0n })), "ended");
  });
});

describe("ERN-1: what the platform does on chain", () => {
  it("settles when time is up and the product itself is funded", () => {
    assert.equal(dueOnChain("active", facts(SETTLE_s - 1)), undefined);
    assert.equal(dueOnChain("active", facts(SETTLE_s)), "settle");
    assert.equal(dueOnChain("active", facts(SETTLE_s, { funded: 9n })), undefined);
    assert.equal(dueOnChain("active", facts(SETTLE_s, { status: "settled" })), undefined);
    for (const status of productStates.states.filter((each) => each !== "active")) {
      assert.equal(dueOnChain(status, facts(SETTLE_s)), undefined);
    }
  });

  it("cancels what nobody has subscribed to", () => {
    assert.equal(dueOnChain("active", facts(END_s, { subscribed: 0n, principal: 0n })), "cancel");
    assert.equal(dueOnChain("subscribing", facts(END_s, { subscribed: 0n, principal: 0n })), undefined);
  });

  it("settlement is delayed while the product's own funding is too small", () => {
    assert.equal(isSettlementDelayed("active", facts(SETTLE_s, { funded: 9n })), true);
    assert.equal(isSettlementDelayed("active", facts(SETTLE_s)), false);
    assert.equal(isSettlementDelayed("active", facts(SETTLE_s - 1, { funded: 9n })), false);
    assert.equal(isSettlementDelayed("settled", facts(SETTLE_s, { funded: 9n })), false);
    assert.equal(isSettlementDelayed("active", offChain(SETTLE_s)), false);
  });

  it("the window has its first second and not its last", () => {
    const seconds = [START_s - 1, START_s, END_s - 1, END_s];
    assert.deepEqual(
      seconds.map((now_s) => isInWindow(facts(now_s))),
      [false, true, true, false],
    );
  });
});
