import type { Permission, Role } from "@bourse/api";
import type { FapiParameters } from "./parameters.ts";

/**
 * Where a route belongs. `json` and `fapi` differ in their error bodies and limits; `open` (health, documentation,
 * static files) and `dev` are not rate limited.
 */
export type Area = "json" | "fapi" | "open" | "dev";

/** Who may call a route, and what a call weighs. */
export interface Access {
  readonly area: Area;
  /** `anyone`, or the roles whose bearer token opens the route. */
  readonly allow: "anyone" | readonly Role[];
  /** What an API key must be permitted for a signed request to pass; `KEY_ONLY` asks for no signature. */
  readonly apiKey?: Permission | "KEY_ONLY";
  /** The bonus administration's key opens the route as well. */
  readonly bonusKey?: true;
  /** Request weight on /fapi. */
  readonly weight?: number;
  /** SEC-10: which requests may use what is reserved of a budget: all, or those whose parameters say so. */
  readonly reserve?: "all" | ((parameters: FapiParameters) => boolean);
  /** The route reads the body's bytes itself: what it takes is no single JSON object. */
  readonly readsBody?: "itself";
}

/** Who is calling. */
export type Principal =
  | { readonly kind: "wallet"; readonly address: string; readonly sessionId: string; readonly apiKey?: undefined }
  | { readonly kind: "wallet"; readonly address: string; readonly apiKey: string; readonly sessionId?: undefined }
  | { readonly kind: "staff"; readonly role: "admin" | "bd"; readonly id: string; readonly sessionId: string }
  | { readonly kind: "bonus-admin" };

/** Finds the access row of a route: its own, else that of the longest `/*` prefix. */
export function findAccess(policy: Readonly<Record<string, Access>>, method: string, url: string): Access | undefined {
  const own = policy[`${method} ${url}`];
  if (own) return own;
  for (let end = url.length; end > 0; end = url.lastIndexOf("/", end - 1)) {
    const row = policy[`${method} ${url.slice(0, end)}/*`];
    if (row) return row;
  }
  return undefined;
}
