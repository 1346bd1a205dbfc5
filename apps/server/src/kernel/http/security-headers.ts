import type { IncomingMessage, ServerResponse } from "node:http";
import helmet, { type HelmetOptions } from "helmet";
import type { HttpSettings } from "./http-settings.ts";

type Headers = Readonly<Record<string, string>>;
type Place = Pick<HttpSettings, "environment" | "publicUrl" | "chainRpcUrl">;

const strictPolicy = {
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/** The origins the web app connects to: this server, by HTTP and by WebSocket, and the chain. */
function connectionsOf({ publicUrl, chainRpcUrl }: Place): string[] {
  // Not every browser treats a WebSocket of the page's own host as 'self'. The chain has its own origin even if this server embeds
  // it: a page opened under another host name reaches it at the public one.
  const chain = new URL(chainRpcUrl ?? publicUrl).origin;
  return [...new Set(["'self'", publicUrl.replace(/^http/, "ws"), chain])];
}

/** The web app: only its own files, scripts only from files, no evaluation of text. */
const appPolicy = (place: Place) => ({
  "default-src": ["'self'"],
  "script-src": ["'self'"],
  // The libraries for dialogs, panels and charts use style attributes and style elements.
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'"],
  "connect-src": connectionsOf(place),
  "frame-ancestors": ["'none'"],
  "base-uri": ["'self'"],
  "object-src": ["'none'"],
  "form-action": ["'self'"],
});

/** The API page is one bundle with inline styles; nothing is loaded from other hosts. */
const docsPolicy = {
  ...strictPolicy,
  "script-src": ["'self'", "'unsafe-inline'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
};

/** The headers that helmet would set on every reply. Computed once, because helmet computes the same texts for each request. */
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
export function securityHeaders(place: Place): Readonly<Record<"json" | "fapi" | "app" | "docs", Headers>> {
  // A browser told to insist on TLS could no longer reach a server without it.
  const insistsOnTls = place.environment === "production" && place.publicUrl.startsWith("https:");
  const withPolicy = (directives: Record<string, string[]>) =>
    headersBy({
      contentSecurityPolicy: { useDefaults: false, directives },
      strictTransportSecurity: insistsOnTls,
      referrerPolicy: { policy: "no-referrer" },
      xFrameOptions: { action: "deny" },
    });
  const json = { ...withPolicy(strictPolicy), "cache-control": "no-store" };
  const lean = ["x-content-type-options", "strict-transport-security"];
  return {
    json,
    /** Bots read JSON at a high rate: only the headers that matter for JSON. */
    fapi: Object.fromEntries(Object.entries(json).filter(([name]) => lean.includes(name))),
    app: withPolicy(appPolicy(place)),
    docs: withPolicy(docsPolicy),
  };
}
