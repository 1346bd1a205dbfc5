import { plainText, UNPRINTABLE } from "../kernel/plain-text.ts";
import { type DecimalInput, readRatio } from "./ratios.ts";
import { refusals } from "./refusals.ts";

/** Stands for no BD where a BD is named (BRK-15). */
export const COMPANY = "__company__";

const MOST_NOTE_chars = 200;
const MOST_INT = 2 ** 31 - 1;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID in lower case, the way the database writes it. */
export function readUuid(name: string, text: string): string {
  if (!UUID.test(text)) throw refusals.invalidId(name);
  return text.toLowerCase();
}

/** A BD's id; null for the company. */
export const readOwner = (name: string, text: string): string | null =>
  text === COMPANY ? null : readUuid(name, text);

/** The id of an invite code. */
export function readCodeId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= MOST_INT)) throw refusals.invalidCodeId();
  return id;
}

/** A name for people: something to see, and nothing that plays tricks with the text around it. */
export function readName(name: string, text: string, most_chars: number): string {
  const plain = plainText(text, most_chars);
  if (plain !== undefined) return plain;
  throw refusals.invalidField(name, `must have 1 to ${most_chars} characters and no control characters`);
}

/** Null where there is none. */
export function readNote(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || [...value].length > MOST_NOTE_chars || UNPRINTABLE.test(value)) {
    throw refusals.invalidField("note", `must be a text of at most ${MOST_NOTE_chars} printable characters`);
  }
  return value.trim() === "" ? null : value.trim();
}

/** What goes into the audit log with a change. */
export function readReason(text: string | undefined): string | undefined {
  if (text !== undefined && UNPRINTABLE.test(text)) {
    throw refusals.invalidField("reason", "must have no control characters");
  }
  return text;
}

/** WIRE-2: a ratio of whatever was sent. */
export function readRequiredRatio(name: string, value: unknown): number {
  if (value === undefined || value === null) throw refusals.fieldRequired(name);
  if (typeof value !== "string" && typeof value !== "number") throw refusals.ratioOutOfRange(name);
  return readRatio(name, value satisfies DecimalInput);
}
