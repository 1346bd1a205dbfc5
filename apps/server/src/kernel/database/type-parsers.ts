/**
 * Converts SQL values to JavaScript values and back, for both databases. PostgreSQL sends every value as text; these parsers give
 * the same JavaScript value for both.
 */
import pg from "pg";

type Parser = (text: string) => unknown;

const asText: Parser = (text) => text;
const asJson: Parser = (text) => JSON.parse(text);
const asBytes: Parser = (text) => Buffer.from(text.slice(2), "hex");

function asDate(text: string): Date {
  // Sessions run in UTC (see `SESSION_SETTINGS_SQL`), so the text is "2026-01-31 12:00:00.123456+00".
  const date = new Date(text.replace(" ", "T").replace(/\+00$/, "Z"));
  if (Number.isNaN(date.getTime())) throw new RangeError(`the timestamp ${text} does not fit a JavaScript date`);
  return date;
}

/** Each scalar type: its object id, the id of its array type, and its parser. */
const SCALARS: readonly (readonly [oid: number, arrayOid: number, parse: Parser])[] = [
  [16, 1000, (text) => text === "t"], // boolean
  [17, 1001, asBytes], // bytea
  [20, 1016, (text) => BigInt(text)], // int8
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [25, 1009, asText], // text
  [26, 1028, Number], // oid
  [114, 199, asJson], // json
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [1043, 1015, asText], // varchar
  [1082, 1182, asText], // date, as "YYYY-MM-DD": a day has no time zone
  [1184, 1185, asDate], // timestamptz
  [1700, 1231, asText], // numeric, as text: a number would lose digits
  [2950, 2951, asText], // uuid
  [3802, 3807, asJson], // jsonb
];

const TEXT_ARRAY_OID: number = 1009;
const splitArray: (text: string) => unknown[] = pg.types.getTypeParser(TEXT_ARRAY_OID);

function parseElements(elements: unknown[], parse: Parser): unknown[] {
  return elements.map((element) => {
    if (Array.isArray(element)) return parseElements(element, parse);
    return typeof element === "string" ? parse(element) : element;
  });
}

const PARSERS: ReadonlyMap<number, Parser> = new Map(
  SCALARS.flatMap(([oid, arrayOid, parse]): [number, Parser][] => [
    [oid, parse],
    [arrayOid, (text) => parseElements(splitArray(text), parse)],
  ]),
);

/** The parser of a type; types that are not listed stay text. */
export function parserOf(typeOid: number): Parser {
  return PARSERS.get(typeOid) ?? asText;
}

const ARRAY_UNSAFE = /["\\]/g;

/** Numbers need no quotes and are most of the values: this runs for each value of each row. */
function arrayElement(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  const text = parameterText(value);
  return text === null ? "NULL" : `"${text.replace(ARRAY_UNSAFE, "\\$&")}"`;
}

function arrayLiteral(values: readonly unknown[]): string {
  let literal = "";
  for (const value of values) literal += literal === "" ? arrayElement(value) : `,${arrayElement(value)}`;
  return `{${literal}}`;
}

/**
 * A parameter as PostgreSQL reads it. The value's type decides, as in `pg`: an array is an SQL array and any other object is JSON,
 * so an array for a json column must be given as JSON text.
 */
export function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
  }
  if (Array.isArray(value)) return arrayLiteral(value);
  return JSON.stringify(value);
}

/**
 * The settings of every session: the text formats that the parsers expect, and days that begin at midnight UTC in SQL
 * (`date_trunc`, `::date`), whatever the server's own settings are.
 */
export const SESSION_SETTINGS_SQL = `
  select set_config('TimeZone', 'UTC', false),
         set_config('DateStyle', 'ISO, YMD', false),
         set_config('bytea_output', 'hex', false),
         set_config('extra_float_digits', '1', false)`;
