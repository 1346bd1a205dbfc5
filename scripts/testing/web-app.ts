import { spawn } from "node:child_process";
import { join } from "node:path";

/** Runs the project's own build and shows its progress; undefined if the web app is built, else the error. */
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

/** One build for all suites of a run: the first suite that needs it starts it, and all wait for it. */
export function createWebAppBuild(root: string, signal: AbortSignal): () => Promise<string | undefined> {
  let built: Promise<string | undefined> | undefined;
  return () => {
    built ??= build(root, signal);
    return built;
  };
}
