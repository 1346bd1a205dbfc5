import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../support/command.ts";
import { parseArguments } from "./arguments.ts";
import type { SeedOutcome } from "./messages.ts";
import { Tally } from "./tally.ts";

const outcome = (seed: string, failures: readonly string[]): SeedOutcome => ({
  seed,
  took_ms: 2_000,
  failures,
  logged: failures.length === 0 ? [] : ["#1 the database cannot be reached"],
  incarnations: 3,
  fills: 10,
  events: 100,
  faults: { crash: 2, reorg: 1 },
  crashes: { "before commit": 2 },
  actions: { deposit: 5 },
  checks: { balance: 16 },
  happened: { "fill: trade": 10 },
  memory_bytes: 1,
});

describe("npm run simulate", () => {
  it("runs 200 seeds of three days and 2,000 actions by default", () => {
    const request = parseArguments([]);
    assert.deepEqual([request?.seeds.length, request?.seeds[0], request?.seeds.at(-1)], [200, "1", "200"]);
    assert.deepEqual([request?.days, request?.actions, request?.parallel], [3, 2_000, 2]);
  });

  it("runs a range of seeds, or one by its name", () => {
    assert.deepEqual(parseArguments(["--seeds", "2", "--from", "7"])?.seeds, ["7", "8"]);
    assert.deepEqual(parseArguments(["--seed", "a name"])?.seeds, ["a name"]);
    assert.equal(parseArguments(["--help"]), null);
  });

  it("runs the model of market crashes on 20 seeds, or as many as asked for", () => {
    const request = parseArguments(["--crashes"]);
    assert.deepEqual([request?.isCrashes, request?.seeds.length], [true, 20]);
    assert.equal(parseArguments(["--crashes", "--seeds", "3"])?.seeds.length, 3);
    assert.equal(parseArguments([])?.isCrashes, false);
    assert.throws(() => parseArguments(["--crashes", "--days", "2"]), UsageError);
  });

  it("refuses what it does not know", () => {
    for (const args of [["--seeds", "0"], ["--days", "x"], ["--seed", "1", "--from", "2"], ["--else"]]) {
      assert.throws(() => parseArguments(args), UsageError, args.join(" "));
    }
  });

  it("adds seeds up, and says how to run a failed one again", () => {
    const tally = new Tally();
    tally.add(outcome("1", []));
    tally.add(outcome("2", ["balance: maker1 holds too much"]));
    assert.deepEqual(
      tally.failed.map(({ seed }) => seed),
      ["2"],
    );
    const report = tally.report({ days: 3, actions: 2_000 });
    assert.match(report, /crash +4\n/);
    assert.match(report, /balance: maker1 holds too much/);
    assert.match(report, /npm run simulate -- --seed 2 --days 3 --actions 2000/);
    assert.match(tally.line(5), /^2 of 5 seeds, 1 failed, 10 actions/);
  });
});
