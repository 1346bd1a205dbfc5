import type { IncomingMessage, ServerResponse } from "node:http";
import helmet, { type HelmetOptions } from "helmet";

type Headers = Readonly<Record<string, string>>;

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

/** What helmet would set on every reply. Asked once: it works out the same texts anew for each request. */
function headersBy(options: HelmetOptions): Headers {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error;
  });
  return headers;
}

/** SEC-9: the security headers of each kind of reply. */
export function securityHeaders(isProduction: boolean) {
  const withPolicy = (directives: Record<string, string[]>) =>
    headersBy({
      contentSecurityPolicy: { useDefaults: false, directives },
      strictTransportSecurity: isProduction,
      referrerPolicy: { policy: "no-referrer" },
    });
  const json = { ...withPolicy(strictPolicy), "cache-control": "no-store" };
  const lean = ["x-content-type-options", "strict-transport-security"];
  return {
    json,
    /** Bots read JSON at a high rate: only what matters for it. */
    fapi: Object.fromEntries(Object.entries(json).filter(([name]) => lean.includes(name))),
    app: withPolicy(appPolicy),
    docs: withPolicy(docsPolicy),
  };
}
