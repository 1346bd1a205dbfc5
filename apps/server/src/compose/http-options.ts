import { createAuthenticator, type Identity } from "../identity/index.ts";
import type { Limits } from "../kernel/http/limits.ts";
import type { HttpServerOptions } from "../kernel/http/server.ts";
import type { Ground } from "./platform.ts";

/** What the server of every process that answers clients needs. */
export function httpServerOptions(ground: Ground, identity: Identity, limits: Limits): HttpServerOptions {
  const { settings, clock, random, log, metrics } = ground;
  return { settings, random, log, metrics, limits, authenticator: createAuthenticator({ identity, clock }) };
}
