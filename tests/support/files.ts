import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Owner, onCleanup, onExit } from "./cleanup.ts";

const REMOVE = { recursive: true, force: true, maxRetries: 5 } as const;

/** An empty folder that is removed, with its content, when the owner ends; without an owner, when this process does. */
export async function makeTempDir(owner?: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bourse-test-"));
  if (owner === undefined) onExit(() => rmSync(folder, REMOVE));
  else onCleanup(owner, () => rm(folder, REMOVE));
  return folder;
}
