import { signedParameters } from "@bourse/api";
import type { Route } from "../../apps/server/src/kernel/http/routes.ts";
import { type Schema, TypeWriter } from "./type-text.ts";

const HEADER = `// Written by \`npm run docs\` from the routes of the server: change those.
`;

type Fields = Readonly<Record<string, Schema>>;

/** The input of a method besides the parameters of the path, and how it is sent. */
interface Input {
  /** What the caller passes as one argument: a query, a form or a JSON body. */
  readonly schema: Schema | undefined;
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Fields with only one possible value: the client fills them in. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The parameters of /fapi are a query or a form; with a token no signature is needed. */
function fapiInput({ properties = {}, required = [] }: Schema): Input {
  const fields = without(properties, Object.keys(signedParameters));
  const literals = Object.entries(fields).filter(
    ([name, { const: value }]) => value !== undefined && required.includes(name),
  );
  const fixed = Object.fromEntries(literals.map(([name, { const: value }]) => [name, value]));
  return { schema: undefined, fields: without(fields, Object.keys(fixed)), required, fixed };
}

function inputOf({ method, access, schema }: Route): Input {
  if (access.area === "fapi") return fapiInput((schema.querystring ?? {}) as Schema);
  const whole = (method === "GET" ? schema.querystring : schema.body) as Schema | undefined;
  return { schema: whole, fields: whole?.properties ?? {}, required: whole?.required ?? [], fixed: {} };
}

/** `area.method(name, other?, …)`. */
function readSignature(signature: string) {
  const [, area = "", method = "", list = ""] = /^(\w+)\.(\w+)(?:\(([\w?, ]*)\))?$/.exec(signature) ?? [];
  if (area === "") throw new Error(`${signature} is no area.method(name, …)`);
  return { area, method, taken: list.split(", ").filter((name) => name !== "") };
}

/** Writes the methods of the typed client. */
class ClientWriter {
  readonly #types = new TypeWriter();
  readonly #areas = new Map<string, string[]>();

  add(route: Route, signature: string): void {
    const { area, method, taken } = readSignature(signature);
    const methods = this.#areas.get(area) ?? [];
    this.#areas.set(area, methods);
    const { summary } = route.schema as { summary?: string };
    methods.push(`  /** ${summary}. */\n  ${method}: ${this.#method(route, taken)},\n`);
  }

  text(): string {
    const named = [...this.#types.named].sort();
    const areas = [...this.#areas].map(
      ([area, methods]) => `const ${area} = (call: Call) => ({\n${methods.join("")}});\n`,
    );
    return [
      HEADER,
      `import { type Call, type Given, type ReadOptions, segment, withQuery } from "./call.ts";\n`,
      `import type {\n${named.map((name) => `  ${name},\n`).join("")}} from "../schemas.ts";\n\n`,
      areas.join("\n"),
      "\n/** Every area of the interface, as the routes say it. */\n",
      "export const createAreas = (call: Call) => ({\n",
      ...[...this.#areas.keys()].map((area) => `  ${area}: ${area}(call),\n`),
      "});\n",
    ].join("");
  }

  /** The arguments of a method: parameters of the path, named fields, all other fields as one object, options. */
  #method(route: Route, taken: readonly string[]): string {
    const { method, path, schema, access } = route;
    const input = inputOf(route);
    const names = taken.map((name) => name.replace("?", ""));
    const reply = this.#reply(schema.response, names.length > 0);
    const takes = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string | number`);
    for (const name of taken) takes.push(`${name}: ${this.#fieldType(input, name.replace("?", ""))}`);
    const fixed = Object.entries(input.fixed).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const parts = [...fixed, ...names];
    const rest = reply.isOneOfAll ? {} : without(input.fields, names);
    const restName = method === "GET" ? "query" : "request";
    const isAllRest = parts.length === 0;
    if (Object.keys(rest).length > 0) {
      takes.push(`${restName}: ${this.#rest(input, names, rest)}`);
      parts.push(`...${restName}`);
    }
    const sent = parts.length === 0 ? undefined : isAllRest ? restName : `{ ${parts.join(", ")} }`;
    const url = path.includes(":")
      ? `\`${path.replace(/:(\w+)/g, (_, name) => `\${segment(${name})}`)}\``
      : JSON.stringify(path);
    let call = `${reply.isCsv ? "csv" : `get<${reply.text}>`}(${url}, ${sent ?? "{}"}`;
    if (method !== "GET") {
      const query = access.area === "fapi" ? undefined : (schema.querystring as Schema | undefined);
      if (query !== undefined) takes.push(`query: Given<${this.#types.text(query)}> = {}`);
      const target = query === undefined ? url : `withQuery(${url}, query)`;
      const isForm = access.area === "fapi";
      const body = sent ?? (isForm ? "{}" : "undefined");
      call = `${isForm ? "sendForm" : "send"}<${reply.text}>("${method}", ${target}, ${body}`;
    }
    return `(${[...takes, "options?: ReadOptions"].join(", ")}) =>\n    call.${call}, options)`;
  }

  /** If a route returns one item or a list of all, a method that names the item returns only it. */
  #reply(response: unknown, isNamed: boolean) {
    const schema = (response as Readonly<Record<number, Schema & { content?: object }>>)[200] ?? {};
    if (schema.content !== undefined) return { text: "string", isCsv: true, isOneOfAll: false };
    const [one, all] = schema.anyOf ?? [];
    const isOneOfAll = one !== undefined && all?.items === one;
    return { text: this.#types.text(!isOneOfAll ? schema : isNamed ? one : all), isCsv: false, isOneOfAll };
  }

  #fieldType({ fields }: Input, name: string): string {
    const schema = fields[name];
    if (schema === undefined) throw new Error(`there is no ${name} among ${Object.keys(fields).join(", ")}`);
    return this.#types.text(schema);
  }

  #rest({ schema, required }: Input, names: readonly string[], rest: Fields): string {
    const name = schema === undefined ? undefined : this.#types.nameOf(schema);
    const omitted = names.map((one) => JSON.stringify(one)).join(" | ");
    const whole =
      name === undefined ? this.#types.fields(rest, required) : omitted === "" ? name : `Omit<${name}, ${omitted}>`;
    const mayBeLeftOut = !Object.keys(rest).some((field) => required.includes(field));
    return `Given<${whole}>${mayBeLeftOut ? " = {}" : ""}`;
  }
}

/** The methods of the typed client, from the routes that name their methods. */
export function clientText(routes: readonly Route[]): string {
  const writer = new ClientWriter();
  for (const route of routes) {
    // Aliases are not documented; only older clients use them.
    if (route.schema.hide === true) continue;
    for (const signature of route.client) writer.add(route, signature);
  }
  return writer.text();
}
