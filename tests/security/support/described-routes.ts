/** The routes of the OpenAPI description, with a plausible value for every input. */
import type { Method } from "./people.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly $ref?: string;
}

interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** One route: the location of each input, and what a client might send. */
export interface DescribedRoute {
  readonly name: string;
  readonly method: Method;
  /** With `{name}` for each value. */
  readonly path: string;
  readonly inputs: readonly Input[];
}

export interface Input {
  readonly place: "path" | "query" | "body";
  readonly name: string;
  readonly isRequired: boolean;
  readonly sample: unknown;
}

const UUID = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
/** Values for inputs without an example in the description. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.010",
  price: "58000",
  orderId: 1,
  algoId: 1,
  address: `0x${"0d".repeat(20)}`,
  id: UUID,
  interval: "1m",
  reason: "a reason",
  period: "2026-06-01",
};

function sampleOf(name: string, schema: Schema, components: Description["components"]): unknown {
  if (schema.$ref !== undefined) {
    const target = components.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
    return target === undefined ? "text" : sampleOf(name, target, components);
  }
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (BY_NAME[name] !== undefined) return BY_NAME[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf?.[0] !== undefined) return sampleOf(name, schema.anyOf[0], components);
  switch (schema.type) {
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return schema.items === undefined ? [] : [sampleOf(name, schema.items, components)];
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, sampleOf(key, each, components)]),
      );
    default:
      return "text";
  }
}

function bodyInputs(operation: Operation, components: Description["components"]): Input[] {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const target = schema?.$ref === undefined ? schema : components.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
  return Object.entries(target?.properties ?? {}).map(([name, each]) => ({
    place: "body",
    name,
    isRequired: target?.required?.includes(name) === true,
    sample: sampleOf(name, each, components),
  }));
}

export function describedRoutes({ paths, components }: Description): DescribedRoute[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const named = (operation.parameters ?? []).flatMap((parameter): Input[] => {
        const { in: place, name, required = false, example, schema } = parameter;
        if (place === "header") return [];
        return [{ place, name, isRequired: required, sample: example ?? sampleOf(name, schema, components) }];
      });
      const upper = method.toUpperCase() as Method;
      const name = `${upper} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      return { name, method: upper, path, inputs: [...named, ...bodyInputs(operation, components)] };
    }),
  );
}

/** The request with one input replaced; other optional inputs are left out. */
export function requestWith(route: DescribedRoute, replaced: Input | undefined, value: unknown) {
  const sent = route.inputs.filter((input) => input.isRequired || input === replaced);
  const given = (input: Input) => (input === replaced ? value : input.sample);
  const textOf = (input: Input) => {
    const value_ = given(input);
    return typeof value_ === "string" ? value_ : JSON.stringify(value_);
  };
  const path = sent
    .filter(({ place }) => place === "path")
    .reduce((rest, input) => rest.replace(`{${input.name}}`, encodeAny(textOf(input))), route.path);
  const query = sent
    .filter(({ place }) => place === "query")
    .map((input) => `${encodeURIComponent(input.name)}=${encodeAny(textOf(input))}`);
  const body = sent.filter(({ place }) => place === "body").map((input) => [input.name, given(input)]);
  return {
    method: route.method,
    url: query.length === 0 ? path : `${path}?${query.join("&")}`,
    // Half a surrogate pair is an escape in JSON.
    ...(body.length === 0 ? {} : { payload: JSON.stringify(Object.fromEntries(body)) }),
  };
}

/** Percent-encodes any string; half a surrogate pair is encoded as its three bytes. */
function encodeAny(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}
