import type { FastifyHelmetOptions } from "@fastify/helmet";

const strictPolicy = {
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/** The web app: its own files and nothing else; it talks to this server only. */
const appPolicy = {
  ...strictPolicy,
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
};

/** The API page is one bundle that styles itself in place; still nothing is loaded from outside. */
const docsPolicy = {
  ...strictPolicy,
  "script-src": ["'self'", "'unsafe-inline'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
};

const withPolicy = (directives: Record<string, string[]>, isProduction: boolean): FastifyHelmetOptions => ({
  contentSecurityPolicy: { useDefaults: false, directives },
  strictTransportSecurity: isProduction,
  referrerPolicy: { policy: "no-referrer" },
});

/** SEC-9: security headers of each kind of reply. */
export function securityHeaders(isProduction: boolean) {
  return {
    api: withPolicy(strictPolicy, isProduction),
    app: withPolicy(appPolicy, isProduction),
    docs: withPolicy(docsPolicy, isProduction),
  };
}
