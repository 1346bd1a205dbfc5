import { createSecretKey, type KeyObject } from "node:crypto";
import type { Role } from "@bourse/api";
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { parseAddress } from "../kernel/address.ts";
import type { Clock } from "../kernel/clock.ts";
import { type ApiError, unauthorized } from "../kernel/errors.ts";
import { Lru } from "../kernel/lru.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { parseUuid } from "../kernel/uuid.ts";

const ISSUER = "bourse";
const AUDIENCE = "bourse-api";
/** RFC 9068: marks an access token, so that nothing else signed with the same secret is valid as one. */
const TYPE = "at+jwt";

/** SEC-3. */
const ACCESS_LIFE_S: Readonly<Record<Role, number>> = { wallet: 60 * 60, admin: 15 * 60, bd: 15 * 60 };
export const MAX_ACCESS_LIFE_MS = Math.max(...Object.values(ACCESS_LIFE_S)) * 1000;

const SECRET_MIN_BYTES = 32;
const TOKEN_LIMIT_CHARS = 2048;
const ISSUED_AHEAD_S = 60;
const REMEMBERED_TOKENS = 5000;

export interface AccessSubject {
  /** A wallet's address in lower case, or a staff member's id. */
  readonly subject: string;
  readonly role: Role;
  readonly sessionId: string;
}

export interface AccessClaims extends AccessSubject {
  readonly tokenId: string;
  readonly issuedAt_s: number;
  readonly expiresAt_s: number;
}

const isOwnUuid = (value: unknown): value is string => typeof value === "string" && parseUuid(value) === value;
const isOwnAddress = (value: unknown): value is string => typeof value === "string" && parseAddress(value) === value;
const isRole = (value: unknown): value is Role => typeof value === "string" && Object.hasOwn(ACCESS_LIFE_S, value);

/** The claims of a token with a valid signature, or undefined if they are not the ones we write. */
function readClaims({ sub, role, sid, jti, iat, exp }: JWTPayload): AccessClaims | undefined {
  const isSubject = role === "wallet" ? isOwnAddress : isOwnUuid;
  if (!isRole(role) || !isSubject(sub) || !isOwnUuid(sid) || !isOwnUuid(jti)) return undefined;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined;
  return { subject: sub, role, sessionId: sid, tokenId: jti, issuedAt_s: Number(iat), expiresAt_s: Number(exp) };
}

export interface AccessTokensOptions {
  readonly jwtSecret: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly isRevoked: (sessionId: string) => boolean;
}

/** SEC-3: signs and checks access tokens (JWT, HS256), by the platform's clock. */
export class AccessTokens {
  readonly #key: KeyObject;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #isRevoked: (sessionId: string) => boolean;
  /** Tokens whose signature was verified. */
  readonly #verified = new Lru<AccessClaims>(REMEMBERED_TOKENS);

  constructor({ jwtSecret, clock, random, isRevoked }: AccessTokensOptions) {
    const secret = Buffer.from(jwtSecret, "utf8");
    if (secret.length < SECRET_MIN_BYTES) throw new Error(`JWT_SECRET must have at least ${SECRET_MIN_BYTES} bytes`);
    this.#key = createSecretKey(secret);
    this.#clock = clock;
    this.#random = random;
    this.#isRevoked = isRevoked;
  }

  async issue({ subject, role, sessionId }: AccessSubject): Promise<{ access_token: string; expires_in: number }> {
    const issuedAt_s = Math.floor(this.#clock.now() / 1000);
    const expires_in = ACCESS_LIFE_S[role];
    const access_token = await new SignJWT({ role, sid: sessionId })
      .setProtectedHeader({ alg: "HS256", typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(subject)
      .setJti(randomUuid(this.#random))
      .setIssuedAt(issuedAt_s)
      .setExpirationTime(issuedAt_s + expires_in)
      .sign(this.#key);
    return { access_token, expires_in };
  }

  /** The holder of this token. Every failure is the same 401, so that it reveals nothing. */
  async verify(token: string): Promise<AccessClaims> {
    const remembered = this.#verified.get(token);
    const claims = remembered ?? (await this.#check(token));
    // The signature of a cached token is not checked again; time and revocation are.
    const now_s = Math.floor(this.#clock.now() / 1000);
    const isTimely = claims.expiresAt_s > now_s && claims.issuedAt_s <= now_s + ISSUED_AHEAD_S;
    if (!isTimely || this.#isRevoked(claims.sessionId)) {
      this.#verified.delete(token);
      throw this.#refusal();
    }
    if (remembered === undefined) this.#verified.set(token, claims);
    return claims;
  }

  async #check(token: string): Promise<AccessClaims> {
    if (token.length > TOKEN_LIMIT_CHARS) throw this.#refusal();
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ["sub", "jti", "iat", "exp"],
      });
      const claims = readClaims(payload);
      if (claims !== undefined) return claims;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
    throw this.#refusal();
  }

  #refusal(): ApiError {
    return unauthorized("the access token is invalid or expired");
  }
}
