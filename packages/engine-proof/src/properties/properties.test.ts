import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Command, Engine, NEWEST_RULES } from "@bourse/engine";
import fc from "fast-check";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { fingerprint } from "./fingerprint.ts";
import { malformedCommand } from "./malformed.ts";
import { RandomStream } from "./random-stream.ts";
import { WatchedEngine } from "./watched-engine.ts";

/** For longer runs: `ENGINE_TEST_COMMANDS=1000000 node --test …`. */
const USUAL_COMMANDS = process.env["TEST_DEPTH"] === "long" ? 12_000 : 4_000;
const COMMANDS = Number(process.env["ENGINE_TEST_COMMANDS"] ?? USUAL_COMMANDS);

/** The events without which a stream would prove nothing. */
const WANTED = [
  "fill trade",
  "fill liquidation",
  "fill takeover",
  "fill adl",
  "fill fund",
  "liquidation_fee_paid",
  "unresolved",
  "bonus_line",
  "funding_paid",
  "conditional_triggered",
  "order_amended",
  "isolated_margin_moved",
  "tier_changed",
  "terms_followed",
];

describe("random streams", () => {
  it(`INV-1, INV-2, INV-3: hold after each of ${COMMANDS} commands of four streams`, () => {
    const counts = new Map<string, number>();
    for (const seed of [1, 2, 3, 4]) {
      const watched = new WatchedEngine(seed <= 2 ? EARLIER_RULES : NEWEST_RULES);
      const stream = new RandomStream(seed, watched.engine);
      for (let i = 1; i <= COMMANDS; i += 1) {
        const command = stream.next();
        const problems = watched.applyAndCheck(command);
        assert.deepEqual(problems, [], `seed ${seed}, command ${i}: ${JSON.stringify(command)}`);
      }
      for (const [name, count] of watched.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    for (const name of WANTED) assert.ok(counts.has(name), `the streams lead to ${name}`);
  });

  it("FUT-1: the same commands give the same events", () => {
    const first = new Engine();
    const second = new Engine();
    const stream = new RandomStream(4, first);
    for (let i = 0; i < COMMANDS; i += 1) {
      const command = stream.next();
      first.apply(command);
      second.apply(structuredClone(command));
      assert.deepEqual(second.events.decode(), first.events.decode());
    }
    assert.equal(fingerprint(second.state), fingerprint(first.state));
  });
});

describe("malformed commands", () => {
  it("FUT-1: whatever a field holds, the answer is events, and a refusal changes nothing", () => {
    const run = (commands: readonly unknown[]): void => {
      const watched = new WatchedEngine();
      const stream = new RandomStream(5, watched.engine);
      for (let i = 0; i < 300; i += 1) watched.apply(stream.next());
      for (const command of commands) {
        assert.deepEqual(watched.applyAndCheck(command as Command), []);
        assert.ok(watched.engine.events.count > 0 || isSilent(command as Command), "every command is answered");
      }
    };
    const property = fc.property(fc.array(malformedCommand, { minLength: 1, maxLength: 12 }), run);
    fc.assert(property, { seed: 1, numRuns: Math.ceil(COMMANDS / 8) });
  });
});

/** Commands that may have no events: time alone, a cancel of nothing, a bonus command without a bonus. */
function isSilent({ kind }: Command): boolean {
  return ["advance_time", "cancel_all", "expire_bonus", "close_expired_bonus"].includes(kind);
}
