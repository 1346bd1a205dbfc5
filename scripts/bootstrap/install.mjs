import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ExplainedError } from "./explained-error.mjs";
import { withInstallLock } from "./lock.mjs";
import { findNpmClis, isUsableForInstall, runNpm } from "./npm.mjs";
import { withProgress } from "./progress.mjs";

const stampPath = (root) => join(root, "node_modules", ".bourse-install.json");

/** What an install depends on. Native packages are built for one platform and one major version of Node. */
function wantedStamp(root, runtime) {
  const lockfile = readFileSync(join(root, "package-lock.json"));
  return JSON.stringify({
    lockfile_sha256: createHash("sha256").update(lockfile).digest("hex"),
    platform: process.platform,
    arch: process.arch,
    node_major: Number(runtime.version.split(".")[0]),
  });
}

function isInstalled(root, stamp) {
  const path = stampPath(root);
  return existsSync(path) && readFileSync(path, "utf8").trim() === stamp;
}

async function install(root, runtime, stamp, relay) {
  const cli = findNpmClis(root, runtime.path).find(isUsableForInstall);
  if (cli === undefined) throw new ExplainedError("No npm (8 or newer) was found to install the dependencies with.");
  rmSync(stampPath(root), { force: true });
  await withProgress("Installing the dependencies (npm ci)", () =>
    runNpm({
      cli,
      nodePath: runtime.path,
      // Explicit, because NODE_ENV=production or a user's npmrc would omit packages that tests and checks need.
      args: ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"],
      cwd: root,
      relay,
      what: "Installing the dependencies",
    }),
  );
  if (!existsSync(dirname(stampPath(root)))) {
    throw new ExplainedError("npm reported success, but there is no node_modules folder.");
  }
  writeFileSync(stampPath(root), `${stamp}\n`);
}

/** Installs the dependencies unless node_modules matches the lockfile and the current runtime. */
export async function ensureInstalled(root, runtime, relay) {
  const stamp = wantedStamp(root, runtime);
  if (isInstalled(root, stamp)) return;
  await withInstallLock(root, relay, async () => {
    if (!isInstalled(root, stamp)) await install(root, runtime, stamp, relay);
  });
}
