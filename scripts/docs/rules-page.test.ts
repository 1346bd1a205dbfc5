import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { codesIn } from "../testing/rule-codes.ts";
import { filesByCode, readRuleGroups, rulesAsMarkdown } from "./rules-page.ts";

const root = dirname(dirname(import.meta.dirname));
const rules = readRuleGroups(root).flatMap((group) => Object.entries(group.rules));
const listed = new Set(rules.map(([code]) => code));
const files = filesByCode(root);

describe("the table of rules", () => {
  it("lists every code that a test cites", () => {
    const unlisted = [...files].filter(([code]) => !listed.has(code));
    assert.deepEqual(unlisted, [], "add these codes to docs/rules/codes.json");
  });

  it("lists no rule without a test, unless the tests of another rule prove it", () => {
    const unproven = rules.filter(([code, { provenBy }]) => !files.has(provenBy ?? code));
    assert.deepEqual(unproven, []);
    const needless = rules.filter(([code, { provenBy }]) => provenBy !== undefined && files.has(code));
    assert.deepEqual(needless, [], "these have tests of their own: remove provenBy");
  });

  it("names for each rule a page that mentions it", () => {
    const codesOfPage = (page: string) => codesIn(readFileSync(join(root, "docs/rules", page), "utf8"));
    const silent = rules.filter(([code, { page }]) => !codesOfPage(page).includes(code));
    assert.deepEqual(silent, []);
  });

  it("is up to date", () => {
    const page = readFileSync(join(root, "docs/rules/index.md"), "utf8");
    assert.ok(page === rulesAsMarkdown(root), "run `npm run docs`");
  });
});
