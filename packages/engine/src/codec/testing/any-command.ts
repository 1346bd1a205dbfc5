import fc from "fast-check";
import type { Command } from "../../contract/commands.ts";
import { FIRST_MARKETS } from "../../rules/market.ts";
import { MARKET_RULE_NAMES } from "../../rules/market-rules.ts";
import { NEXT_RULES, OLDEST_RULES } from "../../rules/version.ts";
import { COMMAND_TABLES, type CommandKind, MARKET_RULES_FORM, TRIGGER_FORM } from "../command-fields.ts";
import { DEFINITION_FORM } from "../definition-codec.ts";

/** Sensible values, limits, and any other finite double. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 1_000_000 }) },
  { weight: 2, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[0, -0, -1, -5, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 35, 2 ** 52 - 1, 2 ** 52, -(2 ** 52)],
      ...[-(2 ** 52) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, 2 ** 60, 0.5, 5e-324, Number.MAX_VALUE],
    ),
  },
);

/** Includes invalid Unicode, because a program can produce it. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constant(""),
  fc.string({ maxLength: 36 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes)),
);

const definition = fc.oneof(
  fc.constantFrom(...FIRST_MARKETS),
  fc
    .record({ symbol: anyText, tickSize_e8: fc.integer(), unknown: fc.oneof(anyText, fc.boolean(), fc.constant(null)) })
    .map((changed) => ({ ...FIRST_MARKETS[0]!, ...changed })),
);

/** The codec treats codes like any other number. */
const BY_FORM = new Map<unknown, fc.Arbitrary<unknown>>([
  ["number", anyNumber],
  ["signed", anyNumber],
  ["flag", fc.boolean()],
  ["text", anyText],
  [TRIGGER_FORM, fc.option(fc.record({ triggerTicks: anyNumber, ticks: anyNumber, workingType: anyNumber }))],
  [DEFINITION_FORM, definition],
  [MARKET_RULES_FORM, fc.record(Object.fromEntries(MARKET_RULE_NAMES.map((name) => [name, anyNumber])))],
]);

/** Any command of a kind. Objects of `fc.record` have no prototype; commands have the default one. */
export function anyCommandOf(kind: CommandKind): fc.Arbitrary<Command> {
  const fields = Object.entries(COMMAND_TABLES[kind].fields).map(([name, form]) => [name, BY_FORM.get(form)!]);
  if (kind === "set_rules_version") fields.push(["version", fc.integer({ min: OLDEST_RULES, max: NEXT_RULES })]);
  const values = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  return values.map((fields) => structuredClone({ kind, ...fields }) as Command);
}
