import * as api from "@bourse/api";

/** The parts of a schema that its type needs. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const hasName = (value: unknown) =>
  isObject(value) && "~kind" in value && ["properties", "anyOf", "items"].some((part) => part in value);

/** The exported schemas of the interface; each has a type of the same name. */
const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(api).flatMap(([name, value]) => (hasName(value) ? [[value, name]] : [])),
);

/** Writes schemas as TypeScript, and records which exported types it used. */
export class TypeWriter {
  readonly named = new Set<string>();

  /** The exported name of a schema. */
  nameOf(schema: Schema): string | undefined {
    const name = NAMES.get(schema);
    if (name !== undefined) this.named.add(name);
    return name;
  }

  text(schema: Schema): string {
    const name = this.nameOf(schema);
    if (name !== undefined) return name;
    const { type = "", anyOf, items, properties, patternProperties } = schema;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const options = anyOf?.map((one) => this.text(one)) ?? schema.enum?.map((one) => JSON.stringify(one));
    if (options !== undefined) return [...new Set(options)].join(" | ");
    if (items !== undefined) return this.#list(items);
    const [values] = Object.values(patternProperties ?? {});
    if (values !== undefined) return `Record<string, ${this.text(values)}>`;
    if (properties !== undefined) return this.fields(properties, schema.required ?? []);
    return SIMPLE[type] ?? "unknown";
  }

  fields(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
    const fields = Object.entries(properties).map(
      ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${this.text(schema)}`,
    );
    return fields.length === 0 ? "Record<string, never>" : `{ ${fields.join("; ")} }`;
  }

  #list(items: Schema): string {
    const text = this.text(items);
    return text.includes(" | ") ? `(${text})[]` : `${text}[]`;
  }
}
