import { parseAddress } from "../identity/address.ts";
import { plainText } from "../kernel/plain-text.ts";
import { refusals } from "./refusals.ts";

const NOBODY = `0x${"0".repeat(40)}`;
const MOST_REASON_chars = 500;
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** A wallet in lower case; undefined where the text is none. Nobody holds the key of the zero address. */
export function parseWallet(text: string): string | undefined {
  const address = parseAddress(text);
  return address === NOBODY ? undefined : address;
}

/** The same for a field that must be a wallet. */
export function readAddress(name: string, text: string): string {
  const address = parseWallet(text);
  if (address === undefined) throw refusals.invalidAddress(name);
  return address;
}

/** BON-4: what the caller names its request by. */
export function readRequestId(text: string): string {
  if (!REQUEST_ID.test(text)) {
    throw refusals.invalidField("request_id", "must have 1 to 128 printable ASCII characters and no spaces");
  }
  return text;
}

/** A text for people: something to see, and nothing that plays tricks with the text around it. */
export function readText(name: string, text: string, most_chars: number): string {
  const plain = plainText(text, most_chars);
  if (plain !== undefined) return plain;
  throw refusals.invalidField(name, `must have 1 to ${most_chars} characters and no control characters`);
}

const MOST_OPERATOR_chars = 100;

/** Who stands behind a request, for the records: usually a wallet, which is then kept in lower case. */
export const readOperator = (text: string): string =>
  parseWallet(text) ?? readText("operator_addr", text, MOST_OPERATOR_chars);

/** What goes into the audit log with a decision. */
export const readReason = (text: string): string => readText("reason", text, MOST_REASON_chars);
