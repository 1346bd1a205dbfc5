/** A token that is written into JSON verbatim, for numbers that JavaScript cannot represent and for invalid JSON. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON with raw tokens in it. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`;
}

/** The text of a value in a query or a path. */
export function plainText(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}
