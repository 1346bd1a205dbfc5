import assert from "node:assert/strict";
import { type Command, Engine, NEWEST_RULES } from "@bourse/engine";
import { NaiveEngine } from "../oracle/model.ts";
import { RandomCommands } from "../oracle/random-commands.ts";

/** Applies commands and returns events: the engine, or an engine with a planted fault. */
export interface Applies {
  apply(command: Command): void;
  readonly events: { decode(): readonly unknown[] };
}

/**
 * Compares engine and oracle on the same random commands, event by event. Throws at the first difference with the seed
 * and the command number, which are enough to reproduce it.
 */
export function compareOn(
  seed: number,
  commands: number,
  engine: Applies = new Engine(),
  rulesVersion = NEWEST_RULES,
  newestRules = rulesVersion,
): void {
  const oracle = new NaiveEngine(rulesVersion);
  const random = new RandomCommands(seed, { newestRules });
  for (let i = 0; i < commands; i += 1) {
    const command = random.next(oracle);
    const expected = oracle.apply(command);
    engine.apply(command);
    assert.deepEqual(engine.events.decode(), expected, `seed ${seed}, command ${i} (${command?.kind})`);
  }
}
