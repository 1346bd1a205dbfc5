import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { AddressSet } from "../../kernel/address-set.ts";
import type { ApiError } from "../../kernel/errors.ts";
import { plainAddress } from "../../kernel/http/guards.ts";

/** What the path of a request names. */
export interface StreamRequest {
  /** Whether events are sent as `{"stream", "data"}`. */
  readonly isWrapped: boolean;
  /** Whether the path is `/ws`, where the platform's own protocol is available too. */
  readonly isOwn: boolean;
  readonly names: readonly string[];
}

const PATH = /^(\/public|\/market|\/private)?\/(ws|stream)(?:\/(.*))?$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Undefined if the path is not one of streams. Names are not checked here. */
export function parseStreamPath(url: string): StreamRequest | undefined {
  const cut = url.indexOf("?");
  const [path, query] = cut === -1 ? [url, ""] : [url.slice(0, cut), url.slice(cut + 1)];
  const [, area, form, rest = ""] = PATH.exec(path) ?? [];
  if (form === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const asked = [rest, form === "stream" ? parameters.get("streams") : null, parameters.get("listenKey")];
  const names = asked.flatMap((list) => decoded(list ?? "").split("/")).filter((name) => name !== "");
  return { isWrapped: form === "stream", isOwn: area === undefined && form === "ws" && rest === "", names };
}

/** The client's IP behind the trusted proxies. */
export function clientAddress(request: IncomingMessage, trusted: AddressSet): string {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  let address = plainAddress(request.socket.remoteAddress ?? "");
  while (forwarded.length > 0 && trusted.has(address)) address = plainAddress(forwarded.pop()!);
  return address;
}

/**
 * Browsers let any page open a socket and send the page's origin. Foreign origins are refused, as HTTP does by CORS.
 * Bots send no Origin.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  418: "I'm a Teapot",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** Answers a request that does not become a socket. */
export function refuseUpgrade(socket: Duplex, error: ApiError): void {
  const text = JSON.stringify({ error: error.message, code: error.code });
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_TEXTS[error.status] ?? "Refused"}\r\n` +
      "content-type: application/json; charset=utf-8\r\nconnection: close\r\n" +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
