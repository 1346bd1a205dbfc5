import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Epochs } from "../epochs.ts";
import {
  answerSeasonEvent,
  changeableFields,
  renderSeasonTable,
  SEASON_EVENTS,
  SEASON_STATUSES,
  type SeasonStatus,
} from "./states.ts";
import { CLAIM_WINDOW_ms, dueEvent, momentsOf } from "./timing.ts";

/** By status, in the order of the events. */
const EXPECTED: Readonly<Record<SeasonStatus, string>> = {
  pending: "active not_started not_started not_started not_started pending",
  active: "active snapshot not_over not_over not_over active",
  snapshot: "snapshot snapshot distributing not_distributing not_distributing snapshot",
  distributing: "distributing distributing distributing completed completed distributing",
  completed: "completed completed completed completed completed completed",
};

describe("PTS-2: the states of a season", () => {
  for (const status of SEASON_STATUSES) {
    for (const [place, event] of SEASON_EVENTS.entries()) {
      const expected = EXPECTED[status].split(" ")[place];
      it(`${status}, ${event} → ${expected}`, () => {
        const answer = answerSeasonEvent(status, event);
        assert.equal(answer.kind === "move" ? answer.next : answer.reason, expected);
      });
    }
  }

  it("nothing leads back, and tokens are allocated on the way into the snapshot only", () => {
    for (const [place, status] of SEASON_STATUSES.entries()) {
      for (const event of SEASON_EVENTS) {
        const answer = answerSeasonEvent(status, event);
        if (answer.kind === "refusal") continue;
        assert.ok([place, place + 1].includes(SEASON_STATUSES.indexOf(answer.next)));
        const isSnapshot = status !== "snapshot" && answer.next === "snapshot";
        assert.equal(answer.effects.includes("allocate_tokens"), isSnapshot);
      }
    }
  });

  it("what may be changed gets less from status to status, the label last of all", () => {
    const counts = SEASON_STATUSES.map((status) => changeableFields(status).length);
    assert.deepEqual(counts, [7, 5, 2, 1, 1]);
    assert.deepEqual(changeableFields("active"), [
      "label",
      "end_epoch",
      "user_pool_tokens",
      "mm_pool_tokens",
      "distribution_at",
    ]);
    assert.deepEqual(changeableFields("completed"), ["label"]);
  });

  it("the table for the documentation names every answer", () => {
    const lines = renderSeasonTable().trimEnd().split("\n");
    assert.equal(lines.length, 2 + SEASON_EVENTS.length);
    assert.match(
      lines[3]!,
      /end_reached.*refused: `not_started` \| → snapshot: freeze points, allocate tokens, publish root/,
    );
    for (const line of lines) assert.equal(line.split("|").length, SEASON_STATUSES.length + 3);
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
