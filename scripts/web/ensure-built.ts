import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../bootstrap/lock.mjs";
import { withProgress } from "../bootstrap/progress.mjs";
import { fingerprintOf } from "./fingerprint.ts";

const REMOVE = { recursive: true, force: true } as const;

/** Written last, inside the build: a folder that contains it is a complete build. */
const STAMP = ".build.json";

const builtApp = (root: string): string => join(root, "apps", "web", "dist");
/** On the same disk as the build, so that a rename moves it into place. */
const workshop = (root: string): string => join(root, "apps", "web", ".cache", "build");

function isBuilt(root: string, fingerprint: string): boolean {
  const stamp = join(builtApp(root), STAMP);
  return existsSync(stamp) && JSON.parse(readFileSync(stamp, "utf8")).fingerprint === fingerprint;
}

async function build(root: string, fingerprint: string): Promise<void> {
  // Removes what a killed build left behind; no other build runs while this process holds the lock.
  rmSync(workshop(root), REMOVE);
  const fresh = join(workshop(root), "fresh");
  mkdirSync(fresh, { recursive: true });
  // The bundler is slow to load and not needed if nothing is built.
  const { bundle } = await import("./bundle.ts");
  await bundle(root, fresh);
  writeFileSync(join(fresh, STAMP), `${JSON.stringify({ fingerprint })}\n`);
  if (existsSync(builtApp(root))) renameSync(builtApp(root), join(workshop(root), "outdated"));
  renameSync(fresh, builtApp(root));
  rmSync(workshop(root), REMOVE);
}

/** Builds the web app unless `apps/web/dist` was built from the current sources; returns whether it did. */
export async function ensureBuilt(root: string): Promise<boolean> {
  if (isBuilt(root, fingerprintOf(root))) return false;
  return withLock({ root, name: "web-build", what: "build of the web app" }, async () => {
    const fingerprint = fingerprintOf(root);
    if (isBuilt(root, fingerprint)) return false;
    await withProgress("Building the web app", () => build(root, fingerprint));
    return true;
  });
}
