import type { Access } from "../../../apps/server/src/kernel/http/access.ts";

/** The parts of JSON schema that the description uses. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

export interface Parameter {
  readonly in: "query" | "path";
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A route of the description, with its access. */
export interface Operation {
  /** Method and path as described. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Another path of the same route, which the description leaves out. */
  readonly alias: string | undefined;
  readonly isFapi: boolean;
  readonly access: Access;
  readonly query: readonly Parameter[];
  readonly inPath: readonly Parameter[];
  readonly body: Schema | undefined;
}

/** The signer fills in these parameters of a signed request. */
const SIGNING: ReadonlySet<string> = new Set(["timestamp", "recvWindow", "signature"]);

const VERSION = /^\/api\/v1/;

type Policy = Readonly<Record<string, Access>>;

function aliasOf(policy: Policy, method: Method, path: string, pattern: string): string | undefined {
  const isAlias = VERSION.test(path) && `${method} ${pattern.replace(VERSION, "")}` in policy;
  return isAlias ? path.replace(VERSION, "") : undefined;
}

export function operationsOf(description: OpenApi, policy: Policy): Operation[] {
  return Object.entries(description.paths).flatMap(([path, described]) =>
    Object.entries(described).map(([lower, { parameters = [], requestBody }]) => {
      const method = lower.toUpperCase() as Method;
      const pattern = path.replace(/\{(\w+)\}/g, ":$1");
      const access = policy[`${method} ${pattern}`];
      if (access === undefined) throw new Error(`${method} ${path} is described and is not registered`);
      return {
        name: `${method} ${path}`,
        method,
        path,
        alias: aliasOf(policy, method, path, pattern),
        isFapi: access.area === "fapi",
        access,
        query: parameters.filter(({ in: place, name }) => place === "query" && !SIGNING.has(name)),
        inPath: parameters.filter(({ in: place }) => place === "path"),
        body: requestBody?.content["application/json"]?.schema,
      };
    }),
  );
}
