import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ByteReader,
  ByteWriter,
  type Command,
  decodeCommand,
  Engine,
  type EngineEvent,
  encodeCommand,
  FIRST_MARKETS,
  readSnapshot,
  stateHash,
  writeSnapshot,
} from "@bourse/engine";
import { OWN_TERMS } from "../../../engine/src/state/accounts.ts";
import { fingerprint } from "../properties/fingerprint.ts";
import type { Answer } from "./answer.ts";
import { TestExchange } from "./exchange.ts";

const PRICE = 50_000;
/** `kol` and `boss` lead, `ann` and `bob` are customers. */
const NAMES = ["kol", "boss", "ann", "bob"];

function market(): TestExchange {
  const x = new TestExchange();
  x.price(PRICE);
  for (const name of NAMES) x.trader(name, 1_000_000);
  return x;
}

/** The versions that the fills of an answer carry, as [taker's, maker's]. */
function versions(answer: Answer): (number | undefined)[] {
  const fills = answer.all("fill");
  assert.equal(fills.length, 2);
  return [0, 1].map((isMaker) => fills.find((fill) => fill.isMaker === isMaker)?.termsVersion);
}

/** `taker` buys from `maker`. */
const trade = (x: TestExchange, taker: string, maker: string) => versions(x.trade(taker, maker, 0.001, PRICE));

/** A valid follow command with some fields changed. */
function followWith(x: TestExchange, changes: Readonly<Record<string, unknown>>): Answer {
  const command = { kind: "follow_terms", time_ms: x.time_ms, account: x.number("ann"), leader: x.number("kol") };
  return x.apply({ ...command, number: x.nextNumber(), ...changes } as unknown as Command);
}

describe("terms of another account", () => {
  it("BRK-8: a follower's fills carry its leader's version, from the command on", () => {
    const x = market();
    x.terms("kol", 7);
    x.terms("ann", 3);
    assert.deepEqual(trade(x, "ann", "bob"), [3, 0]);
    const resting = x.buy("ann", 0.001, { at: 49_000 }).order;
    assert.deepEqual(x.follow("ann", "kol").events, [
      { kind: "terms_followed", account: x.number("ann"), leader: x.number("kol") },
    ]);
    // A resting order is filled under the new terms: the time of the fill counts, not that of the order.
    const answer = x.sell("bob", 0.001, { at: 49_000 });
    assert.deepEqual(versions(answer), [0, 7]);
    assert.equal(answer.all("fill").find(({ order }) => order === resting)?.termsVersion, 7);
    assert.deepEqual(trade(x, "ann", "bob"), [7, 0]);
  });

  it("BRK-8: one change of the leader's version reaches all followers at once, as makers and as takers", () => {
    const x = market();
    for (const name of ["ann", "bob"]) x.follow(name, "kol");
    const bid = x.buy("ann", 0.001, { at: 49_000 }).order;
    assert.deepEqual(trade(x, "ann", "bob"), [0, 0]);
    assert.deepEqual(x.terms("kol", 41).events, [{ kind: "terms_set", account: x.number("kol"), version: 41 }]);
    const hit = x.sell("bob", 0.001, { at: 49_000 });
    assert.deepEqual(versions(hit), [41, 41]);
    assert.equal(hit.all("fill").find(({ isMaker }) => isMaker === 1)?.order, bid);
    x.terms("kol", Number.MAX_SAFE_INTEGER);
    assert.deepEqual(trade(x, "bob", "ann"), [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
    assert.deepEqual(trade(x, "kol", "boss"), [Number.MAX_SAFE_INTEGER, 0]);
  });

  it("BRK-8: who follows itself has its own version again, the one that was set meanwhile", () => {
    const x = market();
    x.terms("kol", 7);
    x.terms("ann", 3);
    x.follow("ann", "kol");
    assert.deepEqual(x.terms("ann", 4).events, [{ kind: "terms_set", account: x.number("ann"), version: 4 }]);
    assert.deepEqual(trade(x, "ann", "bob"), [7, 0]);
    assert.deepEqual(x.follow("ann", "ann").events, [
      { kind: "terms_followed", account: x.number("ann"), leader: x.number("ann") },
    ]);
    assert.equal(x.engine.state.accounts.termsLeader(x.number("ann")), OWN_TERMS);
    assert.deepEqual(trade(x, "ann", "bob"), [4, 0]);
    x.terms("kol", 8);
    assert.deepEqual(trade(x, "bob", "ann"), [0, 4]);
  });

  it("BRK-8: the state after it is that of an account that never followed", () => {
    const [plain, other] = [market(), market()];
    other.follow("ann", "kol");
    assert.notEqual(fingerprint(other.engine.state), fingerprint(plain.engine.state));
    other.follow("ann", "ann");
    assert.equal(fingerprint(other.engine.state), fingerprint(plain.engine.state));
  });

  it("BRK-8: another leader replaces the previous one", () => {
    const x = market();
    x.terms("kol", 7);
    x.terms("boss", 9);
    x.follow("ann", "kol");
    x.follow("ann", "boss");
    assert.deepEqual(trade(x, "ann", "bob"), [9, 0]);
    x.terms("kol", 8);
    assert.deepEqual(trade(x, "ann", "bob"), [9, 0]);
  });

  it("BRK-8: chains are not followed, nor circles", () => {
    const x = market();
    x.terms("kol", 7);
    x.terms("boss", 9);
    x.follow("ann", "kol");
    x.follow("kol", "boss");
    assert.deepEqual(trade(x, "ann", "kol"), [7, 9]);
    x.terms("boss", 10);
    assert.deepEqual(trade(x, "ann", "kol"), [7, 10]);
    x.follow("boss", "kol");
    assert.deepEqual(trade(x, "kol", "boss"), [10, 7]);
  });

  it("BRK-8: a liquidated follower's fills carry it too; the fund's carry 0", () => {
    const x = market();
    x.seedFund(100_000);
    x.trader("dan", 1_000, 50);
    x.terms("kol", 7);
    x.follow("dan", "kol");
    assert.deepEqual(trade(x, "dan", "bob"), [7, 0]);
    x.trade("dan", "bob", 0.5, PRICE);
    const fills = x.price(48_100).all("fill");
    const dan = x.number("dan");
    assert.ok(fills.length > 0 && fills.every(({ cause }) => cause === "takeover"));
    assert.deepEqual(
      fills.map(({ account, termsVersion }) => [account, termsVersion]),
      fills.map(({ account }) => [account, account === dan ? 7 : 0]),
    );
  });

  it("BRK-8: a leader or an account that is none is refused, and nothing changes", () => {
    const x = market();
    x.follow("ann", "boss");
    const before = fingerprint(x.engine.state);
    const ann = x.number("ann");
    const bad = [0, -0, -1, 1.5, 2 ** 24 + 1, Number.NaN, "1", null, undefined, true, 1n];
    for (const leader of bad) {
      assert.deepEqual(followWith(x, { leader }).events, [
        { kind: "refused", account: ann, reason: "bad_field", limit: 0, actual: 0 },
      ]);
    }
    for (const account of bad) assert.equal(followWith(x, { account }).refusal, "bad_field", String(account));
    for (const unknown of [NAMES.length + 1, 2 ** 24]) {
      assert.deepEqual(followWith(x, { leader: unknown }).events, [
        { kind: "refused", account: ann, reason: "unknown_account", limit: 0, actual: 0 },
      ]);
      assert.equal(followWith(x, { account: unknown }).refusal, "unknown_account");
      // It follows itself, but does not exist.
      assert.equal(followWith(x, { account: unknown, leader: unknown }).refusal, "unknown_account");
    }
    for (const number of [0, -1, 1.5, null]) assert.equal(followWith(x, { number }).refusal, "bad_field");
    assert.equal(fingerprint(x.engine.state), before);
    assert.equal(x.engine.state.accounts.termsLeader(ann), x.number("boss"));
  });

  it("BRK-8, FUT-1: a number that was used is ignored", () => {
    const x = market();
    x.terms("kol", 7);
    assert.deepEqual(followWith(x, { number: 1 }).kinds, ["ignored"]);
    assert.deepEqual(trade(x, "ann", "bob"), [0, 0]);
  });
});

describe("terms in journal and snapshot", () => {
  /** All of the above in one history; calls back for each command and its events. */
  function play(onApplied: (command: Command, events: readonly EngineEvent[], engine: Engine) => void): Engine {
    const x = new TestExchange([]);
    const apply = x.engine.apply.bind(x.engine);
    x.engine.apply = (command) => {
      apply(command);
      onApplied(command, x.engine.events.decode(), x.engine);
    };
    x.apply({ kind: "add_market", time_ms: x.time_ms, definition: FIRST_MARKETS[0]! });
    x.price(PRICE);
    for (const name of NAMES) x.trader(name, 1_000_000);
    x.terms("kol", 7);
    x.follow("bob", "boss");
    // A follower with a lower number than its leader, and the reverse.
    x.follow("kol", "ann");
    x.trade("ann", "bob", 0.001, PRICE);
    x.terms("boss", 12);
    x.trade("kol", "bob", 0.001, PRICE);
    x.follow("bob", "bob");
    x.trade("kol", "bob", 0.001, PRICE);
    return x.engine;
  }

  it("BRK-8, INV-6: a replay of the journal gives the same events and the same hash", () => {
    const journal = new ByteWriter();
    const said: (readonly EngineEvent[])[] = [];
    const live = play((command, events) => {
      encodeCommand(command, journal);
      said.push(events);
    });
    const replayed = new Engine();
    const reader = new ByteReader(journal.bytes);
    const again: (readonly EngineEvent[])[] = [];
    while (reader.remaining > 0) {
      replayed.apply(decodeCommand(reader));
      again.push(replayed.events.decode());
    }
    assert.deepEqual(again, said);
    assert.equal(stateHash(replayed.state), stateHash(live.state));
    const carried = said.flat().flatMap((event) => (event.kind === "fill" ? [event.termsVersion] : []));
    assert.deepEqual(carried, [0, 0, 0, 12, 0, 0]);
  });

  it("BRK-8, INV-6: a snapshot after any command goes on as the live engine does", () => {
    const restored: Engine[] = [];
    play((command, events, engine) => {
      for (const other of restored) {
        other.apply(command);
        assert.deepEqual(other.events.decode(), events);
        assert.equal(stateHash(other.state), stateHash(engine.state));
      }
      restored.push(readSnapshot(writeSnapshot(engine.state)));
    });
    assert.ok(restored.length > 15);
  });
});
