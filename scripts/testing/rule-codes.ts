import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf, type Suite } from "./suites.ts";

/** A test whose name cites the rule that it proves. */
export interface RuleTest {
  readonly code: string;
  /** The whole name, as written; computed parts are `${…}`. */
  readonly name: string;
  readonly file: string;
  readonly suites: readonly Suite[];
}

/** A rule of an area, such as BRK-8, or a trap, such as T8. */
const CODE = "(?:[A-Z]{3,4}-\\d+b?|T\\d{1,2})";

/** Between two codes these words mean all codes from the first to the second. */
const RANGE = / (?:to|…) /;

/** A text that begins with codes and a colon is a test's name, also in tables of names. */
const NAME = new RegExp(
  `(\\bitOnServer\\(\\s*)?(["'\`])(${CODE}(?:(?:, | to | … )${CODE})*: (?:\\\\.|(?!\\2)[^\\\\])*)\\2`,
  "g",
);

/** A suite that runs on a PostgreSQL server: only there do tests made by `itOnServer` run. */
const isOnServer = ({ env }: Suite): boolean => env?.["TEST_DATABASE"] === "postgresql";

function expandRange(range: string): string[] {
  const [first = "", last] = range.split(RANGE);
  if (last === undefined) return [first];
  const [area, from] = first.split("-");
  const [, to] = last.split("-");
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${area}-${Number(from) + index}`);
}

const CODES = new RegExp(`\\b${CODE}(?:${RANGE.source}${CODE})?\\b`, "g");

/** The codes in a text; "BRK-1 … BRK-3" means three of them. */
export const codesIn = (text: string): readonly string[] => (text.match(CODES) ?? []).flatMap(expandRange);

/** The codes that a test's name begins with. */
export const codesOf = (name: string): readonly string[] => codesIn(name.slice(0, name.indexOf(":")));

/** Every test of the project whose name begins with a rule's code, read from the sources. */
export function listRuleTests(root: string, suites: readonly Suite[]): readonly RuleTest[] {
  const suitesOf = new Map<string, Suite[]>();
  for (const suite of suites) {
    for (const file of filesOf(root, suite)) suitesOf.set(file, [...(suitesOf.get(file) ?? []), suite]);
  }
  return [...suitesOf].flatMap(([file, holders]) => {
    const found = readFileSync(join(root, file), "utf8").matchAll(NAME);
    return [...found].flatMap(([, onServer, , name = ""]) => {
      const running = onServer === undefined ? holders : holders.filter(isOnServer);
      return codesOf(name).map((code) => ({ code, name, file, suites: running }));
    });
  });
}

/** Rules that `npm test` does not prove: only tests of `npm run test:all` cite them. */
export function codesBeyondNpmTest(tests: readonly RuleTest[]): readonly string[] {
  const isProved = ({ suites }: RuleTest) => suites.some(({ runBy }) => runBy === "npm test");
  const proved = new Set(tests.filter(isProved).map(({ code }) => code));
  return [...new Set(tests.map(({ code }) => code))].filter((code) => !proved.has(code)).sort();
}
