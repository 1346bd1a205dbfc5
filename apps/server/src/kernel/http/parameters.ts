import { fapiRefusal, invalidParameter, mandatoryParameter } from "./error-replies.ts";

function decode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw fapiRefusal("ILLEGAL_CHARACTERS");
  }
}

const MAX_PARAMETERS = 100;

/** At most 40 digits on either side, which bounds the work of later steps. */
const DECIMAL = /^-?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})$/;

function wholeNumber(text: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) + 0 : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The pairs of one source. Requests have few, so searching a list is faster than making a map. */
class Pairs {
  readonly #names: string[] = [];
  readonly #values: string[] = [];

  constructor(source: string) {
    for (let start = 0; start < source.length; ) {
      const next = source.indexOf("&", start);
      const end = next === -1 ? source.length : next;
      if (end > start) this.#add(source.slice(start, end));
      start = end + 1;
    }
  }

  get(name: string): string | undefined {
    const index = this.#names.indexOf(name);
    return index === -1 ? undefined : this.#values[index];
  }

  #add(pair: string): void {
    const split = pair.indexOf("=");
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    if (this.#names.includes(name)) {
      throw fapiRefusal("TOO_MANY_PARAMETERS", { msg: `Duplicate values for parameter '${name}' detected.` });
    }
    if (this.#names.length >= MAX_PARAMETERS) throw fapiRefusal("TOO_MANY_PARAMETERS");
    this.#names.push(name);
    this.#values.push(decode(split === -1 ? "" : pair.slice(split + 1)));
  }
}

const NO_PAIRS = new Pairs("");
const readPairs = (source: string) => (source === "" ? NO_PAIRS : new Pairs(source));

/**
 * The reader of /fapi parameters. Values come from the query and a form body; the query wins if a name is in both (T8). An empty
 * value counts as absent, and unknown names are ignored.
 */
export class FapiParameters {
  readonly #query: Pairs;
  readonly #body: Pairs;

  constructor(rawQuery: string, rawBody: string) {
    this.#query = readPairs(rawQuery);
    this.#body = readPairs(rawBody);
  }

  text(name: string): string | undefined {
    const value = this.#query.get(name) ?? this.#body.get(name);
    return value === "" ? undefined : value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw mandatoryParameter(name);
    return value;
  }

  /** `true` or `false` in any letter case; clients send them as text. */
  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value !== "true" && value !== "false") throw invalidParameter(name);
    return value === "true";
  }

  /** An integer as text; -1130 if it is not one or is too large to be exact. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = wholeNumber(value);
    if (number === undefined) throw invalidParameter(name);
    return number;
  }

  requiredInteger(name: string): number {
    const value = this.text(name);
    const number = value === undefined ? undefined : wholeNumber(value);
    if (number === undefined) throw mandatoryParameter(name);
    return number;
  }

  /** A decimal number, still as text, without exponent; -1130 if it is not one. */
  decimal(name: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !DECIMAL.test(value)) throw invalidParameter(name);
    return value;
  }

  requiredDecimal(name: string): string {
    const value = this.text(name);
    if (value === undefined || !DECIMAL.test(value)) throw mandatoryParameter(name);
    return value;
  }

  requiredFlag(name: string): boolean {
    const value = this.text(name)?.toLowerCase();
    if (value !== "true" && value !== "false") throw mandatoryParameter(name);
    return value === "true";
  }
}
