import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { stateHash } from "@bourse/engine";
import { Prng } from "../../../../../packages/engine/src/book/testing/prng.ts";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { nodeFlags, startProcess } from "../../../../../tests/support/processes.ts";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import { listSegments } from "../../kernel/journal/segments.ts";
import { recover } from "./recovery.ts";
import { recordFlow } from "./testing/recorded-flow.ts";

const SEED = 12;
const ROUNDS = 6;
const COMMANDS = 30_000;
const TIME_ms = Date.UTC(2026, 5, 1);
const SEGMENT_bytes = 30_000;
const program = join(import.meta.dirname, "testing", "appending-process.ts");

it("INV-7: what was acknowledged is there after kill -9, once, and leads to the same state", async (t) => {
  const folder = await makeTempDir(t);
  const flow = recordFlow(SEED, COMMANDS, TIME_ms);
  const prng = new Prng(Date.now() % 1_000_000);
  let recoveredBefore = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const args = [folder, SEED, COMMANDS, TIME_ms, SEGMENT_bytes].map(String);
    const child = startProcess(process.execPath, [...nodeFlags(), program, ...args], { owner: t });
    const acknowledgements = () => child.output().split("\n").slice(1, -1).map(Number);
    const enough = prng.between(1, 800);
    // If the machine runs the child before this process, the child may complete the flow.
    const hasEnough = () => acknowledgements().length >= enough || child.output().endsWith(`\n${COMMANDS}\n`);
    await waitFor(hasEnough, { what: "acknowledged commands", interval_ms: 1 });
    await child.kill("SIGKILL");
    const acknowledged = acknowledgements();
    assert.deepEqual(
      acknowledged,
      acknowledged.map((_, place) => recoveredBefore + 1 + place),
      "every command is answered once, in order, from where the last process was recovered",
    );
    const { engine, log } = await recover({ folder, projectedNumber: 0, segment_bytes: SEGMENT_bytes });
    await log.close();
    const { commandNumber } = engine.state;
    assert.ok(commandNumber >= recoveredBefore + acknowledged.length, `round ${round}: ${commandNumber} are there`);
    // All commands of the flow differ, so a lost, repeated or misplaced command changes the hash.
    assert.equal(stateHash(engine.state), flow.hashAfter(commandNumber), `round ${round}`);
    recoveredBefore = commandNumber;
    if (recoveredBefore === COMMANDS) break;
  }
  assert.ok(listSegments(folder).length > 1, "segments were rolled on the way");
});
