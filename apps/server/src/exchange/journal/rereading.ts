import { setImmediate as nextTurn } from "node:timers/promises";
import { type Engine, stateHash } from "@bourse/engine";
import { type Applied, appliedOf } from "../host/exchange.ts";
import { replaySegments } from "./replay.ts";
import { engineFromNewest, type OnPassedOver } from "./snapshots.ts";

const TURN_EVERY_commands = 1_024;

/** Applies commands of the log again on a separate engine, for a reader that no longer has them. */
export async function* reread(
  folder: string,
  from: number,
  to: number,
  onPassedOver: OnPassedOver,
): AsyncGenerator<Applied> {
  const engine = engineFromNewest(folder, from - 1, onPassedOver);
  for (const command of replaySegments(folder, engine, to)) {
    const { commandNumber } = engine.state;
    if (commandNumber >= from) yield appliedOf(engine, command);
    if (commandNumber % TURN_EVERY_commands === 0) await nextTurn();
  }
}

/** INV-6: compares the state from snapshot and log with the state in memory. */
export async function replayAgrees(folder: string, live: Engine): Promise<{ ok: boolean; detail: string }> {
  const number = live.state.commandNumber;
  const hash = stateHash(live.state);
  // A damaged snapshot does not fail the comparison, but it is reported, because recovery cannot use it.
  const passedOver: string[] = [];
  const engine = engineFromNewest(folder, number, (line) => passedOver.push(line));
  const snapshot = engine.state.commandNumber;
  let applied = 0;
  for (const _command of replaySegments(folder, engine, number)) {
    applied += 1;
    if (applied % TURN_EVERY_commands === 0) await nextTurn();
  }
  const replayed = stateHash(engine.state);
  const how = [...passedOver, `snapshot ${snapshot} and ${applied} commands`].join("; ");
  return replayed === hash
    ? { ok: true, detail: `${how} give ${hash}` }
    : { ok: false, detail: `${how} give ${replayed}, memory at command ${number} is ${hash}` };
}
