import { dirname } from "node:path";
import { type Check, listChecks } from "./checks.ts";

const root = dirname(import.meta.dirname);

async function run({ name, run }: Check): Promise<boolean> {
  const { passed, output, duration_ms } = await run();
  if (!passed) console.log(`${output}\n`);
  console.log(`${passed ? "ok    " : "FAILED"}  ${name}  ${(duration_ms / 1000).toFixed(1)} s`);
  return passed;
}

const outcomes = await Promise.all(listChecks(root).map(run));
process.exitCode = outcomes.every((passed) => passed) ? 0 : 1;
