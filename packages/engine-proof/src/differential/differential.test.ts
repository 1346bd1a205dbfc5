import { describe, it } from "node:test";
import { Engine, NEWEST_RULES, OLDEST_RULES, State } from "@bourse/engine";
import { compareOn } from "./differential.ts";

/** A short run has enough seeds to find every planted fault; `ENGINE_TEST_COMMANDS` sets more. */
const USUAL_COMMANDS = process.env["TEST_DEPTH"] === "long" ? 300_000 : 62_500;
const COMMANDS = Number(process.env["ENGINE_TEST_COMMANDS"] ?? USUAL_COMMANDS);
/** Each seed has its own markets and accounts. */
const PER_SEED = 2_500;
/** Fixed seeds, and one random seed: the message of a failure contains it. */
const FIRST_SEED = 1;
const FRESH_SEED = 1_000_000 + Math.floor(Math.random() * 1e9);

describe("engine and oracle", () => {
  it("FUT-1: agree event by event on random commands of fixed seeds", () => {
    for (let i = 0; i < COMMANDS / PER_SEED; i += 1) compareOn(FIRST_SEED + i, PER_SEED, new Engine());
  });

  it("LOG-5: agree on every rules version, also where it is raised on the way", () => {
    const versions = NEWEST_RULES - OLDEST_RULES;
    for (let i = 0; i < Math.max(versions, COMMANDS / PER_SEED / 5); i += 1) {
      const version = OLDEST_RULES + (i % versions);
      compareOn(FIRST_SEED + 500 + i, PER_SEED, new Engine(new State(version)), version);
    }
  });

  it("FUT-1: agree event by event on random commands of a fresh seed", () => {
    for (let i = 0; i < COMMANDS / PER_SEED / 10; i += 1) compareOn(FRESH_SEED + i, PER_SEED, new Engine());
  });
});
