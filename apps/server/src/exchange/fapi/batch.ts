import { fapiRefusal, invalidParameter, mandatoryParameter } from "../../kernel/http/error-replies.ts";
import { FapiParameters } from "../../kernel/http/parameters.ts";

/** Keeps the digits as they were sent, because parsing can change them. */
const keepDigits = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined ? context.source : value;

function parseList(parameter: string, text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text, keepDigits);
  } catch {
    throw mandatoryParameter(parameter);
  }
  if (!Array.isArray(value)) throw mandatoryParameter(parameter);
  return value;
}

/** The parameters of one element. Values are text, numbers or booleans; null means that the parameter was not sent. */
function elementOf(element: unknown): FapiParameters {
  if (typeof element !== "object" || element === null || Array.isArray(element)) throw invalidParameter("batchOrders");
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(element)) {
    if (value === null) continue;
    // An object is not a valid value. It becomes malformed text, which is refused only if the parameter is known.
    const text = typeof value === "object" ? "{}" : String(value);
    pairs.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`);
  }
  return new FapiParameters(pairs.join("&"), "");
}

const MAX_IN_BATCH = 5;

/**
 * The elements of a batch. Each is a function, which throws the refusal of an element that cannot be read, so that the
 * refusal takes the element's place in the reply.
 */
export function readBatch(parameters: FapiParameters): (() => FapiParameters)[] {
  const list = parseList("batchOrders", parameters.requiredText("batchOrders"));
  if (list.length === 0 || list.length > MAX_IN_BATCH) {
    throw fapiRefusal("BATCH_SIZE", { details: { rule: "batch_size", limit: MAX_IN_BATCH, actual: list.length } });
  }
  return list.map((element) => () => elementOf(element));
}

const MAX_IN_LIST = 10;

/** A JSON list in a parameter, which some clients name in lower case; undefined if it was not sent. */
export function readList(parameters: FapiParameters, name: string): string[] | undefined {
  const text = parameters.text(name) ?? parameters.text(name.toLowerCase());
  if (text === undefined) return undefined;
  const list = parseList(name, text);
  if (list.length === 0 || list.length > MAX_IN_LIST) {
    throw invalidParameter(name, { rule: "list_size", limit: MAX_IN_LIST, actual: list.length });
  }
  return list.map((element) => {
    if (typeof element !== "string") throw invalidParameter(name);
    return element;
  });
}
