import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertAudit,
  type Command,
  Engine,
  NEXT_RULES,
  OLDEST_RULES,
  readSnapshot,
  State,
  stateHash,
  writeSnapshot,
} from "@bourse/engine";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { compareOn } from "./differential.ts";

/** A short run has enough seeds to find every planted fault; `ENGINE_TEST_COMMANDS` sets more. */
const USUAL_COMMANDS = process.env["TEST_DEPTH"] === "long" ? 300_000 : 62_500;
const COMMANDS = Number(process.env["ENGINE_TEST_COMMANDS"] ?? USUAL_COMMANDS);
/** Each seed has its own markets and accounts. */
const PER_SEED = 2_500;
/** Fixed seeds, and one random seed: the message of a failure contains it. */
const FIRST_SEED = 1;
const FRESH_SEED = 1_000_000 + Math.floor(Math.random() * 1e9);

/** Forgets everything that its snapshot does not hold, and is audited. */
class RestoredEngine {
  #engine = new Engine(new State(NEXT_RULES));

  get events() {
    return this.#engine.events;
  }

  apply(command: Command): void {
    const { state } = this.#engine;
    if (state.commandNumber % 97 === 96) {
      assertAudit(this.#engine);
      this.#engine = readSnapshot(writeSnapshot(state));
      assert.equal(stateHash(this.#engine.state), stateHash(state));
    }
    this.#engine.apply(command);
  }
}

describe("engine and oracle", () => {
  it("FUT-1: agree event by event on random commands of fixed seeds, by the rules before version 5", () => {
    for (let i = 0; i < COMMANDS / PER_SEED / 2; i += 1) {
      compareOn(FIRST_SEED + i, PER_SEED, new Engine(new State(EARLIER_RULES)), EARLIER_RULES);
    }
  });

  it("FUT-21 to FUT-23, BON-7: agree by the rules of version 5", () => {
    for (let i = 0; i < COMMANDS / PER_SEED / 2; i += 1) {
      compareOn(FIRST_SEED + 300 + i, PER_SEED, new Engine(new State(NEXT_RULES)), NEXT_RULES);
    }
  });

  it("INV-6, FUT-22: agree by version 5 also where the engine is restored from its snapshot again and again", () => {
    for (let i = 0; i < 3; i += 1) compareOn(FIRST_SEED + 700 + i, PER_SEED, new RestoredEngine(), NEXT_RULES);
  });

  it("LOG-5: agree on every rules version, also where it is raised on the way", () => {
    const versions = NEXT_RULES - OLDEST_RULES;
    for (let i = 0; i < Math.max(versions, COMMANDS / PER_SEED / 5); i += 1) {
      const version = OLDEST_RULES + (i % versions);
      compareOn(FIRST_SEED + 500 + i, PER_SEED, new Engine(new State(version)), version, NEXT_RULES);
    }
  });

  it("FUT-1: agree event by event on random commands of a fresh seed", () => {
    for (let i = 0; i < COMMANDS / PER_SEED / 10; i += 1) {
      compareOn(FRESH_SEED + i, PER_SEED, new Engine(new State(EARLIER_RULES)), EARLIER_RULES);
      compareOn(FRESH_SEED + 500 + i, PER_SEED, new Engine(new State(NEXT_RULES)), NEXT_RULES);
    }
  });
});
