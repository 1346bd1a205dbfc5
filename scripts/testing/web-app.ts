import { spawn } from "node:child_process";
import { join } from "node:path";

/** Runs the project's own build, whose progress is shown; undefined when the web app is there, else what was wrong. */
function build(root: string, signal: AbortSignal): Promise<string | undefined> {
  const script = join(root, "scripts", "web", "build.ts");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, "--quiet"], {
      cwd: root,
      stdio: ["ignore", "inherit", "pipe"],
    });
    const end = (): boolean => child.kill();
    signal.addEventListener("abort", end);
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve(code === 0 ? undefined : complaint.trim() || `the build ended with code ${code}`);
    });
  });
}

/** A build for all suites of a run: the first one that needs it waits for it. */
export function createWebAppBuild(root: string, signal: AbortSignal): () => Promise<string | undefined> {
  let built: Promise<string | undefined> | undefined;
  return () => {
    built ??= build(root, signal);
    return built;
  };
}
