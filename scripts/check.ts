import { dirname } from "node:path";
import { listChecks } from "./checks.ts";

const root = dirname(import.meta.dirname);

let allPassed = true;
for (const check of listChecks(root)) {
  const { passed, output, duration_ms } = await check.run();
  allPassed &&= passed;
  if (!passed) console.log(`${output}\n`);
  console.log(`${passed ? "ok    " : "FAILED"}  ${check.name}  ${(duration_ms / 1000).toFixed(1)} s`);
}
process.exitCode = allPassed ? 0 : 1;
