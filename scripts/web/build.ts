// Builds the web app if it is missing or older than its sources: `npm run build`, and a part of `npm start`, which
// prints nothing (`--quiet`) if there is nothing to do.
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBuilt } from "./ensure-built.ts";

const root = dirname(dirname(import.meta.dirname));
const isQuiet = process.argv.includes("--quiet");

try {
  const isNew = await ensureBuilt(root);
  if (!isNew && !isQuiet) console.log("The web app is built from the present sources already.");
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  // The bundler colours its messages regardless of the output.
  console.error(`Building the web app failed:\n\n${process.stderr.isTTY ? reason : stripVTControlCharacters(reason)}`);
  process.exitCode = 1;
}
