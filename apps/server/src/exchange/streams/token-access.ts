import type { AccessTokens } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import { forbidden } from "../../kernel/errors.ts";
import type { Access } from "./connection.ts";

export interface TokenAccessOptions {
  readonly tokens: Pick<AccessTokens, "verify">;
  readonly isRevoked: (sessionId: string) => boolean;
  readonly clock: Clock;
}

/** Wallets sign in with their access token; private channels end when it does. */
export function createTokenAccess({
  tokens,
  isRevoked,
  clock,
}: TokenAccessOptions): (token: string) => Promise<Access> {
  return async (token) => {
    const { subject, role, sessionId, expiresAt_s } = await tokens.verify(token);
    if (role !== "wallet") throw forbidden(`this is not open to the role ${role}`);
    return { address: subject, isValid: () => clock.now() < expiresAt_s * 1000 && !isRevoked(sessionId) };
  };
}
