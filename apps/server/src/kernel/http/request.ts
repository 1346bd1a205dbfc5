import type { Access, Area, Principal } from "./access.ts";
import type { App } from "./app.ts";
import type { Budget } from "./limits.ts";
import type { FapiParameters } from "./parameters.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** When the request arrived, and the route's pattern: for metrics. */
    arrived_ms: number;
    route: string;
    /** The route's row of the policy table; undefined where no route matches. */
    access: Access | undefined;
    /** The client's address, the way limits and lists see it. */
    address: string;
    area: Area;
    /** The body's bytes as they were sent, and what the sender says they are. */
    rawBody: Buffer;
    contentType: string | undefined;
    /** Who is calling; undefined on routes open to anyone. */
    principal: Principal | undefined;
    /** The parameters of an exchange-style request. */
    fapi: FapiParameters;
    /** Whose weight an exchange-style request was counted as, and how; undefined before that. */
    weighed: { readonly key: string; readonly budget: Budget } | undefined;
  }
}

/** Gives every request the fields above from the start, so that all requests have one shape. */
export function decorateRequests(app: App): void {
  app.decorateRequest("arrived_ms", 0);
  app.decorateRequest("route", "unmatched");
  app.decorateRequest("access", undefined);
  app.decorateRequest("address", "");
  app.decorateRequest("area", "json");
  app.decorateRequest("rawBody");
  app.decorateRequest("contentType", undefined);
  app.decorateRequest("principal", undefined);
  app.decorateRequest("fapi");
  app.decorateRequest("weighed", undefined);
}

/** Bots ask for what other interfaces of their kind offer as well, and read the code of a refusal as a number. */
const BOT_PATHS = /^\/(fapi|dapi|papi|sapi|futures\/data)(?=[/?]|$)/;

/** Whatever is asked of /fapi is answered in its words, also where no route of its own matches. */
export function areaOf(access: Access | undefined, url: string): Area {
  return BOT_PATHS.test(url) ? "fapi" : (access?.area ?? "json");
}

/** The query as sent, without its question mark. */
export function rawQueryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const query = url.slice(start + 1);
  // Node hands over bytes beyond ASCII one by one; a client that sent UTF-8 has signed it as UTF-8.
  return /[\x80-\xff]/.test(query) ? Buffer.from(query, "latin1").toString("utf8") : query;
}
