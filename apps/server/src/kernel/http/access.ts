import type { Permission, Role } from "@bourse/api";
import type { FapiParameters } from "./parameters.ts";

/**
 * The family of a route. `json` and `fapi` differ in their error bodies and limits; `open` (health, documentation, static files)
 * and `dev` are not rate limited.
 */
export type Area = "json" | "fapi" | "open" | "dev";

/** Who may call a route, and what a call weighs. */
export interface Access {
  readonly area: Area;
  /** `anyone`, or the roles whose bearer token is accepted. */
  readonly allow: "anyone" | readonly Role[];
  /** The permission that an API key needs for a signed request; `KEY_ONLY` needs no signature. */
  readonly apiKey?: Permission | "KEY_ONLY";
  /** The bonus administration's key is accepted too. */
  readonly bonusKey?: true;
  /** Request weight on /fapi. */
  readonly weight?: number;
  /** SEC-10: the requests that may use the reserve of a budget: all, or those for whose parameters this returns true. */
  readonly reserve?: "all" | ((parameters: FapiParameters) => boolean);
  /** The route reads the body's bytes itself, because they are not a single JSON object. */
  readonly readsBody?: "itself";
}

/** Health, documentation, static files. */
export const open: Access = { area: "open", allow: "anyone" };
/** Routes that exist on a development server only. */
export const development: Access = { area: "dev", allow: "anyone" };
export const anyone: Access = { area: "json", allow: "anyone" };
export const wallet: Access = { area: "json", allow: ["wallet"] };
export const bd: Access = { area: "json", allow: ["bd"] };
export const admin: Access = { area: "json", allow: ["admin"] };
export const walletOrBd: Access = { area: "json", allow: ["wallet", "bd"] };
export const walletOrAdmin: Access = { area: "json", allow: ["wallet", "admin"] };
export const signedIn: Access = { area: "json", allow: ["wallet", "bd", "admin"] };
export const bonusAdmin: Access = { area: "json", allow: ["admin"], bonusKey: true };

const ROLES: Readonly<Record<Role, string>> = { wallet: "wallets", bd: "BDs", admin: "admins" };

/** In words, for pages and descriptions. */
export function describeAccess({ allow, apiKey, bonusKey }: Access): string {
  if (allow === "anyone") return "anyone";
  const ways = [allow.map((role) => ROLES[role]).join(", ")];
  if (apiKey === "KEY_ONLY") ways.push("an API key without a signature");
  else if (apiKey !== undefined) ways.push(`an API key with ${apiKey}`);
  if (bonusKey) ways.push("the key of the bonus administration");
  return ways.join(" or ");
}

/** The authenticated caller. */
export type Principal =
  | { readonly kind: "wallet"; readonly address: string; readonly sessionId: string; readonly apiKey?: undefined }
  | { readonly kind: "wallet"; readonly address: string; readonly apiKey: string; readonly sessionId?: undefined }
  | { readonly kind: "staff"; readonly role: "admin" | "bd"; readonly id: string; readonly sessionId: string }
  | { readonly kind: "bonus-admin" };
