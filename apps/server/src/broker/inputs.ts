import { plainText, UNPRINTABLE } from "../kernel/plain-text.ts";
import { parseUuid } from "../kernel/uuid.ts";
import { type DecimalInput, readRatio } from "./ratios.ts";
import { refusals } from "./refusals.ts";

/** The value that means "no BD" where a BD is expected (BRK-15). */
export const COMPANY = "__company__";

const MAX_NOTE_chars = 200;
const MAX_INT = 2 ** 31 - 1;

/** A UUID in lower case, as the database writes it. */
export function readUuid(name: string, text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw refusals.invalidId(name);
  return id;
}

/** A BD's id; null for the company. */
export const readOwner = (name: string, text: string): string | null =>
  text === COMPANY ? null : readUuid(name, text);

/** Parses the id of an invite code. */
export function readCodeId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= MAX_INT)) throw refusals.invalidCodeId();
  return id;
}

/** Parses a name for people: it must contain a visible character and no control or direction characters. */
export function readName(name: string, text: string, most_chars: number): string {
  const plain = plainText(text, most_chars);
  if (plain !== undefined) return plain;
  throw refusals.invalidField(name, `must have 1 to ${most_chars} characters and no control characters`);
}

/** Null if there is none. */
export function readNote(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || [...value].length > MAX_NOTE_chars || UNPRINTABLE.test(value)) {
    throw refusals.invalidField("note", `must be a text of at most ${MAX_NOTE_chars} printable characters`);
  }
  return value.trim() === "" ? null : value.trim();
}

/** Parses the reason that the audit log records with a change. */
export function readReason(text: string | undefined): string | undefined {
  if (text !== undefined && UNPRINTABLE.test(text)) {
    throw refusals.invalidField("reason", "must have no control characters");
  }
  return text;
}

/** WIRE-2: parses a ratio from an unchecked value. */
export function readRequiredRatio(name: string, value: unknown): number {
  if (value === undefined || value === null) throw refusals.fieldRequired(name);
  if (typeof value !== "string" && typeof value !== "number") throw refusals.ratioOutOfRange(name);
  return readRatio(name, value satisfies DecimalInput);
}
