import type { MarketDefinition } from "../rules/market.ts";
import { CodecFault } from "./codec-fault.ts";
import type { ValueForm } from "./field-table.ts";

const MAX_LEVELS = 8;

/**
 * A market definition is written as JSON: it is rare, and every field that an admin sent, known to the engine or not,
 * must be read back unchanged, because it decides whether the engine refuses the definition.
 */
export const DEFINITION_FORM: ValueForm<MarketDefinition> = {
  write(writer, definition) {
    if (typeof definition !== "object" || definition === null) throw new CodecFault("a market without a definition");
    assertExactInJson(definition, MAX_LEVELS);
    writer.text(JSON.stringify(definition));
  },
  read(reader) {
    const text = reader.text();
    const value = parsed(text);
    if (typeof value !== "object" || value === null || JSON.stringify(value) !== text) {
      throw new CodecFault("a market's definition that was not written so");
    }
    return value as MarketDefinition;
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodecFault(`a market's definition that is no JSON: ${String(error)}`);
  }
}

/** Throws on values that JSON would change silently. */
function assertExactInJson(value: unknown, levelsLeft: number): void {
  if (levelsLeft === 0) throw new CodecFault("a market's definition is nested too deeply");
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return;
  if (typeof value !== "object" || !isPlainObject(value)) {
    throw new CodecFault(`a market's definition holds ${String(value)}, which cannot be written`);
  }
  for (const part of Object.values(value)) assertExactInJson(part, levelsLeft - 1);
}

function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  return Object.getPrototypeOf(value) === Object.prototype;
}
