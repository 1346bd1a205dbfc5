import type { ApiKeyRequest, Permission } from "@bourse/api/client";

export const PERMISSIONS: readonly { readonly value: Permission; readonly label: string; readonly more: string }[] = [
  { value: "READ", label: "Read", more: "balances, orders, fills, income" },
  { value: "TRADE", label: "Trade", more: "place, change and cancel orders" },
  { value: "WITHDRAW", label: "Withdraw", more: "to your wallet and the address list only" },
];

const DAY_MS = 86_400_000;

export const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Until revoked" },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]["value"];

export interface KeyForm {
  readonly label: string;
  readonly permissions: ReadonlySet<Permission>;
  /** IPs and networks, separated by commas, spaces or lines. */
  readonly places: string;
  readonly lifetime: Lifetime;
  /** An Ed25519 public key; empty for a key with a secret. */
  readonly publicKey: string;
}

export const EMPTY_FORM: KeyForm = {
  label: "",
  permissions: new Set(["READ"]),
  places: "",
  lifetime: "90",
  publicKey: "",
};

export const placesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== "");

/** Digits and dots, or hex groups with colons, perhaps with a length. The exchange looks closer. */
const PLACE = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:\/\d{1,3})?$/;

export interface KeyProblems {
  readonly label?: string;
  readonly permissions?: string;
  readonly places?: string;
  readonly publicKey?: string;
}

/** PEM or base64. The exchange looks closer. */
const PUBLIC_KEY = /^(?:-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----|[A-Za-z0-9+/]{40,}=*)$/;

const MAX_LETTERS = 64;
const MAX_PLACES = 20;

export function problemsOf({ label, permissions, places, publicKey }: KeyForm): KeyProblems {
  const listed = placesOf(places);
  const strange = listed.find((place) => !PLACE.test(place));
  const placesProblem =
    strange !== undefined
      ? `"${strange}" is no IP or network. Examples: 203.0.113.7, 2001:db8::/48.`
      : listed.length > MAX_PLACES
        ? `At most ${MAX_PLACES} IPs or networks.`
        : undefined;
  return {
    ...(label.trim() === "" || [...label].length > MAX_LETTERS ? { label: `1 to ${MAX_LETTERS} characters.` } : {}),
    ...(permissions.size === 0 ? { permissions: "Choose what the key may do." } : {}),
    ...(placesProblem === undefined ? {} : { places: placesProblem }),
    ...(publicKey.trim() === "" || PUBLIC_KEY.test(publicKey.trim())
      ? {}
      : { publicKey: "This is no public key. Paste the PEM file or its base64 text." }),
  };
}

/** As the interface takes it; `now_ms` by the platform's clock. */
export function requestOf(form: KeyForm, now_ms: number): ApiKeyRequest {
  const { label, permissions, places, lifetime } = form;
  const public_key = form.publicKey.trim();
  const ip_whitelist = placesOf(places);
  return {
    label: label.trim(),
    permissions: PERMISSIONS.map(({ value }) => value).filter((permission) => permissions.has(permission)),
    ...(ip_whitelist.length === 0 ? {} : { ip_whitelist }),
    ...(lifetime === "never" ? {} : { expires_at: new Date(now_ms + Number(lifetime) * DAY_MS).toISOString() }),
    ...(public_key === "" ? {} : { public_key }),
  };
}
