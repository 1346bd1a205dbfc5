import { parse as parseSafely } from "secure-json-parse";
import { FapiError } from "../../../kernel/errors.ts";
import { fapiRefusal, invalidParameter, mandatoryParameter } from "../../../kernel/http/error-replies.ts";

export type RequestId = number | string | null;

/** A request as it came. With a refusal it was not one; what could be read of it serves the reply. */
export interface SocketRequest {
  readonly id: RequestId;
  /** Undefined if it names none. */
  readonly method: string | undefined;
  /** All values as text, numbers as the client wrote them. */
  readonly params: ReadonlyMap<string, string>;
  readonly refusal: FapiError | undefined;
}

const MAX_ID_CHARS = 36;
const MAX_METHOD_CHARS = 64;
const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/** A number as written: clients sign its text, and digits beyond a float's precision are not lost. */
class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const keepNumerals = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" ? new Numeral(context?.source ?? String(value)) : value;

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = parseSafely(text, keepNumerals, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    // A range error is nesting so deep that the parser's stack does not suffice.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
  return isObject ? (value as JsonObject) : undefined;
}

/** Undefined if it is none: an integer, a text of up to 36 characters, or null. */
function readId(id: unknown): RequestId | undefined {
  if (id === null) return null;
  if (typeof id === "string") return id.length <= MAX_ID_CHARS ? id : undefined;
  const number = id instanceof Numeral && /^-?\d{1,16}$/.test(id.text) ? Number(id.text) + 0 : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return value instanceof Numeral ? value.text : undefined;
}

function readParams(params: unknown): Map<string, string> {
  const read = new Map<string, string>();
  if (params === undefined || params === null) return read;
  if (typeof params !== "object" || Array.isArray(params) || params instanceof Numeral)
    throw invalidParameter("params");
  for (const [name, value] of Object.entries(params)) {
    // Clients write null for what they do not send.
    if (value === null) continue;
    const text = textOf(value);
    if (!(name + (text ?? "")).isWellFormed()) throw fapiRefusal("ILLEGAL_CHARACTERS");
    if (text === undefined) throw invalidParameter(name.slice(0, MAX_METHOD_CHARS));
    read.set(name, text);
  }
  return read;
}

function refused(id: RequestId, method: string | undefined, refusal: FapiError): SocketRequest {
  return { id, method, params: NO_PARAMS, refusal };
}

/** WSA-1: reads `{id, method, params}`. */
export function readSocketRequest(text: string): SocketRequest {
  const message = parseObject(text);
  if (message === undefined) return refused(null, undefined, fapiRefusal("INVALID_JSON"));
  const id = readId(message["id"]);
  const { method } = message;
  const isMethod = typeof method === "string" && method !== "" && method.length <= MAX_METHOD_CHARS;
  const named = isMethod ? method : undefined;
  if (id === undefined)
    return refused(null, named, message["id"] === undefined ? mandatoryParameter("id") : invalidParameter("id"));
  if (!isMethod) return refused(id, undefined, mandatoryParameter("method"));
  try {
    return { id, method, params: readParams(message["params"]), refusal: undefined };
  } catch (error) {
    if (error instanceof FapiError) return refused(id, method, error);
    throw error;
  }
}

const SIGNATURE = "signature";

/**
 * The parameters as the query of an equal HTTP request: sorted by name, because that is the order in which they are signed, and
 * the signature last. Readers and the check of signatures then are those of HTTP.
 */
export function queryOf(params: ReadonlyMap<string, string>): string {
  const names = [...params.keys()].filter((name) => name !== SIGNATURE).sort();
  if (params.has(SIGNATURE)) names.push(SIGNATURE);
  return names.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(params.get(name) ?? "")}`).join("&");
}
