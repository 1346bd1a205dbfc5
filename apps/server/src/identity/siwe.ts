import { getAddress } from "viem/utils";
import { type Address, parseAddress } from "../kernel/address.ts";
import { parseDateTime } from "../kernel/date-time.ts";

/** The fields of an EIP-4361 message. */
export interface SiweFields {
  readonly scheme?: string | undefined;
  readonly domain: string;
  readonly address: Address;
  readonly statement?: string | undefined;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt_ms: number;
  readonly expirationTime_ms?: number | undefined;
  readonly notBefore_ms?: number | undefined;
  readonly requestId?: string | undefined;
  readonly resources?: readonly string[] | undefined;
}

export type SiweParse =
  | { readonly ok: true; readonly fields: SiweFields }
  | { readonly ok: false; readonly reason: string };

const MESSAGE_LIMIT_CHARS = 4096;
const HEADER_END = " wants you to sign in with your Ethereum account:";

// RFC 3986, in parts that match in one way only, so that no text makes the match slow.
const PCHAR = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})";
const SCHEME = "[A-Za-z][A-Za-z0-9+\\-.]*";
const USER_INFO = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@";
const HOST = "(?:\\[[0-9A-Fa-f:.]+\\]|(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)";
const AUTHORITY = `(?:${USER_INFO})?${HOST}(?::[0-9]*)?`;
const PATH = `(?://${AUTHORITY}(?:/${PCHAR}*)*|(?!//)(?:${PCHAR}|/)*)`;
const QUERY = `(?:${PCHAR}|[/?])*`;
const isScheme = fullMatch(SCHEME);
const isAuthority = fullMatch(`(?=.)${AUTHORITY}`);
const isUri = fullMatch(`${SCHEME}:${PATH}(?:\\?${QUERY})?(?:#${QUERY})?`);
const isRequestId = fullMatch(`${PCHAR}*`);
const isStatement = fullMatch("[A-Za-z0-9\\-._~:/?#[\\]@!$&'()*+,;= ]+");
const isNonce = fullMatch("[A-Za-z0-9]{8,}");
const isDigits = fullMatch("[0-9]+");

function fullMatch(pattern: string): (text: string) => boolean {
  const expression = new RegExp(`^${pattern}$`);
  return (text) => expression.test(text);
}

class MalformedMessage extends Error {}

/** Reads a message line by line; an unexpected line ends the reading. */
class LineReader {
  readonly #lines: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#lines.length;
  }

  fail(problem: string): never {
    throw new MalformedMessage(`line ${this.#next}: ${problem}`);
  }

  line(): string {
    return this.#lines[this.#next++] ?? this.fail("the message ends too early");
  }

  blank(): void {
    if (this.line() !== "") this.fail("must be empty");
  }

  /** The value after `label` if the next line begins with it. */
  optional(label: string): string | undefined {
    const line = this.#lines[this.#next];
    if (line === undefined || !line.startsWith(label)) return undefined;
    this.#next += 1;
    return line.slice(label.length);
  }

  required(label: string): string {
    const value = this.optional(label);
    if (value !== undefined) return value;
    this.#next += 1;
    return this.fail(`must begin with "${label}"`);
  }

  requiredMatch(label: string, matches: (text: string) => boolean, problem: string): string {
    const value = this.required(label);
    return matches(value) ? value : this.fail(problem);
  }

  dateTime(label: string): number | undefined {
    const value = this.optional(label);
    if (value === undefined) return undefined;
    return parseDateTime(value) ?? this.fail(`"${label}" must be followed by an RFC 3339 date-time`);
  }
}

function readHeader(reader: LineReader): Pick<SiweFields, "scheme" | "domain"> {
  const line = reader.line();
  if (!line.endsWith(HEADER_END)) reader.fail(`must end with "${HEADER_END.trim()}"`);
  const origin = line.slice(0, -HEADER_END.length);
  const schemeEnd = origin.indexOf("://");
  const scheme = schemeEnd === -1 ? undefined : origin.slice(0, schemeEnd);
  const domain = schemeEnd === -1 ? origin : origin.slice(schemeEnd + 3);
  if (scheme !== undefined && !isScheme(scheme)) reader.fail("the scheme is malformed");
  if (!isAuthority(domain)) reader.fail("the domain is malformed");
  return { scheme, domain };
}

function readStatement(reader: LineReader): string | undefined {
  reader.blank();
  const statement = reader.line();
  if (statement === "") return undefined;
  if (!isStatement(statement)) reader.fail("the statement has characters that EIP-4361 does not allow");
  reader.blank();
  return statement;
}

function readChainId(reader: LineReader): number {
  const chainId = Number(reader.requiredMatch("Chain ID: ", isDigits, "the chain id must be a number"));
  return Number.isSafeInteger(chainId) ? chainId : reader.fail("the chain id is too large");
}

function readResources(reader: LineReader): readonly string[] | undefined {
  const rest = reader.optional("Resources:");
  if (rest === undefined) return undefined;
  if (rest !== "") reader.fail('"Resources:" must stand alone');
  const resources: string[] = [];
  while (!reader.isAtEnd) {
    resources.push(reader.requiredMatch("- ", isUri, "the resource is not a URI"));
  }
  return resources;
}

function readFields(reader: LineReader): SiweFields {
  const header = readHeader(reader);
  const address = parseAddress(reader.line()) ?? reader.fail("must be an address, in mixed case with its checksum");
  const statement = readStatement(reader);
  const uri = reader.requiredMatch("URI: ", isUri, "the URI is malformed");
  reader.requiredMatch("Version: ", (version) => version === "1", "the version must be 1");
  const chainId = readChainId(reader);
  const nonce = reader.requiredMatch("Nonce: ", isNonce, "the nonce must be 8 or more letters and digits");
  const issuedAt_ms = reader.dateTime("Issued At: ") ?? reader.fail('"Issued At: " must follow the nonce');
  const expirationTime_ms = reader.dateTime("Expiration Time: ");
  const notBefore_ms = reader.dateTime("Not Before: ");
  const requestId = reader.optional("Request ID: ");
  if (requestId !== undefined && !isRequestId(requestId)) reader.fail("the request id is malformed");
  const resources = readResources(reader);
  if (!reader.isAtEnd) {
    reader.line();
    reader.fail("unknown, repeated or out of order");
  }
  const times = { issuedAt_ms, expirationTime_ms, notBefore_ms };
  return { ...header, address, statement, uri, chainId, nonce, ...times, requestId, resources };
}

/**
 * Parses an EIP-4361 message strictly by its grammar: every field in its place, once, LF line ends, nothing after the end. Never
 * throws.
 */
export function parseSiweMessage(text: string): SiweParse {
  if (text.length > MESSAGE_LIMIT_CHARS) {
    return { ok: false, reason: `longer than ${MESSAGE_LIMIT_CHARS} characters` };
  }
  try {
    return { ok: true, fields: readFields(new LineReader(text)) };
  } catch (error) {
    if (error instanceof MalformedMessage) return { ok: false, reason: error.message };
    throw error;
  }
}

const isoTime = (time_ms: number) => new Date(time_ms).toISOString();

/** The text of a message with these fields. */
export function formatSiweMessage(fields: SiweFields): string {
  const optional = (label: string, value: string | undefined) => (value === undefined ? [] : [`${label}${value}`]);
  const optionalTime = (label: string, time_ms: number | undefined) =>
    optional(label, time_ms === undefined ? undefined : isoTime(time_ms));
  return [
    `${fields.scheme === undefined ? "" : `${fields.scheme}://`}${fields.domain}${HEADER_END}`,
    getAddress(fields.address),
    "",
    ...optional("", fields.statement),
    "",
    `URI: ${fields.uri}`,
    "Version: 1",
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${isoTime(fields.issuedAt_ms)}`,
    ...optionalTime("Expiration Time: ", fields.expirationTime_ms),
    ...optionalTime("Not Before: ", fields.notBefore_ms),
    ...optional("Request ID: ", fields.requestId),
    ...(fields.resources === undefined ? [] : ["Resources:", ...fields.resources.map((uri) => `- ${uri}`)]),
  ].join("\n");
}

/** The values that a sign-in message must contain (WIRE-1). */
export interface SignInTarget {
  /** Host and port of the public URL. */
  readonly domain: string;
  /** The public URL. */
  readonly uri: string;
  readonly chainId: number;
}

export function signInTarget(publicUrl: string, chainId: number): SignInTarget {
  return { domain: new URL(publicUrl).host, uri: withoutTrailingSlash(publicUrl), chainId };
}

/** How far a wallet's clock may be ahead of ours. */
const ISSUED_AHEAD_MS = 60_000;

const withoutTrailingSlash = (uri: string) => (uri.endsWith("/") ? uri.slice(0, -1) : uri);

/** SEC-1: the problem of a well-formed sign-in message, or undefined if there is none. */
export function checkSignIn(
  fields: SiweFields,
  target: SignInTarget & { readonly now_ms: number },
): string | undefined {
  const { domain, uri, chainId, now_ms } = target;
  const scheme = uri.slice(0, uri.indexOf(":"));
  if (fields.scheme !== undefined && fields.scheme !== scheme) return `scheme does not match ${scheme}`;
  if (fields.domain !== domain) return `domain does not match ${domain}`;
  if (withoutTrailingSlash(fields.uri) !== withoutTrailingSlash(uri)) return `URI does not match ${uri}`;
  if (fields.chainId !== chainId) return `chain id does not match ${chainId}`;
  if (fields.issuedAt_ms > now_ms + ISSUED_AHEAD_MS) return "issued-at is in the future";
  if (fields.expirationTime_ms !== undefined && fields.expirationTime_ms <= now_ms) return "the message has expired";
  if (fields.notBefore_ms !== undefined && fields.notBefore_ms > now_ms) return "the message is not valid yet";
  return undefined;
}
