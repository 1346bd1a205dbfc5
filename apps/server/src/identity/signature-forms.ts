/**
 * T8: other texts that a client may have signed if the sent text does not match. Some clients sign raw text and send it encoded,
 * some sign encoded text and send it raw. Every form keeps the pairs of the sent text: the same names in the same order, and no
 * part of a value becomes a pair or the reverse.
 */

type ValueForm = (value: string) => string | undefined;

/** Applies a form to the value of every pair; undefined if a value does not allow it. */
function mapValues(text: string, form: ValueForm): string | undefined {
  const pairs: string[] = [];
  for (const pair of text.split("&")) {
    const valueStart = pair.indexOf("=") + 1;
    const value = valueStart === 0 ? "" : form(pair.slice(valueStart));
    if (value === undefined) return undefined;
    pairs.push(valueStart === 0 ? pair : pair.slice(0, valueStart) + value);
  }
  return pairs.join("&");
}

/** The value before a client encoded it for sending. */
function decodePercent(value: string): string | undefined {
  if (!value.includes("%")) return value;
  try {
    const decoded = decodeURIComponent(value);
    // A signature over "a=1&b=2" must not be valid for "a=1%26b%3D2", which has no b.
    return decoded.includes("&") ? undefined : decoded;
  } catch {
    // Not the encoding of any text.
    return undefined;
  }
}

/** The same for clients that encode like web forms, where a plus means a space. */
const decodeForm: ValueForm = (value) => decodePercent(value.replaceAll("+", " "));

/**
 * The value as encoded by a client that encodes for signing only. A value with a percent sign is already encoded. A plus stays,
 * because it is read as a space; a client that signed it as %2B meant another value.
 */
function encodePercent(value: string): string {
  if (value.includes("%") || !value.isWellFormed()) return value;
  return encodeURIComponent(value).replaceAll("%2B", "+");
}

const encodeForm: ValueForm = (value) => encodePercent(value).replaceAll("%20", "+");

const FORMS: readonly ValueForm[] = [decodePercent, decodeForm, encodePercent, encodeForm];

/** The other texts that may have been signed for this query and body, without duplicates. */
export function* otherSignedForms(query: string, body: string): Generator<string> {
  const tried = new Set([query + body]);
  for (const form of FORMS) {
    const formedQuery = mapValues(query, form);
    const formedBody = mapValues(body, form);
    if (formedQuery === undefined || formedBody === undefined) continue;
    const text = formedQuery + formedBody;
    if (tried.has(text)) continue;
    tried.add(text);
    yield text;
  }
}
