import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Command,
  commitmentTo,
  Engine,
  extendDigest,
  NEWEST_RULES,
  NO_DIGEST,
  OLDEST_RULES,
  State,
  stateHash,
} from "@bourse/engine";

const WALLET = commitmentTo("11".repeat(16), "0x00000000000000000000000000000000000000aa");
const OTHER = commitmentTo("22".repeat(16), "0x00000000000000000000000000000000000000bb");
const TIME = { time_ms: 1_790_000_000_000 };

function apply(engine: Engine, command: object): readonly { readonly kind: string }[] {
  engine.apply({ ...TIME, ...command } as Command);
  return engine.events.decode();
}

const open = (account: number, number: number, commitment = WALLET) =>
  ({ kind: "open_account", account, number, reference: `open-account:${account}`, commitment }) as const;
const deposit = (number: number, reference: string) =>
  ({ kind: "deposit", account: 1, number, reference, amount_micros: 1_000_000 }) as const;

describe("references of the outside world", () => {
  it("LOG-1: the state keeps a rolling digest over number and reference of all of them", () => {
    const engine = new Engine();
    apply(engine, open(1, 1));
    apply(engine, deposit(2, "deposit:0xaa:0"));
    // Refused, but its number is taken.
    apply(engine, { ...deposit(3, "deposit:0xbb:0"), account: 9 });
    const refs = ["open-account:1", "deposit:0xaa:0", "deposit:0xbb:0"];
    const expected = refs.reduce((digest, ref, place) => extendDigest(digest, place + 1, ref), NO_DIGEST);
    assert.equal(engine.state.externalDigest, expected);
    assert.deepEqual(apply(engine, deposit(3, "deposit:0xcc:0")), [{ kind: "ignored", number: 3, lastNumber: 3 }]);
    assert.equal(engine.state.externalDigest, expected);
  });

  it("LOG-1: two exchanges whose references differ have different hashes, also where all amounts agree", () => {
    const [one, other] = [new Engine(), new Engine()];
    for (const engine of [one, other]) apply(engine, open(1, 1));
    apply(one, deposit(2, "deposit:0xaa:0"));
    apply(other, deposit(2, "deposit:0xbb:0"));
    assert.notEqual(stateHash(one.state), stateHash(other.state));
  });

  it("LOG-1: an account commits to its wallet once, when it is opened or later", () => {
    const engine = new Engine();
    apply(engine, open(1, 1));
    apply(engine, { ...open(2, 2), commitment: "" });
    const commit = (account: number, number: number, commitment: string) =>
      apply(engine, { kind: "commit_wallet", account, number, reference: `wallet:${account}`, commitment });
    assert.deepEqual([engine.state.accounts.commitment(1), engine.state.accounts.commitment(2)], [WALLET, ""]);
    assert.deepEqual(commit(2, 3, OTHER), [{ kind: "wallet_committed", account: 2 }]);
    assert.equal(engine.state.accounts.commitment(2), OTHER);
    const reasonOf = (events: readonly object[]) => (events[0] as { reason?: string }).reason;
    assert.equal(reasonOf(commit(2, 4, WALLET)), "wallet_known");
    assert.equal(reasonOf(commit(3, 5, WALLET)), "unknown_account");
    assert.equal(reasonOf(commit(1, 6, "")), "bad_field");
    assert.equal(reasonOf(commit(1, 7, "not hex")), "bad_field");
    assert.equal(engine.state.externalNumber, 6, "a malformed stamp takes no number");
  });

  it("LOG-1: an opening that is repeated under its number is ignored", () => {
    const engine = new Engine();
    apply(engine, open(1, 1));
    assert.deepEqual(apply(engine, open(1, 1)), [{ kind: "ignored", number: 1, lastNumber: 1 }]);
    assert.equal(engine.state.accounts.count, 1);
  });
});

describe("rules versions", () => {
  it("LOG-5: a new exchange begins with the newest rules", () => {
    assert.equal(new Engine().state.rulesVersion, NEWEST_RULES);
  });

  it("LOG-5, LOG-6: by version 3 references mean nothing; digest and commitments begin behind the change", () => {
    const engine = new Engine(new State(OLDEST_RULES));
    apply(engine, open(1, 1));
    apply(engine, deposit(2, "deposit:0xaa:0"));
    assert.deepEqual([engine.state.externalDigest, engine.state.accounts.commitment(1)], [NO_DIGEST, ""]);
    const raise = { kind: "set_rules_version", number: 3, version: 4, reference: "rules:4" };
    assert.deepEqual(apply(engine, raise), [{ kind: "rules_version_set", version: 4, previous: 3 }]);
    assert.deepEqual([engine.state.referencesFrom, engine.state.externalDigest], [3, NO_DIGEST]);
    apply(engine, deposit(4, "deposit:0xbb:0"));
    assert.equal(engine.state.externalDigest, extendDigest(NO_DIGEST, 4, "deposit:0xbb:0"));
  });

  it("LOG-5: rules do not go back, nor to where they are", () => {
    const engine = new Engine();
    for (const [place, version] of [NEWEST_RULES, OLDEST_RULES].entries()) {
      const events = apply(engine, { kind: "set_rules_version", number: place + 1, version, reference: "again" });
      assert.deepEqual(events, [
        { kind: "refused", account: 0, reason: "rules_version", limit: NEWEST_RULES, actual: 0 },
      ]);
    }
    assert.equal(engine.state.rulesVersion, NEWEST_RULES);
  });
});
