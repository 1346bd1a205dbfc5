import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { makeTempDir } from "../../tests/support/files.ts";
import { brokenLinks, listPages, missingPaths } from "./pages.ts";

/** Folders that a start creates. */
const MADE_AT_RUN_TIME = new Set([".runtime/", "snapshots/"]);

describe("pages", () => {
  const root = dirname(dirname(import.meta.dirname));
  const pages = listPages(root);

  it("link to files and headings that exist", () => {
    const broken = pages.map((page) => [page, brokenLinks(root, page)] as const);
    assert.deepEqual(
      broken.filter(([, links]) => links.length > 0),
      [],
    );
  });

  it("name files and folders that exist", () => {
    const missing = [...missingPaths(root, pages)].map(
      ([page, paths]) => [page, paths.filter((path) => !MADE_AT_RUN_TIME.has(path))] as const,
    );
    assert.deepEqual(
      missing.filter(([, paths]) => paths.length > 0),
      [],
    );
  });

  it("with links or names that lead nowhere are found", async (t) => {
    const folder = await makeTempDir(t);
    await mkdir(join(folder, "docs/rules"), { recursive: true });
    await writeFile(join(folder, "docs/a.md"), "# One thing\n[b](rules/b.md#two) [c](c.md) [here](#one-thing) [d](#d)");
    await writeFile(join(folder, "docs/rules/b.md"), "# Two: of *them*\n`docs/a.md`, `rules/`, `a.md`, `a.ts`, `lib/`");
    assert.deepEqual(listPages(folder), ["docs/a.md", "docs/rules/b.md"]);
    assert.deepEqual(brokenLinks(folder, "docs/a.md"), ["rules/b.md#two", "c.md", "#d"]);
    assert.deepEqual([...missingPaths(folder, listPages(folder))], [["docs/rules/b.md", ["a.ts", "lib/"]]]);
  });
});
