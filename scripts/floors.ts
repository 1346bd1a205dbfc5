// Checks the imports of production code against the floors of `floors/rules.ts`; part of `npm run check`.
import { dirname } from "node:path";
import { readImports } from "./floors/imports.ts";
import { judgeImports } from "./floors/judge.ts";

const root = process.argv[2] ?? dirname(import.meta.dirname);
const imports = readImports(root);
const problems = judgeImports(imports);
for (const problem of problems) console.log(problem);
console.log(`${imports.length} imports, ${problems.length} against the rules (scripts/floors/rules.ts)`);
process.exitCode = problems.length === 0 ? 0 : 1;
