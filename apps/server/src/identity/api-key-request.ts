import type { Permission } from "@bourse/api";
import { parseAddressSet } from "../kernel/address-set.ts";
import { parseDateTime } from "../kernel/date-time.ts";
import { badRequest } from "../kernel/errors.ts";
import { UNPRINTABLE } from "../kernel/plain-text.ts";
import { readPublicKey } from "./ed25519-key.ts";

/** A wallet's request for a new key. */
export interface ApiKeyRequest {
  readonly label: string;
  readonly permissions: readonly string[];
  /** Addresses and networks; without entries the key works from any IP. */
  readonly ip_whitelist?: readonly string[] | null | undefined;
  /** RFC 3339 date-time. */
  readonly expires_at?: string | null | undefined;
  /** WSA-2: an Ed25519 public key, with which the key's signatures are checked. */
  readonly public_key?: string | null | undefined;
}

/** The validated request. */
export interface ApiKeyTerms {
  readonly label: string;
  readonly permissions: Permission[];
  readonly ip_whitelist: string[];
  readonly expires_at: Date | null;
  /** SubjectPublicKeyInfo in base64. */
  readonly public_key: string | null;
}

const LABEL_LIMIT_CHARS = 64;
const WHITELIST_LIMIT = 20;
/** A PEM has about 115. */
const PUBLIC_KEY_LIMIT_CHARS = 400;
const PERMISSIONS: readonly Permission[] = ["READ", "TRADE", "WITHDRAW"];

const isPermission = (text: string): text is Permission => PERMISSIONS.some((known) => known === text);

function checkLabel(label: string): string {
  const length = [...label].length;
  if (label.trim() === "" || length > LABEL_LIMIT_CHARS || UNPRINTABLE.test(label)) {
    throw badRequest(`label must have 1 to ${LABEL_LIMIT_CHARS} characters and no control characters`, {
      rule: "label",
      limit: LABEL_LIMIT_CHARS,
      actual: length,
    });
  }
  return label;
}

function checkPermissions(given: readonly string[]): Permission[] {
  const known = given.filter(isPermission);
  if (known.length === 0 || known.length !== given.length || new Set(known).size !== known.length) {
    throw badRequest(`permissions must name one or more of ${PERMISSIONS.join(", ")}, each once`, {
      rule: "permissions",
    });
  }
  return known;
}

function checkWhitelist(entries: readonly string[]): string[] {
  const rule = "ip_whitelist";
  if (entries.length > WHITELIST_LIMIT) {
    const details = { rule, limit: WHITELIST_LIMIT, actual: entries.length };
    throw badRequest(`ip_whitelist may have at most ${WHITELIST_LIMIT} entries`, details);
  }
  const parsed = parseAddressSet(entries);
  if ("badEntry" in parsed) {
    throw badRequest("ip_whitelist must hold IPv4 or IPv6 addresses or networks (CIDR)", {
      rule,
      actual: parsed.badEntry.slice(0, 64),
    });
  }
  return [...entries];
}

function checkExpiry(text: string, now_ms: number): Date {
  const expiresAt_ms = parseDateTime(text);
  if (expiresAt_ms === undefined) throw badRequest("expires_at must be an RFC 3339 date-time", { rule: "expires_at" });
  if (expiresAt_ms <= now_ms) throw badRequest("expires_at must be in the future", { rule: "expires_at" });
  return new Date(expiresAt_ms);
}

function checkPublicKey(text: string): string {
  const publicKey = text.length > PUBLIC_KEY_LIMIT_CHARS ? undefined : readPublicKey(text);
  if (publicKey !== undefined) return publicKey;
  throw badRequest("public_key must be an Ed25519 public key, in PEM or base64", { rule: "public_key" });
}

/** SEC-4: validates a request for a key; throws the refusal of the first wrong field. */
export function checkApiKeyRequest(request: ApiKeyRequest, now_ms: number): ApiKeyTerms {
  const { label, permissions, ip_whitelist, expires_at, public_key } = request;
  return {
    label: checkLabel(label),
    permissions: checkPermissions(permissions),
    ip_whitelist: checkWhitelist(ip_whitelist ?? []),
    expires_at: expires_at === null || expires_at === undefined ? null : checkExpiry(expires_at, now_ms),
    public_key: public_key === null || public_key === undefined ? null : checkPublicKey(public_key),
  };
}
