import type { JsonValue } from "../database/tables.ts";

/**
 * The database stores neither a NUL nor half a surrogate pair: the replacement character replaces them. A byte order mark at the
 * beginning is lost on reading, so it is removed here.
 */
export const storableText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\0", "\uFFFD")
    .replace(/^\uFEFF+/, "");

function memberText(name: string, value: unknown): string {
  return `${JSON.stringify(storableText(name))}:${canonicalJson(value)}`;
}

/**
 * The canonical text of a value: sorted keys, no spaces, no undefined members. It survives a round trip through a jsonb column,
 * which keeps neither the order of keys nor the notation of numbers. Numbers must therefore be safe integers; anything else, and
 * everything that is not JSON, is refused and belongs in a string.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  // The canonical text is that of the storable value.
  if (typeof value === "string") return JSON.stringify(storableText(value));
  if (typeof value === "number" && Number.isSafeInteger(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    // Sorted by UTF-16 code units, independent of the locale.
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => memberText(name, member)).join(",")}}`;
  }
  throw new TypeError(`an audit entry cannot hold ${describe(value)}; give it as a string`);
}

function isPlain(value: object): value is Record<string, JsonValue> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "object") return `a ${value?.constructor?.name ?? "null"}`;
  return `a value of type ${typeof value}`;
}
