import { createAuthenticator, type Identity } from "../identity/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { HttpServerOptions } from "../kernel/http/server.ts";

interface HttpParts extends Pick<HttpServerOptions, "settings" | "random" | "log" | "metrics" | "limits"> {
  readonly clock: Clock;
  readonly identity: Identity;
}

/** What the server of every process that answers clients needs. */
export function httpServerOptions(parts: HttpParts): HttpServerOptions {
  const { settings, clock, random, log, metrics, identity, limits } = parts;
  return { settings, random, log, metrics, limits, authenticator: createAuthenticator({ identity, clock }) };
}
