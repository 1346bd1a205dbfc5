import type { FastifySchema } from "fastify";
import type { Access } from "./access.ts";
import type { App } from "./app.ts";
import { acceptEverything } from "./validation.ts";

declare module "fastify" {
  /** What a route says of itself where it is registered, beside its schemas. */
  interface FastifyContextConfig {
    /** Who may call it. A route without this cannot be registered. */
    access?: Access;
    /**
     * Its methods in the typed client, as `area.method` or `area.method(name, other?, …)`: the named fields of its query
     * or body become arguments of their own, after the parameters of the path.
     */
    client?: string | readonly string[];
  }
  interface FastifyInstance {
    /** Every route that is registered. */
    readonly routes: Route[];
    /** The access of the routes in this scope that other packages register; their own configuration is not ours. */
    readonly accessOfScope: Access | undefined;
  }
}

/** A route as it was registered. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly client: readonly string[];
  readonly schema: FastifySchema;
}

/** SEC-6: a route that does not say who may call it cannot be registered. All others are listed in `app.routes`. */
export function requireAccess(app: App): void {
  const routes: Route[] = [];
  app.decorate("routes", routes);
  app.decorate("accessOfScope", undefined);
  app.addHook("onRoute", function (route) {
    const access = route.config?.access ?? this.accessOfScope;
    if (access === undefined) throw new Error(`the route ${route.method} ${route.url} does not say who may call it`);
    const client = [route.config?.client ?? []].flat();
    for (const method of [route.method].flat()) {
      routes.push({ method, path: route.url, access, client, schema: route.schema ?? {} });
    }
    route.config = { ...route.config, access };
    if (access.area === "fapi") route.validatorCompiler = acceptEverything as never;
  });
}

/** Who may call what, by method and path. */
export const policyOf = ({ routes }: Pick<App, "routes">): Readonly<Record<string, Access>> =>
  Object.fromEntries(routes.map(({ method, path, access }) => [`${method} ${path}`, access]));
