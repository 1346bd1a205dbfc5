import { isIPv4 } from "node:net";
import { ApiError } from "../errors.ts";
import type { HttpSettings } from "./http-settings.ts";

/** Writes an IPv4-mapped IPv6 address as IPv4, so that limits and lists see one IP. */
export function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
}

const refused = (message: string) => new ApiError(403, "FORBIDDEN", message);

const DOT = "(?:\\.|%2e)";
const TRAVERSAL = new RegExp(`(?:^|[/\\\\]|%2f|%5c)${DOT}${DOT}(?:$|[/\\\\]|%2f|%5c)`, "i");
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

function isTraversal(url: string): boolean {
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  return (path.includes("..") || path.includes("%")) && (TRAVERSAL.test(path) || /%00/i.test(path));
}

/** Refuses requests that no regular client sends (SEC-10, RUN-4): denied IPs, foreign Host headers, path traversal. */
export function createGuard(
  settings: Pick<HttpSettings, "environment" | "devExposed" | "publicUrl" | "denyCidrs">,
): (address: string, host: string, url: string) => void {
  const publicHost = new URL(settings.publicUrl).host;
  const checksHost = settings.environment === "development" && !settings.devExposed;
  return (address, host, url) => {
    if (settings.denyCidrs.has(address)) throw refused("this address is not served");
    if (checksHost && host !== publicHost && !LOCAL_HOST.test(host)) {
      throw refused("this development server answers only to local host names");
    }
    if (isTraversal(url)) throw refused("this path is refused");
  };
}
