import assert from "node:assert/strict";
import { test } from "node:test";
import { SCENES } from "../../../engine/src/book/testing/random-commands.ts";
import { runDifferential } from "./differential.ts";

/** `BOOK_TEST_COMMANDS=5000000` sets the number of commands for a long run. */
const usualCommands = process.env["TEST_DEPTH"] === "long" ? 300_000 : 100_000;
const commandsInAll = Number(process.env["BOOK_TEST_COMMANDS"] ?? usualCommands);
const FIXED_SEEDS = [1, 2026];
const freshSeed = Date.now() % 2 ** 31;
const seeds = [...FIXED_SEEDS, freshSeed];
const commands = Math.ceil(commandsInAll / (SCENES.length * seeds.length));

for (const scene of SCENES) {
  test(`FUT-3: the book and the naive book agree event by event, ${scene.name}`, () => {
    for (const seed of seeds) {
      const { fills, outcomes, maxResting } = runDifferential({ scene, seed, commands });
      // A run without fills or refusals would compare two idle books.
      assert.ok(fills > commands / 20, `seed ${seed}: only ${fills} fills`);
      assert.ok(
        maxResting >= Math.min(scene.restingOrders / 2, commands / 20),
        `seed ${seed}: a book of ${maxResting}`,
      );
      for (const outcome of ["RESTING", "FILLED", "EXPIRED", "REJECTED_FOK", "REJECTED_GTX", "CANCELED", "UNKNOWN"]) {
        assert.ok(outcomes.has(outcome), `seed ${seed}: ${outcome} never happened`);
      }
    }
  });
}
