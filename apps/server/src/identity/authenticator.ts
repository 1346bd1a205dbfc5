import type { FastifyRequest } from "fastify";
import type { Clock } from "../kernel/clock.ts";
import { ApiError, FapiError, forbidden, unauthorized } from "../kernel/errors.ts";
import type { Access, Principal } from "../kernel/http/access.ts";
import type { Authenticator } from "../kernel/http/server.ts";
import type { Identity } from "./identity.ts";

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = headerText(request, "authorization");
  if (header === undefined) return undefined;
  if (!/^bearer /i.test(header)) throw unauthorized("the Authorization header must be Bearer and a token");
  return header.slice("bearer ".length).trim();
}

/** Turns a refusal of a signed request into the format of the JSON areas. */
function inJsonArea({ code, message, details }: FapiError): ApiError {
  const more = { details: { ...details, exchange_code: code } };
  return details?.rule === "permissions"
    ? new ApiError(403, "FORBIDDEN", "the API key lacks the permission", more)
    : new ApiError(401, "UNAUTHORIZED", message, more);
}

export interface AuthenticatorOptions {
  readonly identity: Pick<Identity, "tokens" | "bonusKey" | "verifySignedRequest">;
  readonly clock: Clock;
}

/** Authenticates callers by bearer token, by signature or by the bonus administration's key. */
export function createAuthenticator({ identity, clock }: AuthenticatorOptions): Authenticator {
  const { tokens, bonusKey, verifySignedRequest } = identity;

  async function byToken(token: string, access: Access): Promise<Principal> {
    const claims = await tokens.verify(token);
    if (access.allow === "anyone" || !access.allow.includes(claims.role)) {
      throw forbidden(`this is not open to the role ${claims.role}`);
    }
    const { subject, role, sessionId } = claims;
    return role === "wallet"
      ? { kind: "wallet", address: subject, sessionId }
      : { kind: "staff", role, id: subject, sessionId };
  }

  return {
    // On /fapi a request without key and token is refused as a wrongly signed one, after its parameters are read.
    isSigned: ({ headers }, { apiKey, area }) =>
      apiKey !== undefined &&
      (headers["x-mbx-apikey"] !== undefined || (area === "fapi" && headers.authorization === undefined)),

    async bearer(request, access) {
      if (access.bonusKey) {
        const key = headerText(request, "x-bonus-admin-key");
        if (key !== undefined) {
          if (!bonusKey.matches(key)) throw unauthorized("the bonus admin key is wrong");
          return { kind: "bonus-admin" };
        }
      }
      const token = bearerToken(request);
      if (token === undefined) throw unauthorized();
      return byToken(token, access);
    },

    signed({ headers, address }, access, rawQuery, rawBody) {
      const sentKey = headers["x-mbx-apikey"];
      try {
        const { wallet, apiKey } = verifySignedRequest({
          apiKey: typeof sentKey === "string" ? sentKey : undefined,
          rawQuery,
          rawBody,
          ip: address,
          now_ms: clock.now(),
          permission: access.apiKey ?? "READ",
        });
        return { kind: "wallet", address: wallet, apiKey };
      } catch (error) {
        throw access.area !== "fapi" && error instanceof FapiError ? inJsonArea(error) : error;
      }
    },
  };
}
