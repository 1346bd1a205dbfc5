import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NEWEST_RULES } from "@bourse/engine";
import type { Owner } from "./cleanup.ts";
import { makeTempDir } from "./files.ts";

const projectRoot = join(import.meta.dirname, "..", "..");
const SOURCES = ["apps", "packages", "contracts", "package.json"];
const VERSION_FILE = join("packages", "engine", "src", "rules", "version.ts");
/** The project's own packages, by links that lead from `node_modules` to the sources beside it. */
const OWN_PACKAGES = "@bourse";

/** A rules version that no release has: it changes nothing but the version. */
export const DRILL_RULES = NEWEST_RULES + 1;

/** A copy of these sources that knows one rules version more, in a folder that is removed when the owner ends. */
export async function makeDrillBuild(owner: Owner): Promise<string> {
  const build = await makeTempDir(owner);
  for (const name of SOURCES) await cp(join(projectRoot, name), join(build, name), { recursive: true });
  const modules = join(build, "node_modules");
  await mkdir(modules);
  for (const name of await readdir(join(projectRoot, "node_modules"))) {
    if (name !== OWN_PACKAGES) await symlink(join(projectRoot, "node_modules", name), join(modules, name));
  }
  const links = { recursive: true, verbatimSymlinks: true };
  await cp(join(projectRoot, "node_modules", OWN_PACKAGES), join(modules, OWN_PACKAGES), links);
  const source = await readFile(join(build, VERSION_FILE), "utf8");
  const patched = source.replace(`NEWEST_RULES = ${NEWEST_RULES};`, `NEWEST_RULES = ${DRILL_RULES};`);
  assert.notEqual(patched, source, `${VERSION_FILE} does not say which rules are the newest as this drill expects`);
  await writeFile(join(build, VERSION_FILE), patched);
  return build;
}
