import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { listRuleTests } from "../testing/rule-codes.ts";
import { suites } from "../testing/suites.ts";

export interface Rule {
  /** The rule in one sentence. */
  readonly rule: string;
  /** The page that describes it, relative to docs/rules. */
  readonly page: string;
  /** Another rule whose tests also prove this one; only for rules that no test names. */
  readonly provenBy?: string;
}

export interface RuleGroup {
  readonly title: string;
  readonly rules: Readonly<Record<string, Rule>>;
}

const HEAD = `# Rules

Every rule of the product has a code. A test that proves a rule begins with its code: \`grep -r "BRK-8:"\` finds its tests. This page
is written by \`npm run docs\` from [codes.json](codes.json) and from the names of the tests.
`;

export const readRuleGroups = (root: string): readonly RuleGroup[] =>
  JSON.parse(readFileSync(join(root, "docs/rules/codes.json"), "utf8"));

/** By code: the test files that cite it, as paths from the root, sorted. */
export function filesByCode(root: string): ReadonlyMap<string, readonly string[]> {
  const files = Map.groupBy(listRuleTests(root, suites), ({ code }) => code);
  return new Map([...files].map(([code, tests]) => [code, [...new Set(tests.map(({ file }) => file))].sort()]));
}

const pageLink = (page: string): string => `[${basename(page)}](${page})`;

function testLinks({ provenBy }: Rule, files: readonly string[]): string {
  if (provenBy !== undefined) return `those of ${provenBy}`;
  return files.map((file) => `[${basename(file).replace(/\.test\.tsx?$/, "")}](../../${file})`).join(", ");
}

/** docs/rules/index.md: each rule with its page and its tests. */
export function rulesAsMarkdown(root: string): string {
  const files = filesByCode(root);
  const sections = readRuleGroups(root).map(({ title, rules }) => {
    const rows = Object.entries(rules).map(
      ([code, rule]) =>
        `| ${code} | ${rule.rule} | ${pageLink(rule.page)} | ${testLinks(rule, files.get(code) ?? [])} |`,
    );
    return [`## ${title}`, "", "| Code | Rule | Page | Tests |", "|---|---|---|---|", ...rows, ""].join("\n");
  });
  return [HEAD, ...sections].join("\n");
}
