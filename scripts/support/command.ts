import { type ParseArgsConfig, parseArgs } from "node:util";

/** A mistake of the caller, who is shown the usage. */
export class UsageError extends Error {}

/** As `parseArgs`; arguments that it refuses are the caller's mistake. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs a command, whose answer is the exit code of the process. */
export async function runCommand(main: () => Promise<number>, usage: string): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${usage}`);
    process.exitCode = 2;
  }
}
