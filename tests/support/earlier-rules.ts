import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createSegment, journalFolder } from "../../apps/server/src/kernel/journal/segments.ts";
import type { Owner } from "./cleanup.ts";
import { makeDataDir } from "./databases.ts";
import { makeTempDir } from "./files.ts";

const CHAIN_bytes = 32;

/**
 * LOG-5: a data folder whose log begins by an earlier version of the rules, as a release before this one would have begun it. A
 * server that starts on it goes on by these rules until an admin raises them.
 */
export async function makeEarlierDataDir(owner: Owner, rulesVersion: number, isEmbedded: boolean): Promise<string> {
  const folder = await (isEmbedded ? makeDataDir : makeTempDir)(owner);
  mkdirSync(journalFolder(folder), { recursive: true });
  const file = await createSegment(folder, { firstNumber: 1, rulesVersion, chain: randomBytes(CHAIN_bytes) });
  await file.close();
  return folder;
}
