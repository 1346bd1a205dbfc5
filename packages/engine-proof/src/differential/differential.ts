import assert from "node:assert/strict";
import { type Command, Engine, NEWEST_RULES } from "@bourse/engine";
import { NaiveEngine } from "../oracle/model.ts";
import { RandomCommands } from "../oracle/random-commands.ts";

/** Anything that takes commands and answers events: the engine, or an engine with a fault planted in it. */
export interface Applies {
  apply(command: Command): void;
  readonly events: { decode(): readonly unknown[] };
}

/**
 * Engine and oracle on the same random commands, event by event. Throws where they differ, naming the seed and the place:
 * both are all it takes to see it again.
 */
export function compareOn(
  seed: number,
  commands: number,
  engine: Applies = new Engine(),
  rulesVersion = NEWEST_RULES,
): void {
  const oracle = new NaiveEngine(rulesVersion);
  const random = new RandomCommands(seed);
  for (let i = 0; i < commands; i += 1) {
    const command = random.next(oracle);
    const expected = oracle.apply(command);
    engine.apply(command);
    assert.deepEqual(engine.events.decode(), expected, `seed ${seed}, command ${i} (${command?.kind})`);
  }
}
