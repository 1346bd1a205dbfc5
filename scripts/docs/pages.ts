import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";

const PAGES = ["*.md", "docs/**/*.md", "contracts/README.md"];
const SOURCES = "{apps,bench,contracts,docs,packages,scripts,tests,.ci}/**/*";
const IGNORED = ["**/node_modules/**", "apps/web/dist/**"];

const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g;
const HEADING = /^#+ (.+)$/gm;
const CODE_BLOCK = /^```[\s\S]*?^```/gm;
/** A file or folder of the repository in a page: a path from the root, or from a folder that the context names. */
const NAMED_PATH = /`((?:[\w*.-]+\/)*[\w*.-]+\.(?:tsx?|mjs|sol|md)|(?:[\w*.-]+\/)+)`/g;

/** The anchor of a heading in rendered Markdown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

const list = (root: string, patterns: string | readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: IGNORED }).map((path) => path.split(sep).join("/"));

/** The pages of documentation, as paths from the root. */
export const listPages = (root: string): readonly string[] => list(root, PAGES).sort();

/** Links of a page to files or headings that do not exist. */
export function brokenLinks(root: string, page: string): readonly string[] {
  const found = [...readFileSync(join(root, page), "utf8").replaceAll(CODE_BLOCK, "").matchAll(LINK)];
  return found.flatMap(([, path = "", anchor]) => {
    const target = path === "" ? page : posix.normalize(posix.join(dirname(page), path));
    const isThere = globSync(target, { cwd: root }).length > 0;
    if (!isThere) return [path];
    if (anchor === undefined || !target.endsWith(".md")) return [];
    const headings = [...readFileSync(join(root, target), "utf8").matchAll(HEADING)].map(([, text]) => anchorOf(text!));
    return headings.includes(anchor) ? [] : [`${path}#${anchor}`];
  });
}

const asPattern = (path: string): RegExp =>
  new RegExp(`(?:^|/)${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}${path.endsWith("/") ? "" : "$"}`);

/** By page: the files and folders that it names and that do not exist. */
export function missingPaths(root: string, pages: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = list(root, SOURCES);
  const missing = pages.map((page) => {
    const named = [...readFileSync(join(root, page), "utf8").matchAll(NAMED_PATH)].map(([, path]) => path!);
    return [page, named.filter((path) => !files.some((file) => asPattern(path).test(file)))] as const;
  });
  return new Map(missing.filter(([, paths]) => paths.length > 0));
}
