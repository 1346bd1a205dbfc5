import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a script of the project with the current runtime and resolves with its first line of output. */
export async function startScript(
  path: URL,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(path), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const firstLine = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const end = output.indexOf("\n");
      if (end !== -1) resolve(output.slice(0, end));
    });
    child.once("exit", (code) => reject(new Error(`${path.pathname} ended with ${code}`)));
  });
  return { child, firstLine };
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
