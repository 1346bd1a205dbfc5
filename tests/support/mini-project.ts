import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { Owner } from "./cleanup.ts";
import { makeTempDir } from "./files.ts";
import { plainEnvironment, type RunningProcess, startProcess } from "./processes.ts";

const projectRoot = join(import.meta.dirname, "..", "..");

/** One call of the project's fake npm. */
export interface NpmCall {
  readonly args: readonly string[];
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Flags for the Node that runs the bootstrap. */
  readonly nodeFlags?: readonly string[];
  readonly args?: readonly string[];
}

// Does what FAKE_NPM says: succeeds, fails with long output, or succeeds once the file "go" exists.
const FAKE_NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
const { FAKE_NPM: mode = "succeed" } = process.env;
const call = { args: process.argv.slice(2), execPath: process.execPath, env: process.env };
appendFileSync("npm-calls.jsonl", JSON.stringify(call) + "\\n");
// Stops waiting if the project has been removed.
while (mode === "wait" && !existsSync("go") && existsSync("package.json")) await new Promise((resolve) => setTimeout(resolve, 20));
if (mode === "fail") {
  for (let line = 1; line <= 200; line += 1) console.log("npm output line " + line);
  console.error("npm error request to https://user:secret@registry.example:8443/left-pad failed");
  // Not process.exit: it would cut off output that a slow reader has not read yet.
  process.exitCode = 9;
} else {
  rmSync("node_modules", { recursive: true, force: true });
  mkdirSync("node_modules");
  writeFileSync("node_modules/installed", "");
}
`;

// Records that it was asked to build the web app, then does what FAKE_BUILD says.
const FAKE_BUILD = `
import { appendFileSync } from "node:fs";
appendFileSync("builds", process.argv.slice(2).join(" ") + "\\n");
if (process.env.FAKE_BUILD === "wait") setInterval(() => {}, 1000);
if (process.env.FAKE_BUILD === "fail") {
  console.error("a bracket is missing");
  process.exitCode = 3;
}
`;

// Prints how it was started, then does what its arguments say.
const MAIN = `
import { writeFileSync } from "node:fs";
const [what, value]: string[] = process.argv.slice(2);
const folder = (process.env.PATH ?? "").split(${JSON.stringify(delimiter)})[0];
const { UV_THREADPOOL_SIZE: threads } = process.env;
console.log("started " + JSON.stringify({ args: process.argv.slice(2), execPath: process.execPath, folder, threads }));
if (what === "exit") process.exitCode = Number(value);
if (what === "die") process.kill(process.pid, value as NodeJS.Signals);
if (what === "stay") {
  const end = (why: string, code: number) => {
    writeFileSync("ended-by", why);
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(signal, 5));
  process.on("disconnect", () => end("disconnect", 6));
  setInterval(() => {}, 1000);
  writeFileSync("main-pid", String(process.pid));
}
`;

/**
 * A project of a few files around a copy of the real bootstrap, with fakes of npm and of the web app's build: nothing
 * is fetched.
 */
export class MiniProject {
  readonly root: string;
  #owner: Owner;

  constructor(owner: Owner, root: string) {
    this.#owner = owner;
    this.root = root;
  }

  static async create(owner: Owner): Promise<MiniProject> {
    const project = new MiniProject(owner, await makeTempDir(owner));
    await cp(join(projectRoot, "scripts", "bootstrap.mjs"), project.path("scripts/bootstrap.mjs"));
    await cp(join(projectRoot, "scripts", "bootstrap"), project.path("scripts/bootstrap"), { recursive: true });
    await project.write("package.json", JSON.stringify({ name: "mini", private: true, type: "module" }));
    await project.write("package-lock.json", JSON.stringify({ name: "mini", lockfileVersion: 3, packages: {} }));
    await project.write("apps/server/src/main.ts", MAIN);
    await project.write("scripts/web/build.ts", FAKE_BUILD);
    await project.write("fake/npm/bin/npm-cli.js", FAKE_NPM);
    await project.write("fake/npm/package.json", JSON.stringify({ name: "npm", version: "11.0.0", type: "module" }));
    return project;
  }

  path(relativePath: string): string {
    return join(this.root, relativePath);
  }

  async write(relativePath: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(relativePath)), { recursive: true });
    await writeFile(this.path(relativePath), text);
  }

  /** A shell script that replaces another `node`, alone in a folder. */
  async writeNode(folder: string, shellLines: string): Promise<string> {
    const path = `${folder}/node`;
    await this.write(path, `#!/bin/sh\n${shellLines}\n`);
    await chmod(this.path(path), 0o755);
    return this.path(folder);
  }

  /** The content of a file, undefined while it does not exist. */
  async read(relativePath: string): Promise<string | undefined> {
    try {
      return await readFile(this.path(relativePath), "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  async npmCalls(): Promise<readonly NpmCall[]> {
    const text = (await this.read("npm-calls.jsonl")) ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as NpmCall]));
  }

  environment(extra: StartOptions["env"] = {}): Record<string, string | undefined> {
    // npm's variables of the test command must not reach the project under test; undefined removes them.
    const fromNpm = Object.keys(plainEnvironment()).filter((name) => /^npm_/i.test(name));
    const unset = Object.fromEntries(fromNpm.map((name) => [name, undefined]));
    return { ...unset, npm_execpath: this.path("fake/npm/bin/npm-cli.js"), ...extra };
  }

  /** Starts `bootstrap.mjs start <args>`. */
  start({ env, nodeFlags = [], args = [] }: StartOptions = {}): RunningProcess {
    return startProcess(process.execPath, [...nodeFlags, "scripts/bootstrap.mjs", "start", ...args], {
      owner: this.#owner,
      cwd: this.root,
      env: this.environment(env),
    });
  }
}
