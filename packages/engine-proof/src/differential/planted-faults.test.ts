import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { Engine, State } from "@bourse/engine";
import { compareOn } from "./differential.ts";
import { PLANTED_FAULTS, type PlantedFault } from "./planted-faults.ts";

const SOURCES = join(import.meta.dirname, "../../../engine/src");
const COMMANDS = 2_500;
const SEEDS = 25;

/** Each fault is planted in a copy of the sources, which is then compared with the oracle like the engine itself. */
describe("faults planted in the engine", () => {
  let folder = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bourse-faults-"));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  for (const [number, fault] of PLANTED_FAULTS.entries()) {
    it(`FUT-1: the comparison with the oracle finds it when ${fault.name}`, async () => {
      const faulty = await copyWith(fault, join(folder, String(number)));
      assert.throws(() => {
        for (let seed = 1; seed <= SEEDS; seed += 1) compareOn(seed, COMMANDS, faulty(), fault.rules);
      }, isFinding);
    });
  }
});

/** A difference of events. A fault that only makes the engine throw would prove little about the comparison. */
function isFinding(error: unknown): boolean {
  return error instanceof assert.AssertionError && /^seed \d+, command \d+/.test(error.message);
}

async function copyWith({ file, right, wrong, rules }: PlantedFault, target: string): Promise<() => Engine> {
  await cp(SOURCES, target, { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  const text = await readFile(join(target, file), "utf8");
  assert.equal(text.split(right).length, 2, `${file} holds the right line once`);
  await writeFile(join(target, file), text.replace(right, wrong));
  const load = async (name: string) => import(pathToFileURL(join(target, name)).href);
  const { Engine: Faulty } = (await load("engine.ts")) as { Engine: typeof Engine };
  const { State: OwnState } = (await load("state/state.ts")) as { State: typeof State };
  return () => new Faulty(new OwnState(rules));
}
