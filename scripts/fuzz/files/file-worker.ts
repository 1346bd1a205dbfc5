import { parentPort, workerData } from "node:worker_threads";
import { Failures } from "../failures.ts";
import { ChainFiles } from "./chain-files.ts";
import type { FileWord } from "./file-run.ts";
import { JournalFiles } from "./journal-files.ts";

const { damages, seed } = workerData as { readonly damages: number; readonly seed: number };
/** One of this many damages applies to the chain's files. */
const CHAIN_EVERY = 4;

const say = (word: FileWord) => parentPort!.postMessage(word);
const failures = new Failures();
const journal = await JournalFiles.record(seed, failures);
const chain = await ChainFiles.record(failures);
for (let number = 0; number < damages; number += 1) {
  say({ word: "next", number });
  const own = seed * 1_000_003 + number;
  if (number % CHAIN_EVERY === 0) await chain.once(own);
  else await journal.once(own);
}
const named = (part: string, outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
  [...outcomes].map(([kind, counts]) => [`${part}, ${kind}`, counts] as const);
const outcomes = new Map([...named("journal", journal.outcomes), ...named("chain", chain.outcomes)]);
say({ word: "done", outcomes, failures: failures.all() });
