import type { FastifyReply, FastifyRequest } from "fastify";

const EXPOSED_HEADERS = "x-request-id, retry-after, x-mbx-used-weight-1m, x-mbx-order-count-10s, x-mbx-order-count-1m";
const ALLOWED_METHODS = "GET, POST, PUT, DELETE";
const ALLOWED_HEADERS = "authorization, content-type, idempotency-key, x-bonus-admin-key, x-mbx-apikey";
const PREFLIGHT_LIFE_S = "600";

/**
 * Lets pages of listed origins read replies. Requests without an Origin header, such as those of bots, are unaffected. Credentials
 * are never allowed: this server sets no cookies.
 */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);

  /** Sets the headers; returns true if the request was a preflight and has been answered. */
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin } = request.headers;
    if (origin === undefined) return false;
    reply.header("vary", "Origin");
    const isAllowed = allowed.has(origin);
    if (isAllowed) {
      reply.header("access-control-allow-origin", origin);
      reply.header("access-control-expose-headers", EXPOSED_HEADERS);
    }
    const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) return false;
    if (isAllowed) {
      reply.header("access-control-allow-methods", ALLOWED_METHODS);
      reply.header("access-control-allow-headers", ALLOWED_HEADERS);
      reply.header("access-control-max-age", PREFLIGHT_LIFE_S);
    }
    reply.code(204).send();
    return true;
  };
}
