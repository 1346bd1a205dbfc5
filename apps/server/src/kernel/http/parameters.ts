import { fapiRefusal, invalidParameter, mandatoryParameter } from "./error-replies.ts";

function decode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw fapiRefusal("ILLEGAL_CHARACTERS");
  }
}

const MOST_PARAMETERS = 100;

/** The pairs of one source, by name. */
function readPairs(source: string): Map<string, string> {
  const values = new Map<string, string>();
  if (source === "") return values;
  for (const pair of source.split("&")) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    if (values.has(name)) {
      throw fapiRefusal("TOO_MANY_PARAMETERS", { msg: `Duplicate values for parameter '${name}' detected.` });
    }
    if (values.size >= MOST_PARAMETERS) throw fapiRefusal("TOO_MANY_PARAMETERS");
    values.set(name, decode(split === -1 ? "" : pair.slice(split + 1)));
  }
  return values;
}

/**
 * The one reader of /fapi parameters. Values come from the query and a form body; the query wins when a name is in
 * both (T8). An empty value is an absent one, and unknown names are ignored.
 */
export class FapiParameters {
  readonly #query: Map<string, string>;
  readonly #body: Map<string, string>;

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

  /** `true` or `false` in any case; clients send them as text. */
  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value !== "true" && value !== "false") throw invalidParameter(name);
    return value === "true";
  }

  requiredFlag(name: string): boolean {
    const value = this.flag(name);
    if (value === undefined) throw mandatoryParameter(name);
    return value;
  }
}
