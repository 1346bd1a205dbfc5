import type { App } from "../../kernel/http/app.ts";
import { asFapiError } from "../fapi/refusals.ts";
import { type CapitalRoutesOptions, registerCapitalRoutes } from "./capital-routes.ts";
import { registerStartRoutes, type StartRoutesOptions } from "./start-routes.ts";

/**
 * The interfaces beside /fapi, as far as clients of futures exchanges call them: with what is true here, in the shape that those
 * clients read. Authentication, weights and refusals are those of /fapi.
 */
export function registerRelatedRoutes(app: App, options: StartRoutesOptions & CapitalRoutesOptions): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error) => {
      throw asFapiError(error);
    });
    registerStartRoutes(scope, options);
    registerCapitalRoutes(scope, options);
  });
}
