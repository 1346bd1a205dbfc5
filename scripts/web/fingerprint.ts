import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** All inputs of the built web app, from the project's root: files, and folders with all their content. */
const INPUTS = [
  "apps/web/index.html",
  "apps/web/package.json",
  "apps/web/public",
  "apps/web/src",
  "apps/web/tsconfig.json",
  "apps/web/vite.config.ts",
  "package-lock.json",
  "packages/api/package.json",
  "packages/api/src",
  "packages/money/package.json",
  "packages/money/src",
  "scripts/web",
  "tsconfig.json",
];

const TEST_FILE = /\.test\.tsx?$/;

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const fromRoot = (root: string, path: string): string => relative(root, path).split(sep).join("/");

/** Identifies the inputs of a build by content, not by date: a fresh clone and a touched file change nothing. */
export function fingerprintOf(root: string): string {
  const hash = createHash("sha256");
  const files = INPUTS.flatMap((input) => filesBelow(join(root, input))).map((path) => fromRoot(root, path));
  for (const file of files.sort()) {
    const contents = createHash("sha256")
      .update(readFileSync(join(root, file)))
      .digest("hex");
    hash.update(`${contents}  ${file}\n`);
  }
  return hash.digest("hex");
}

/** Whether the fingerprint covers this file. */
export function isInFingerprint(root: string, path: string): boolean {
  const file = fromRoot(root, path);
  return INPUTS.some((input) => file === input || file.startsWith(`${input}/`));
}
