import type { Access, Area, Principal } from "./access.ts";
import type { App } from "./app.ts";
import type { Budget } from "./limits.ts";
import type { FapiParameters } from "./parameters.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The time of arrival and the route's pattern, for metrics. */
    arrived_ms: number;
    route: string;
    /** Who may call the route; undefined if no route matches. */
    access: Access | undefined;
    /** The client's IP as limits and lists see it. */
    address: string;
    area: Area;
    /** The body's bytes as sent, and their declared content type. */
    rawBody: Buffer;
    contentType: string | undefined;
    /** The authenticated caller; undefined on routes open to anyone. */
    principal: Principal | undefined;
    /** The parameters of an exchange-style request. */
    fapi: FapiParameters;
    /** The key and the budget to which a /fapi request was counted; undefined before that. */
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

/** /fapi, and the paths of similar exchanges, which bots also call; bots expect a numeric code in a refusal. */
const BOT_PATHS = /^\/(fapi|dapi|eapi|papi|sapi|api\/v3|futures)(?=[/?]|$)/;

/** Everything below these paths is answered in the format of /fapi, even if no route matches. */
export function areaOf(access: Access | undefined, url: string): Area {
  return BOT_PATHS.test(url) ? "fapi" : (access?.area ?? "json");
}

/** The query as sent, without its question mark. */
export function rawQueryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const query = url.slice(start + 1);
  // Node decodes bytes beyond ASCII one by one; a client that sent UTF-8 has signed UTF-8.
  return /[\x80-\xff]/.test(query) ? Buffer.from(query, "latin1").toString("utf8") : query;
}
