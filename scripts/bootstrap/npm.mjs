import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { environmentForNpm, pathFolders } from "./environment.mjs";
import { ExplainedError } from "./explained-error.mjs";

// Older versions neither support workspaces nor read the lockfile's version.
const OLDEST_USABLE_MAJOR = 8;

function isNpmCli(path) {
  return basename(path) === "npm-cli.js" && existsSync(path);
}

/** The path of the npm that belongs to this Node: beside it on Windows, under lib elsewhere. */
function besideNode(nodePath) {
  const folder = dirname(nodePath);
  return [
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
}

function onPath() {
  const found = [];
  for (const folder of pathFolders(process.env)) {
    const link = join(folder, "npm");
    if (existsSync(link)) found.push(realpathSync(link));
    found.push(join(folder, "node_modules", "npm", "bin", "npm-cli.js"));
  }
  return found;
}

export function npmMajor(cliPath) {
  const manifest = JSON.parse(readFileSync(join(dirname(cliPath), "..", "package.json"), "utf8"));
  return Number(manifest.version.split(".")[0]);
}

export function isUsableForInstall(cliPath) {
  return npmMajor(cliPath) >= OLDEST_USABLE_MAJOR;
}

/** The npm command lines on this machine, the calling npm first. */
export function findNpmClis(root, nodePath) {
  const candidates = [
    ...(process.env.npm_execpath ? [process.env.npm_execpath] : []),
    join(root, ".runtime", "node_modules", "npm", "bin", "npm-cli.js"),
    ...besideNode(nodePath),
    ...besideNode(process.execPath),
    ...onPath(),
  ];
  return candidates.filter(isNpmCli);
}

/** npm's output may contain the registry's host, which can be private, and users paste such output. */
function withoutHosts(text) {
  return text.replace(/\b([a-z][a-z+]*:\/\/)[^/\s'"]+/gi, "$1…").replace(/\b(ENOTFOUND|EAI_AGAIN) \S+/g, "$1 …");
}

const HEAD_LINES = 15;
const TAIL_LINES = 40;

/** The beginning and the end of the output: npm states the cause first and may print a page of usage after it. */
function essence(text) {
  const lines = withoutHosts(text).trimEnd().split("\n");
  if (lines.length <= HEAD_LINES + TAIL_LINES) return lines.join("\n");
  return [...lines.slice(0, HEAD_LINES), "…", ...lines.slice(-TAIL_LINES)].join("\n");
}

/** Runs npm with the given Node in `cwd`; throws with the essential part of npm's output. */
export async function runNpm({ cli, nodePath, args, cwd, relay, what }) {
  const env = environmentForNpm(process.env, dirname(nodePath));
  const { code, output } = await relay.capture(nodePath, [cli, ...args], { cwd, env });
  if (code !== 0) throw new ExplainedError(`${what} failed (npm ended with code ${code}):\n\n${essence(output)}`);
}
