import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Command, PLAIN_ORDER, type PlaceOrder } from "../contract/commands.ts";
import { Engine } from "../engine.ts";
import { FIRST_MARKETS } from "../rules/market.ts";
import { NEWEST_RULES, NEXT_RULES } from "../rules/version.ts";
import { FLAG_TOUCHED } from "../state/accounts.ts";
import { formatOf, readSnapshot, writeSnapshot } from "./snapshot.ts";
import { SnapshotFault, type SnapshotProblem } from "./snapshot-fault.ts";
import { stateHash } from "./state-hash.ts";
import { busyEngine } from "./testing/busy-engine.ts";

const time_ms = Date.UTC(2026, 0, 1);
const MARK_ticks = 600_000;
const ORDER: PlaceOrder = {
  ...PLAIN_ORDER,
  time_ms,
  account: 1,
  market: 0,
  side: 0,
  ticks: 590_000,
  lots: 1,
};

function engineAfter(commands: readonly Command[]): Engine {
  const engine = new Engine();
  const opening: readonly Command[] = [
    { kind: "add_market", time_ms, definition: FIRST_MARKETS[0]! },
    { kind: "set_price", time_ms, market: 0, indexTicks: MARK_ticks, markTicks: MARK_ticks },
    { kind: "open_account", time_ms, account: 1 },
    { kind: "deposit", time_ms, number: 1, account: 1, amount_micros: 1e12 },
  ];
  for (const command of [...opening, ...commands]) {
    engine.apply(command);
    assert.notEqual(engine.events.decode()[0]?.kind, "refused", JSON.stringify(engine.events.decode()));
  }
  return engine;
}

const cancel = (order: number): Command => ({
  kind: "cancel_order",
  time_ms,
  account: 1,
  order,
  clientId: "",
  scope: 1,
});

function faultOf(bytes: Uint8Array): SnapshotProblem {
  try {
    readSnapshot(bytes);
  } catch (error) {
    assert.ok(error instanceof SnapshotFault, String(error));
    return error.problem;
  }
  return assert.fail("it was read");
}

function withWord(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice();
  new DataView(changed.buffer).setUint32(at, value, true);
  return changed;
}

describe("snapshot", () => {
  it("INV-6: an empty engine comes back", () => {
    const { state } = new Engine();
    const bytes = writeSnapshot(state);
    assert.equal(stateHash(readSnapshot(bytes).state), stateHash(state));
  });

  it("INV-6: the same state gives the same bytes, whatever its history", () => {
    const asOneSlot = engineAfter([ORDER, cancel(1), { ...ORDER, ticks: 591_000 }]);
    const asTwoSlots = engineAfter([{ ...ORDER, lots: 7 }, { ...ORDER, ticks: 591_000 }, cancel(1)]);
    assert.deepEqual(writeSnapshot(asOneSlot.state), writeSnapshot(asTwoSlots.state));
    // A pool that has grown and shrunk again, whose slots had client ids before.
    const many = Array.from({ length: 100 }, (_, i) => ({ ...ORDER, clientId: `order-${i}` }));
    const crowded = engineAfter([...many, ...many.map((_, i) => cancel(100 - i))]);
    const serial = engineAfter(many.flatMap((order, i) => [order, cancel(i + 1)]));
    assert.deepEqual(writeSnapshot(crowded.state), writeSnapshot(serial.state));
  });

  it("INV-6: the order of an account's own orders is a part of it", () => {
    const modify: Command = {
      kind: "modify_order",
      time_ms,
      account: 1,
      order: 1,
      clientId: "",
      side: -1,
      ticks: 590_000,
      lots: 2,
    };
    const { state } = engineAfter([ORDER, { ...ORDER, ticks: 591_000 }, modify]);
    const restored = readSnapshot(writeSnapshot(state));
    restored.apply({ kind: "cancel_all", time_ms, account: 1, market: -1, scope: 1 });
    const cancelled = restored.events.decode().map((event) => (event.kind === "order_closed" ? event.order : 0));
    assert.deepEqual(cancelled, [2, 1]);
  });

  it("PRF-1, LOG-6: ends with the state hash: SHA-256, and 128 bits in rules version 3", () => {
    for (const [version, length] of [
      [3, 16],
      [4, 32],
    ] as const) {
      const { state } = busyEngine(3, 500, version).engine;
      const bytes = writeSnapshot(state);
      assert.equal(Buffer.from(bytes.subarray(-length)).toString("hex"), stateHash(state));
    }
  });

  it("reads bytes that lie somewhere inside a buffer", () => {
    const { engine } = busyEngine(4, 300);
    const bytes = writeSnapshot(engine.state);
    const inside = new Uint8Array(bytes.length + 11);
    inside.set(bytes, 5);
    assert.equal(stateHash(readSnapshot(inside.subarray(5, 5 + bytes.length)).state), stateHash(engine.state));
  });

  it("INV-6: a damaged snapshot is refused wherever the damage is", () => {
    const { engine } = busyEngine(5, 150);
    const bytes = writeSnapshot(engine.state);
    const problems = new Set<SnapshotProblem>();
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1 << (at % 8);
      problems.add(faultOf(damaged));
    }
    const expected = ["bad_magic", "other_format", "other_rules_version", "truncated", "damaged"];
    assert.deepEqual([...problems].sort(), expected.sort());
  });

  it("INV-6: a truncated snapshot is refused wherever it ends", () => {
    const { engine } = busyEngine(6, 150);
    const bytes = writeSnapshot(engine.state);
    for (let length = 0; length < bytes.length; length += 1) {
      assert.equal(faultOf(bytes.subarray(0, length)), "truncated");
    }
    assert.equal(faultOf(Uint8Array.of(...bytes, 0)), "damaged");
  });

  it("LOG-6: names the format and the rules version that it cannot read", () => {
    const bytes = writeSnapshot(new Engine().state);
    const otherFormat = withWord(bytes, 8, formatOf(NEWEST_RULES) + 1);
    assert.throws(() => readSnapshot(otherFormat), /has format 6, its rules version has format 5/);
    assert.equal(faultOf(otherFormat), "other_format");
    for (const version of [NEXT_RULES + 1, 2]) {
      const otherRules = withWord(bytes, 12, version);
      assert.throws(
        () => readSnapshot(otherRules),
        new RegExp(`needs rules version ${version}, this release knows 3 to`),
      );
      assert.equal(faultOf(otherRules), "other_rules_version");
    }
    assert.equal(faultOf(new TextEncoder().encode("a text of no importance, but long enough")), "bad_magic");
  });

  it("refuses to write an engine in the middle of a command or one that contradicts itself", () => {
    const inTheMiddle = engineAfter([]).state;
    inTheMiddle.touched.add(1);
    assert.throws(() => writeSnapshot(inTheMiddle), { name: "SnapshotFault", problem: "inconsistent_state" });
    const miscounted = engineAfter([ORDER]).state;
    miscounted.positions.addOrders(1, 1);
    assert.throws(() => writeSnapshot(miscounted), { name: "SnapshotFault", problem: "inconsistent_state" });
    const unlinked = engineAfter([ORDER]).state;
    unlinked.positions.addOrders(1, -1);
    unlinked.positions.setFirstOrder(1, 0);
    assert.throws(() => stateHash(unlinked), { name: "SnapshotFault", problem: "inconsistent_state" });
  });

  it("BRK-8: refuses invalid leaders: a missing account, the account itself, a leader of the fund", () => {
    for (const [account, leader] of [
      [1, 1],
      [1, 2],
      [0, 1],
      [1, -1],
    ] as const) {
      const { state } = engineAfter([]);
      state.accounts.setTermsLeader(account, leader);
      assert.equal(faultOf(writeSnapshot(state)), "damaged", `${account} follows ${leader}`);
    }
  });

  it("leaves out what does not outlast a command", () => {
    const { state } = engineAfter([]);
    const before = writeSnapshot(state);
    state.accounts.raiseFlag(1, FLAG_TOUCHED);
    assert.deepEqual(writeSnapshot(state), before);
  });

  it("knows every field of the state: a new one has to be written, or be one that follows from others", () => {
    const { state } = engineAfter([]);
    const fields = (object: object) => Object.keys(object).sort();
    const kept = ["accounts", "commandNumber", "conditionals", "day", "details", "externalNumber", "lastOrderId"];
    const rules = ["rulesVersion", "externalDigest", "referencesFrom"];
    const fair = ["fairness", "fundHours"];
    const passing = ["events", "expiries", "index", "moved", "touched"];
    const all = [...kept, ...rules, ...fair, ...passing, "markets", "pool", "positions", "totals"];
    assert.deepEqual(fields(state), all.sort());
    assert.deepEqual(fields(state.fairness), ["bonuses", "held"]);
    assert.deepEqual(fields(state.fundHours), ["highs", "hour", "start_micros"]);
    const totals = ["deposits", "withdrawals", "payouts", "seeds", "granted", "returned"];
    assert.deepEqual(fields(state.totals), totals.map((name) => `${name}_micros`).sort());
    const stored = [
      "number",
      "definition",
      "book",
      "status",
      "markTicks",
      "indexTicks",
      "lastTicks",
      "trades",
      "fundingHour",
      "rules",
      "fund",
      "indexWindow",
    ];
    const bounds = ["bandTicks", "boundTicks", "triggeredTicks", "fairTicks", "isFair"];
    const derived = ["defaultMaxNotional_micros", "positions", "rearmed", "restingElsewhere", "triggers"];
    assert.deepEqual(fields(state.markets[0]!), [...stored, ...bounds, ...derived].sort());
    const fund = ["realised_micros", "worthAtStart_micros", "since_ms", "unwound_s", "cappedUntil_ms", "isStopped"];
    assert.deepEqual(fields(state.markets[0]!.fund), fund.sort());
  });
});
