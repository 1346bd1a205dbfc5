import { fapiRefusal, invalidParameter, mandatoryParameter } from "./error-replies.ts";

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw fapiRefusal("ILLEGAL_CHARACTERS");
  }
}

const MOST_PARAMETERS = 100;

/** Adds the pairs of one source; names that are already there (from a source that wins) are kept. */
function addPairs(into: Map<string, string>, source: string): void {
  if (source === "") return;
  const seen = new Set<string>();
  for (const pair of source.split("&")) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    if (seen.has(name)) {
      throw fapiRefusal("TOO_MANY_PARAMETERS", { msg: `Duplicate values for parameter '${name}' detected.` });
    }
    if (seen.size >= MOST_PARAMETERS) throw fapiRefusal("TOO_MANY_PARAMETERS");
    seen.add(name);
    if (!into.has(name)) into.set(name, decode(split === -1 ? "" : pair.slice(split + 1)));
  }
}

/**
 * The one reader of /fapi parameters. Values come from the query and a form body; the query wins when a name is in
 * both (T8). An empty value is an absent one, and unknown names are ignored.
 */
export class FapiParameters {
  readonly #values = new Map<string, string>();

  constructor(rawQuery: string, rawBody: string) {
    addPairs(this.#values, rawQuery);
    addPairs(this.#values, rawBody);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
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
