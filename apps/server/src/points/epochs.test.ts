import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_ms, dayNumberOf } from "../kernel/dates.ts";
import { dayStart_ms, dayText, EPOCH_ms, Epochs } from "./epochs.ts";

const GENESIS_ms = Date.UTC(2026, 0, 5);
const epochs = new Epochs(GENESIS_ms);

describe("epochs", () => {
  it("PTS-1: an epoch is seven days from Monday 00:00 UTC, counted from 1 at the genesis", () => {
    assert.equal(epochs.of(GENESIS_ms), 1);
    assert.equal(epochs.of(GENESIS_ms + EPOCH_ms - 1), 1);
    assert.equal(epochs.of(GENESIS_ms + EPOCH_ms), 2);
    assert.equal(epochs.of(Date.UTC(2026, 5, 1)), 22);
    assert.equal(epochs.of(Date.UTC(2026, 5, 1) - 1), 21);
  });

  it("PTS-1: what was before the genesis is below 1", () => {
    assert.equal(epochs.of(GENESIS_ms - 1), 0);
    assert.equal(epochs.of(GENESIS_ms - EPOCH_ms), 0);
    assert.equal(epochs.of(GENESIS_ms - EPOCH_ms - 1), -1);
  });

  it("PTS-1: start, end and last day belong together for every epoch", () => {
    for (const epoch of [-3, 0, 1, 2, 53, 1_000]) {
      assert.equal(new Date(epochs.start_ms(epoch)).getUTCDay(), 1);
      assert.equal(epochs.of(epochs.start_ms(epoch)), epoch);
      assert.equal(epochs.of(epochs.end_ms(epoch) - 1), epoch);
      assert.equal(epochs.end_ms(epoch), epochs.start_ms(epoch + 1));
      assert.equal(epochs.ofDay(epochs.lastDayOf(epoch)), epoch);
      assert.equal(epochs.ofDay(epochs.lastDayOf(epoch) + 1), epoch + 1);
    }
  });

  it("PTS-1: the genesis is a Monday 00:00 UTC or none", () => {
    for (const bad of [GENESIS_ms + 1, GENESIS_ms - DAY_ms, GENESIS_ms + DAY_ms, GENESIS_ms + 3_600_000, Number.NaN]) {
      assert.throws(() => new Epochs(bad), RangeError);
    }
  });

  it("days are UTC days since 1970", () => {
    assert.equal(dayNumberOf(0), 0);
    assert.equal(dayNumberOf(-1), -1);
    assert.equal(dayNumberOf(GENESIS_ms - 1), dayNumberOf(GENESIS_ms) - 1);
    assert.equal(dayStart_ms(dayNumberOf(GENESIS_ms + 5)), GENESIS_ms);
    assert.equal(dayText(dayNumberOf(GENESIS_ms)), "2026-01-05");
    assert.equal(dayText(0), "1970-01-01");
  });
});
