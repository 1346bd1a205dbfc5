import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface CheckResult {
  readonly passed: boolean;
  readonly output: string;
  readonly duration_ms: number;
}

export interface Check {
  readonly name: string;
  run(): Promise<CheckResult>;
}

// The web app is checked against the types of browsers, so it has a separate configuration.
const TYPE_CONFIGURATIONS = ["tsconfig.json", "apps/web/tsconfig.json"];

/**
 * By default four checkers share the files, and each works out the types that its files have in common with the others' files:
 * twice the time of a core. All checks run side by side, so one checker keeps no core idle.
 */
const CHECKERS = ["--checkers", "1"];

/** Files that have not changed since the last check, and depend on none that has, are not checked again. */
const remembering = (root: string, configuration: string): readonly string[] => {
  const file = join(root, ".cache", "types", `${configuration.replaceAll("/", "-")}.tsbuildinfo`);
  return ["--incremental", "--tsBuildInfoFile", file];
};

/** The file behind a command of an installed package, so that no shell and no shim is needed to run it. */
function commandFile(root: string, packageName: string, command: string): string {
  const require = createRequire(join(root, "package.json"));
  return join(dirname(require.resolve(`${packageName}/package.json`)), "bin", command);
}

function runNodeScript(root: string, args: readonly string[]): Promise<CheckResult> {
  const started_ms = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ passed: code === 0, output: output.trim(), duration_ms: performance.now() - started_ms });
    });
  });
}

/** All static checks: style and lint, floors, then types. */
export function listChecks(root: string): readonly Check[] {
  const biome = commandFile(root, "@biomejs/biome", "biome");
  const tsc = commandFile(root, "typescript", "tsc");
  return [
    {
      name: "format and lint (biome)",
      run: () => runNodeScript(root, [biome, "ci", "--error-on-warnings", "--colors=off"]),
    },
    { name: "floors (which folder imports which)", run: () => runNodeScript(root, [join(root, "scripts/floors.ts")]) },
    ...TYPE_CONFIGURATIONS.filter((path) => existsSync(join(root, path))).map((path) => ({
      name: `types (tsc -p ${path})`,
      run: () => runNodeScript(root, [tsc, "-p", path, "--pretty", "false", ...CHECKERS, ...remembering(root, path)]),
    })),
  ];
}
