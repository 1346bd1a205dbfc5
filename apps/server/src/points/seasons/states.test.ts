import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refused } from "../../kernel/state-table.ts";
import { Epochs } from "../epochs.ts";
import { changeableFields, type SeasonStatus, seasonStates } from "./states.ts";
import { CLAIM_WINDOW_ms, dueEvent, momentsOf } from "./timing.ts";

/** By status, in the order of the events. */
const EXPECTED: Readonly<Record<SeasonStatus, string>> = {
  pending: "active not_started not_started not_started not_started",
  active: "active snapshot not_over not_over not_over",
  snapshot: "snapshot snapshot distributing not_distributing not_distributing",
  distributing: "distributing distributing distributing completed completed",
  completed: "completed completed completed completed completed",
};

describe("PTS-2: the states of a season", () => {
  for (const status of seasonStates.states) {
    for (const [place, event] of seasonStates.events.entries()) {
      const expected = EXPECTED[status].split(" ")[place];
      it(`${status}, ${event} → ${expected}`, () => assert.equal(String(seasonStates.answer(status, event)), expected));
    }
  }

  it("nothing leads back, and no step is left out", () => {
    const { states } = seasonStates;
    for (const [place, status] of states.entries()) {
      for (const event of seasonStates.events) {
        const next = seasonStates.answer(status, event);
        if (!(next instanceof Refused)) assert.ok([place, place + 1].includes(states.indexOf(next)));
      }
    }
  });

  it("what may be changed gets less from status to status, the label last of all", () => {
    const counts = seasonStates.states.map((status) => changeableFields[status].length);
    assert.deepEqual(counts, [7, 5, 2, 1, 1]);
    assert.deepEqual(changeableFields.active, [
      "label",
      "end_epoch",
      "user_pool_tokens",
      "mm_pool_tokens",
      "distribution_at",
    ]);
    assert.deepEqual(changeableFields.completed, ["label"]);
  });
});

describe("PTS-2: when a season moves", () => {
  const epochs = new Epochs(Date.UTC(2026, 0, 5));
  const end_ms = epochs.end_ms(4);
  const times = { start_epoch: 3, snapshot_at: new Date(end_ms), distribution_at: new Date(end_ms + 259_200_000) };

  it("at the start of its first epoch, the end of its last, the distribution, and 90 days after that", () => {
    assert.deepEqual(
      momentsOf(epochs, times).map(({ at_ms }) => new Date(at_ms).toISOString()),
      ["2026-01-19T00:00:00.000Z", "2026-02-02T00:00:00.000Z", "2026-02-05T00:00:00.000Z", "2026-05-06T00:00:00.000Z"],
    );
  });

  it("a step is due from its moment on, not a millisecond before, and only in its turn", () => {
    const distribution_ms = times.distribution_at.getTime();
    const steps = [
      ["pending", epochs.start_ms(3), "start_reached"],
      ["active", end_ms, "end_reached"],
      ["snapshot", distribution_ms, "distribution_reached"],
      ["distributing", distribution_ms + CLAIM_WINDOW_ms, "claim_window_over"],
    ] as const;
    for (const [status, at_ms, event] of steps) {
      assert.equal(dueEvent(epochs, { ...times, status }, at_ms - 1), undefined);
      assert.equal(dueEvent(epochs, { ...times, status }, at_ms), event);
      assert.equal(dueEvent(epochs, { ...times, status }, distribution_ms + 2 * CLAIM_WINDOW_ms), event);
    }
    assert.equal(dueEvent(epochs, { ...times, status: "completed" }, Number.MAX_SAFE_INTEGER), undefined);
  });
});
