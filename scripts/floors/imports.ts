import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { FLOORS, isProduction, PACKAGE_PATHS } from "./rules.ts";

export interface Import {
  readonly from: string;
  /** A file of the project. */
  readonly to: string;
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*"([^"\n]+)"/g;
/** Imports in comments or in multi-line texts do not count. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm;

/** The project file that an import refers to; undefined for packages from outside. */
function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier));
  const name = Object.keys(PACKAGE_PATHS).find((each) => specifier === each || specifier.startsWith(`${each}/`));
  return name === undefined ? undefined : `${PACKAGE_PATHS[name]}${specifier.slice(name.length)}`;
}

/** Every import between production files of the modules. */
export function readImports(root: string): Import[] {
  const patterns = FLOORS.flat().map(({ path }) => (path.endsWith(".ts") ? path : `${path}/**/*.{ts,tsx}`));
  const files = globSync(patterns, { cwd: root, exclude: ["**/node_modules/**"] })
    .map((path) => path.split(sep).join("/"))
    .filter(isProduction)
    .sort();
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), "utf8").replaceAll(COMMENT, "");
    const targets = [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) => targetOf(from, specifier));
    return targets.flatMap((to) => (to === undefined ? [] : [{ from, to }]));
  });
}
