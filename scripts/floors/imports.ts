import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { FLOORS, isProduction, PACKAGE_PATHS } from "./rules.ts";

export interface Import {
  readonly from: string;
  /** A file of the project. */
  readonly to: string;
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*"([^"\n]+)"/g;
/** An import that stands in a comment or in a text of several lines is no import. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm;

/** Where an import leads within the project; undefined for what comes from elsewhere. */
function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier));
  const name = Object.keys(PACKAGE_PATHS).find((each) => specifier === each || specifier.startsWith(`${each}/`));
  return name === undefined ? undefined : `${PACKAGE_PATHS[name]}${specifier.slice(name.length)}`;
}

/** Every import between production files of the rooms. */
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
