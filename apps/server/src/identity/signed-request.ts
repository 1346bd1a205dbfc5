import type { Permission } from "@bourse/api";
import { fapiRefusal, invalidParameter, mandatoryParameter } from "../kernel/http/error-replies.ts";
import { type ActiveApiKey, hasApiKeyShape } from "./api-keys.ts";
import { otherSignedForms } from "./signature-forms.ts";
import type { SigningKey } from "./signing-key.ts";

export interface SignedRequest {
  /** The header X-MBX-APIKEY. */
  readonly apiKey: string | undefined;
  /** The query as sent, without its question mark. */
  readonly rawQuery: string;
  readonly rawBody: string;
  readonly ip: string;
  readonly now_ms: number;
  /**
   * The permission that the key needs. `KEY_ONLY` needs no signature, but a sent one must be right; `ANY` needs a signature of a
   * key that may do anything at all.
   */
  readonly permission: Permission | "KEY_ONLY" | "ANY";
}

const DEFAULT_WINDOW_MS = 5_000;
const MAX_WINDOW_MS = 60_000;
const AHEAD_LIMIT_MS = 1_000;

const SIGNATURE = "signature=";
const TIMESTAMP = "timestamp=";
const WINDOW = "recvWindow=";

/** The parameters that the check reads, and the signed text. */
interface Parts {
  query: string;
  body: string;
  timestamp: string | undefined;
  recvWindow: string | undefined;
  signature: string | undefined;
  signatureCount: number;
}

/**
 * Finds the pairs in a query or body and returns the text without its signature. Written by hand because it runs for every request
 * of every bot: one pass, no decoding, no map. The first value wins, so the query comes first (T8).
 */
function takeParts(text: string, parts: Parts): string {
  let signed = text;
  for (let start = 0; start < text.length; ) {
    const separator = text.indexOf("&", start);
    const end = separator === -1 ? text.length : separator;
    if (text.startsWith(SIGNATURE, start)) {
      parts.signature ??= text.slice(start + SIGNATURE.length, end);
      parts.signatureCount += 1;
      signed = start === 0 ? text.slice(end + 1) : text.slice(0, start - 1) + text.slice(end);
    } else if (text.startsWith(TIMESTAMP, start)) {
      parts.timestamp ??= text.slice(start + TIMESTAMP.length, end);
    } else if (text.startsWith(WINDOW, start)) {
      parts.recvWindow ??= text.slice(start + WINDOW.length, end);
    }
    start = end + 1;
  }
  return signed;
}

function takeApart(rawQuery: string, rawBody: string): Parts {
  const parts: Parts = {
    query: "",
    body: "",
    timestamp: undefined,
    recvWindow: undefined,
    signature: undefined,
    signatureCount: 0,
  };
  parts.query = takeParts(rawQuery, parts);
  parts.body = takeParts(rawBody, parts);
  return parts;
}

/** An unsigned integer, or NaN. */
function readWhole(text: string): number {
  if (text === "" || text.length > 16) return Number.NaN;
  let value = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

function readWindow_ms(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_WINDOW_MS;
  const window_ms = readWhole(text);
  if (window_ms >= 1 && window_ms <= MAX_WINDOW_MS) return window_ms;
  throw invalidParameter("recvWindow", { rule: "recvWindow", limit: MAX_WINDOW_MS, actual: text.slice(0, 32) });
}

function checkTime(timestampText: string | undefined, windowText: string | undefined, now_ms: number): void {
  const timestamp_ms = readWhole(timestampText ?? "");
  if (Number.isNaN(timestamp_ms)) throw mandatoryParameter("timestamp");
  const window_ms = readWindow_ms(windowText);
  const drift_ms = timestamp_ms - now_ms;
  if (drift_ms < AHEAD_LIMIT_MS && -drift_ms <= window_ms) return;
  throw fapiRefusal("TIMESTAMP", {
    msg: `Timestamp for this request is outside of the recvWindow. (drift ${drift_ms} ms, recvWindow ${window_ms} ms)`,
    details: { rule: "recvWindow", limit: window_ms, actual: drift_ms },
  });
}

function checkSignature(parts: Parts, signingKey: SigningKey): void {
  const { query, body, signature } = parts;
  if (signature === undefined || signature === "") throw mandatoryParameter("signature");
  if (parts.signatureCount > 1) {
    throw fapiRefusal("TOO_MANY_PARAMETERS", { msg: "Duplicate values for parameter 'signature' detected." });
  }
  const bytes = signingKey.read(signature);
  if (bytes !== undefined) {
    if (signingKey.hasSigned(query + body, bytes)) return;
    for (const text of otherSignedForms(query, body)) if (signingKey.hasSigned(text, bytes)) return;
  }
  throw fapiRefusal("SIGNATURE");
}

function checkKey(key: ActiveApiKey, { ip, now_ms, permission }: SignedRequest): void {
  let rule: string | undefined;
  const isAnyEnough = permission === "KEY_ONLY" || permission === "ANY";
  if (key.expiresAt_ms <= now_ms) rule = "expires_at";
  else if (key.ipWhitelist !== undefined && !key.ipWhitelist.has(ip)) rule = "ip_whitelist";
  else if (!isAnyEnough && !key.permissions.has(permission)) rule = "permissions";
  if (rule !== undefined) throw fapiRefusal("KEY_REFUSED", { details: { rule } });
}

interface KeyFinder {
  find(apiKey: string): ActiveApiKey | undefined;
}

function findKey(keys: KeyFinder, request: SignedRequest): ActiveApiKey {
  const { apiKey } = request;
  const key = apiKey === undefined ? undefined : keys.find(apiKey);
  if (key === undefined) throw fapiRefusal(hasApiKeyShape(apiKey ?? "") ? "KEY_REFUSED" : "KEY_FORMAT");
  checkKey(key, request);
  return key;
}

/**
 * SEC-5: authenticates a request by its API key and its signature over query and body as sent; throws the first refusal in the
 * order of FUT-16: key, timestamp, signature. Two signatures are refused (-1101), even if one is right. A recvWindow that is
 * malformed, zero or above its maximum is refused (-1130). On key-only routes a signed request is checked like any other, except
 * that the timestamp is optional.
 */
export function verifySignedRequest(keys: KeyFinder, request: SignedRequest): ActiveApiKey {
  const { rawQuery, rawBody, now_ms, permission } = request;
  const key = findKey(keys, request);
  const parts = takeApart(rawQuery, rawBody);
  const isKeyOnly = permission === "KEY_ONLY";
  if (isKeyOnly && parts.signatureCount === 0) return key;
  if (!isKeyOnly || parts.timestamp !== undefined) checkTime(parts.timestamp, parts.recvWindow, now_ms);
  checkSignature(parts, key.signingKey);
  return key;
}

/**
 * WSA-2: authenticates a request of a session that its key has opened by a signature. Everything else is checked as for a
 * signed request, the key's own terms included, because they may have changed since.
 */
export function verifySessionRequest(keys: KeyFinder, request: SignedRequest): ActiveApiKey {
  const key = findKey(keys, request);
  const { timestamp, recvWindow } = takeApart(request.rawQuery, request.rawBody);
  if (request.permission !== "KEY_ONLY" || timestamp !== undefined) checkTime(timestamp, recvWindow, request.now_ms);
  return key;
}
