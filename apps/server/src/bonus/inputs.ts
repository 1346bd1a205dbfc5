import { parseAddress } from "../kernel/address.ts";
import { plainText } from "../kernel/plain-text.ts";
import { refusals } from "./refusals.ts";

const NOBODY = `0x${"0".repeat(40)}`;
const MAX_REASON_chars = 500;
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Parses an address into lower case; undefined if it is invalid. The zero address is invalid because no wallet has its key. */
export function parseWallet(text: string): string | undefined {
  const address = parseAddress(text);
  return address === NOBODY ? undefined : address;
}

/** The same for a required field: refuses an invalid address. */
export function readAddress(name: string, text: string): string {
  const address = parseWallet(text);
  if (address === undefined) throw refusals.invalidAddress(name);
  return address;
}

/** BON-4: parses the caller's request id. */
export function readRequestId(text: string): string {
  if (!REQUEST_ID.test(text)) {
    throw refusals.invalidField("request_id", "must have 1 to 128 printable ASCII characters and no spaces");
  }
  return text;
}

/** Parses a text for people: it must contain a visible character and no control or direction characters. */
export function readText(name: string, text: string, most_chars: number): string {
  const plain = plainText(text, most_chars);
  if (plain !== undefined) return plain;
  throw refusals.invalidField(name, `must have 1 to ${most_chars} characters and no control characters`);
}

const MAX_OPERATOR_chars = 100;

/** Parses the person behind a request, for the records: usually an address, stored in lower case. */
export const readOperator = (text: string): string =>
  parseWallet(text) ?? readText("operator_addr", text, MAX_OPERATOR_chars);

/** Parses the reason that the audit log records. */
export const readReason = (text: string): string => readText("reason", text, MAX_REASON_chars);
