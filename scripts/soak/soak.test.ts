import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../support/command.ts";
import { parseArguments } from "./arguments.ts";
import type { Sample } from "./sample.ts";
import { growthPerHour, judge } from "./verdict.ts";

const MIB = 1_048_576;

/** A sample with a heap of `heap_mib`; everything else is constant. */
const sampleAt = (hours: number, heap_mib: number): Sample => ({
  hours,
  rss: 500 * MIB,
  heapUsed: heap_mib * MIB,
  external: 40 * MIB,
  arrayBuffers: 20 * MIB,
  openOrders: 144,
  commands: hours * 1_000,
  trades: hours * 100,
  fundingRounds: 4 * Math.floor(hours),
  lag_commands: 0,
  frames: 0,
  journal_bytes: 0,
  rows: new Map([["exchange_order", hours * 50]]),
});

describe("the soak's verdict", () => {
  it("growth is the slope of the line through the samples, whatever each of them is off by", () => {
    const samples = [50, 53, 51, 54, 52].map((heap_mib, place) => sampleAt(place / 4, heap_mib));
    // By hand: the hours around their mean are −0.5 … 0.5, the heap's −2, 1, −1, 2, 0; 1.25 / 0.625.
    assert.equal(growthPerHour(samples, ({ heapUsed }) => heapUsed / MIB).toFixed(6), "2.000000");
  });

  it("a heap that grows by more than the limit is not called flat, one that wavers is", () => {
    const growing = [50, 55, 60].map((heap_mib, place) => sampleAt(place / 2, heap_mib));
    const { isFlat, lines } = judge(growing, [{ where: "hoard store.ts:1", bytes: 10 * MIB }], 4);
    assert.equal(isFlat, false);
    assert.equal(lines.at(-1), "\nGROWING: heap and external grow by 10.00 MiB an hour (4 are allowed).");
    assert.ok(lines.includes("  10,240  hoard store.ts:1"));
    assert.ok(lines.includes("Rows each hour: exchange_order 50."));
    const wavering = [50, 53, 50].map((heap_mib, place) => sampleAt(place / 2, heap_mib));
    assert.equal(judge(wavering, [], 4).isFlat, true);
  });
});

describe("the soak's arguments", () => {
  it("have defaults; a third of the time is warm-up", () => {
    assert.deepEqual(parseArguments([]), { hours: 1, speed: 20, warmUp_hours: 1 / 3, limit_mib: 4 });
    const given = ["--hours", "3", "--speed", "10", "--warm-up", "1.5", "--limit", "0.5"];
    assert.deepEqual(parseArguments(given), { hours: 3, speed: 10, warmUp_hours: 1.5, limit_mib: 0.5 });
    assert.equal(parseArguments(["--help"]), null);
  });

  for (const args of [
    ["--hours", "0"],
    ["--hours", "-1"],
    ["--speed", "41"],
    ["--speed", "1.5"],
    ["--x"],
    ["--hours", "1", "--warm-up", "1"],
  ]) {
    it(`${args.join(" ")} is refused`, () => {
      assert.throws(() => parseArguments(args), UsageError);
    });
  }
});
