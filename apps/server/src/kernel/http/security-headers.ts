import type { IncomingMessage, ServerResponse } from "node:http";
import helmet, { type HelmetOptions } from "helmet";
import type { Settings } from "../../settings/settings.ts";

type Headers = Readonly<Record<string, string>>;
type Place = Pick<Settings, "environment" | "publicUrl" | "chainRpcUrl">;

const strictPolicy = {
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/** What the web app talks to: this server, by HTTP and by WebSocket, and the chain. */
function connectionsOf({ publicUrl, chainRpcUrl }: Place): string[] {
  // Not every browser counts a WebSocket of the page's own host as 'self'. The chain has an address of its own even when
  // this server embeds it: who came by another name of the host finds it at the public one.
  const chain = new URL(chainRpcUrl ?? publicUrl).origin;
  return [...new Set(["'self'", publicUrl.replace(/^http/, "ws"), chain])];
}

/** The web app: its own files and nothing else, no script but from a file, and nothing made from text. */
const appPolicy = (place: Place) => ({
  "default-src": ["'self'"],
  "script-src": ["'self'"],
  // The libraries for dialogs, panels and charts place what they draw by style attributes and style elements.
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'"],
  "connect-src": connectionsOf(place),
  "frame-ancestors": ["'none'"],
  "base-uri": ["'self'"],
  "object-src": ["'none'"],
  "form-action": ["'self'"],
});

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
export function securityHeaders(place: Place): Readonly<Record<"json" | "fapi" | "app" | "docs", Headers>> {
  // A browser told to insist on TLS would never again reach a server that speaks plain HTTP.
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
    /** Bots read JSON at a high rate: only what matters for it. */
    fapi: Object.fromEntries(Object.entries(json).filter(([name]) => lean.includes(name))),
    app: withPolicy(appPolicy(place)),
    docs: withPolicy(docsPolicy),
  };
}
