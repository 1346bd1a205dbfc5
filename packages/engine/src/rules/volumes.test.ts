import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addVolume,
  MONTH_WINDOW_days,
  rollVolumes,
  sumVolumes,
  TIER_WINDOW_days,
  utcDay,
  VOLUME_DAYS,
} from "./volumes.ts";

test("FUT-15: days are UTC days", () => {
  assert.equal(utcDay(Date.UTC(2026, 5, 1)), 20_605);
  assert.equal(utcDay(Date.UTC(2026, 5, 1) - 1), 20_604);
});

test("FUT-15: volume counts on its day and leaves the window after 14 days", () => {
  const volumes = new Float64Array(VOLUME_DAYS);
  let day = rollVolumes(volumes, 0, 0, 20_605);
  addVolume(volumes, 0, day, 700);
  addVolume(volumes, 0, day, 300);
  day = rollVolumes(volumes, 0, day, 20_618);
  addVolume(volumes, 0, day, 50);
  assert.equal(sumVolumes(volumes, 0, day, TIER_WINDOW_days), 1_050);
  day = rollVolumes(volumes, 0, day, 20_619);
  assert.equal(sumVolumes(volumes, 0, day, TIER_WINDOW_days), 50);
  assert.equal(sumVolumes(volumes, 0, day, MONTH_WINDOW_days), 1_050);
  day = rollVolumes(volumes, 0, day, 20_634);
  assert.equal(sumVolumes(volumes, 0, day, MONTH_WINDOW_days), 1_050);
  day = rollVolumes(volumes, 0, day, 20_635);
  assert.equal(sumVolumes(volumes, 0, day, MONTH_WINDOW_days), 50);
});

test("FUT-15: a long absence clears every day, and time does not go back", () => {
  const volumes = new Float64Array(VOLUME_DAYS).fill(9);
  assert.equal(rollVolumes(volumes, 0, 20_605, 20_604), 20_605);
  assert.equal(sumVolumes(volumes, 0, 20_605, VOLUME_DAYS), 9 * 31);
  assert.equal(rollVolumes(volumes, 0, 20_605, 30_000), 30_000);
  assert.equal(sumVolumes(volumes, 0, 30_000, VOLUME_DAYS), 0);
});

test("FUT-15: volumes stop at the largest safe integer instead of refusing a fill", () => {
  const volumes = new Float64Array(VOLUME_DAYS);
  addVolume(volumes, 0, 20_605, Number.MAX_SAFE_INTEGER);
  addVolume(volumes, 0, 20_605, 1e15);
  assert.equal(volumes[20_605 % VOLUME_DAYS], Number.MAX_SAFE_INTEGER);
  addVolume(volumes, 0, 20_606, 1e15);
  assert.equal(sumVolumes(volumes, 0, 20_606, TIER_WINDOW_days), Number.MAX_SAFE_INTEGER);
});

test("FUT-15: the first days of time have no days before them", () => {
  const volumes = new Float64Array(2 * VOLUME_DAYS).fill(1);
  assert.equal(sumVolumes(volumes, VOLUME_DAYS, 2, TIER_WINDOW_days), 3);
});

test("FUT-15: the ring agrees with a list of all days, and accounts do not touch each other", () => {
  const steps = fc.array(fc.record({ days: fc.nat(40), volume: fc.nat(1e9), account: fc.nat(2) }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (moves) => {
      const volumes = new Float64Array(3 * VOLUME_DAYS);
      const lastDays = [20_000, 20_000, 20_000];
      const history: { day: number; account: number; volume: number }[] = [];
      let today = 20_000;
      for (const { days, volume, account } of moves) {
        today += days % 3 === 0 ? days : 0;
        lastDays[account] = rollVolumes(volumes, account * VOLUME_DAYS, lastDays[account]!, today);
        addVolume(volumes, account * VOLUME_DAYS, today, volume);
        history.push({ day: today, account, volume });
        for (const window of [1, TIER_WINDOW_days, MONTH_WINDOW_days, VOLUME_DAYS]) {
          const expected = history
            .filter((entry) => entry.account === account && entry.day > today - window)
            .reduce((sum, entry) => sum + entry.volume, 0);
          assert.equal(sumVolumes(volumes, account * VOLUME_DAYS, today, window), expected);
        }
      }
    }),
  );
});
