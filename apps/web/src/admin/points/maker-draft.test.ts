import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changesOfMakers, draftOfMakers, problemsOfMakers, requestOfMakers } from "./maker-draft.ts";

const ONE = "0x52908400098527886e0f7030069857d2e4169ee7";
const OTHER = "0xde709f2102306220921060314715629080e2fb77";
const makers = { wallets: [{ address: ONE, label: "Desk one", created_at: "2026-06-01T00:00:00.000Z" }] };
const rows = draftOfMakers(makers);

describe("the list of market makers", () => {
  it("goes out as it came in", () => {
    assert.deepEqual(changesOfMakers(makers, requestOfMakers(rows)), []);
  });

  it("says which wallets are added, removed or renamed", () => {
    const after = requestOfMakers([
      { key: 0, address: ONE, label: "Desk 1" },
      { key: 1, address: OTHER, label: " " },
    ]);
    assert.deepEqual(after[1], { address: OTHER, label: null });
    assert.deepEqual(
      changesOfMakers(makers, after).map(({ before, after: next }) => [before, next]),
      [
        ["Desk one", "Desk 1"],
        [undefined, "no name, does not score"],
      ],
    );
    assert.deepEqual(
      changesOfMakers(makers, []).map(({ after: next }) => next),
      ["scores again"],
    );
  });

  it("names rows that are wrong", () => {
    const problems = problemsOfMakers([
      ...rows,
      { key: 1, address: `0x${ONE.slice(2).toUpperCase()}`, label: "" },
      { key: 2, address: "0x1", label: "x".repeat(65) },
    ]);
    assert.deepEqual([...problems.keys()], [1, 2]);
    assert.match(problems.get(1)?.address ?? "", /twice/);
    assert.deepEqual(Object.keys(problems.get(2) ?? {}), ["address", "label"]);
  });
});
