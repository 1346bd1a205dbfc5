import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** Query and path values arrive as text: numbers and booleans by the schema are converted strictly. */
function convertText(schema: ObjectSchema, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const converted: Record<string, unknown> = { ...value };
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const text = converted[name];
    if (typeof text !== "string") continue;
    if (type === "integer" && /^-?\d{1,15}$/.test(text)) converted[name] = Number(text);
    else if (type === "boolean" && (text === "true" || text === "false")) converted[name] = text === "true";
  }
  return converted;
}

type SchemaError = ReturnType<ReturnType<typeof Compile>["Errors"]>[number];

/** The first problem. If one of several words is expected, all of them are named. */
function problemOf(errors: readonly SchemaError[]): { instancePath: string; message: string } {
  const [first] = errors;
  const { instancePath = "", message = "is not valid" } = first ?? {};
  const allowed = errors.flatMap((error) =>
    error.keyword === "const" && error.instancePath === instancePath ? [String(error.params.allowedValue)] : [],
  );
  if (allowed.length === 0 || first?.keyword !== "const") return { instancePath, message };
  return { instancePath, message: `must be ${allowed.join(" or ")}` };
}

/** Validates JSON bodies without coercion, and query and path values after a strict conversion. */
export function compileValidator({ schema, httpPart }: { schema: unknown; httpPart?: string | undefined }) {
  const checker = Compile(schema as TSchema);
  return (input: unknown) => {
    const value = httpPart === "body" ? input : convertText(schema as ObjectSchema, input);
    if (checker.Check(value)) return { value };
    return { error: [problemOf(checker.Errors(value))] };
  };
}

/** On /fapi the schemas only document; the parameter reader validates. */
export const acceptEverything = () => (value: unknown) => ({ value });
