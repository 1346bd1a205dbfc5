import type { Role, TokenReply } from "@bourse/api";
import type { Address } from "../kernel/address.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Bus } from "../kernel/bus/bus.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_ms } from "../kernel/dates.ts";
import { sha256Hex } from "../kernel/digest.ts";
import { forbidden, unauthorized } from "../kernel/errors.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { REVOCATION_LIFE_MS, type Revocations } from "./revocations.ts";
import type { IdentityDb, IdentityTx, Origin, StaffRole } from "./tables.ts";
import type { AccessTokens } from "./tokens.ts";

/** The holder of a session. */
export type SessionHolder =
  | { readonly role: "wallet"; readonly address: Address }
  | { readonly role: StaffRole; readonly id: string; readonly username: string };

/** A session with a new refresh token, ready to be returned after its transaction has committed. */
export interface OpenSession {
  readonly sessionId: string;
  readonly holder: SessionHolder;
  readonly refreshToken: string;
}

const REFRESH_TOKEN_BYTES = 32;
const REFRESH_TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/**
 * The lifetime of a refresh token. Every use renews it: a trader who returns within a month stays signed in, a staff member signs
 * in each working day.
 */
const refreshLife_ms = (role: SessionHolder["role"]) => (role === "wallet" ? 30 * 24 : 12) * HOUR_ms;

const subjectOf = (holder: SessionHolder) => (holder.role === "wallet" ? holder.address : holder.id);

type Rotation =
  | { readonly kind: "rotated"; readonly session: OpenSession }
  | { readonly kind: "revoked"; readonly sessionId: string; readonly isDisabled: boolean }
  | { readonly kind: "refused" };

export interface SessionsOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly tokens: AccessTokens;
  readonly revocations: Revocations;
  readonly bus: Bus;
}

const TOPIC = "revoked-sessions";

/**
 * SEC-3: sessions and their refresh tokens. A session is the family of all tokens from one sign-in. A refresh token works once; a
 * second use means that it was copied, and because the thief cannot be distinguished from the owner, the whole session ends. The
 * same holds for two concurrent uses: one succeeds, the other ends the session.
 */
export class Sessions {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #audit: AuditLog;
  readonly #tokens: AccessTokens;
  readonly #revocations: Revocations;
  readonly #bus: Bus;

  constructor({ db, clock, random, audit, tokens, revocations, bus }: SessionsOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#audit = audit;
    this.#tokens = tokens;
    this.#revocations = revocations;
    this.#bus = bus;
    bus.listen(TOPIC, (sessionIds) => this.#remember(sessionIds as string[]));
  }

  /** Reads the revocations that are still relevant. Call it before the first request. */
  async load(): Promise<void> {
    const revoked = await this.#db
      .selectFrom("session")
      .select(["id", "revoked_at"])
      .where("revoked_at", ">", new Date(this.#clock.now() - REVOCATION_LIFE_MS))
      .orderBy("revoked_at")
      .execute();
    for (const { id, revoked_at } of revoked) if (revoked_at !== null) this.#revocations.add(id, revoked_at.getTime());
  }

  async create(tx: IdentityTx, holder: SessionHolder, ip: string | null): Promise<OpenSession> {
    const sessionId = randomUuid(this.#random);
    const created_at = new Date(this.#clock.now());
    const row = { id: sessionId, subject: subjectOf(holder), role: holder.role, ip, created_at };
    await tx.insertInto("session").values(row).execute();
    return { sessionId, holder, refreshToken: await this.#addRefreshToken(tx, sessionId, holder) };
  }

  /** The reply of a sign-in. Call it after the session's transaction has committed. */
  async grant({ sessionId, holder, refreshToken }: OpenSession): Promise<TokenReply> {
    const { role } = holder;
    const { access_token, expires_in } = await this.#tokens.issue({ subject: subjectOf(holder), role, sessionId });
    const name = holder.role === "wallet" ? { address: holder.address } : { username: holder.username };
    return { access_token, refresh_token: refreshToken, token_type: "Bearer", expires_in, role, ...name };
  }

  async refresh(refreshToken: string, origin: Origin): Promise<TokenReply> {
    if (!REFRESH_TOKEN_SHAPE.test(refreshToken)) throw unauthorized("the refresh token is malformed");
    const tokenHash = sha256Hex(refreshToken);
    const rotation = await this.#db.transaction().execute(async (tx) => await this.#rotate(tx, tokenHash, origin));
    if (rotation.kind === "rotated") return await this.grant(rotation.session);
    if (rotation.kind === "refused")
      throw unauthorized("the refresh token is unknown or expired, or its session ended");
    await this.ended([rotation.sessionId]);
    if (rotation.isDisabled) throw forbidden("this account is disabled");
    throw unauthorized("the refresh token was used before; the session has been ended");
  }

  /** Ends a session and its access tokens at once. A repetition changes nothing. */
  async logout(sessionId: string): Promise<void> {
    await this.#revoke(this.#db, sessionId, "signed out");
    await this.ended([sessionId]);
  }

  /** Ends all sessions of a subject in the caller's transaction; the caller calls `ended` after the commit. */
  async endAllOf(tx: IdentityTx, subject: string, reason: string): Promise<string[]> {
    const rows = await tx
      .updateTable("session")
      .set({ revoked_at: new Date(this.#clock.now()), revoked_reason: reason })
      .where("subject", "=", subject)
      .where("revoked_at", "is", null)
      .returning("id")
      .execute();
    return rows.map(({ id }) => id);
  }

  /** From now on the access tokens of these sessions are refused too. */
  async ended(sessionIds: readonly string[]): Promise<void> {
    this.#remember(sessionIds);
    if (sessionIds.length > 0) await this.#bus.tell(TOPIC, [...sessionIds]);
  }

  #remember(sessionIds: readonly string[]): void {
    for (const sessionId of sessionIds) this.#revocations.add(sessionId, this.#clock.now());
  }

  isRevoked(sessionId: string): boolean {
    return this.#revocations.has(sessionId);
  }

  /**
   * Removes expired refresh tokens, then sessions without any. Used tokens stay until they expire, so that a second use is
   * recognised. A refresh token outlives every access token issued with it, so no revocation that is still needed is removed.
   */
  async sweep(): Promise<bigint> {
    await this.#db.deleteFrom("refresh_token").where("expires_at", "<=", new Date(this.#clock.now())).execute();
    const { numDeletedRows } = await this.#db
      .deleteFrom("session")
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("refresh_token").select("token_hash").whereRef("session_id", "=", "session.id"))),
      )
      .executeTakeFirstOrThrow();
    return numDeletedRows;
  }

  /** Uses the token up and makes the next one, or returns why not. */
  async #rotate(tx: IdentityTx, tokenHash: string, origin: Origin): Promise<Rotation> {
    const now = new Date(this.#clock.now());
    const used = await tx
      .updateTable("refresh_token")
      .set({ used_at: now })
      .where("token_hash", "=", tokenHash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .returning("session_id")
      .executeTakeFirst();
    if (used === undefined) return await this.#judgeUnusable(tx, tokenHash, origin);
    const sessionId = used.session_id;
    const session = await tx
      .selectFrom("session")
      .select(["subject", "role", "revoked_at"])
      .where("id", "=", sessionId)
      .executeTakeFirstOrThrow();
    if (session.revoked_at !== null) return { kind: "refused" };
    const holder = await this.#activeHolder(tx, session);
    if (holder === undefined) {
      await this.#revoke(tx, sessionId, "the account is disabled");
      return { kind: "revoked", sessionId, isDisabled: true };
    }
    const refreshToken = await this.#addRefreshToken(tx, sessionId, holder);
    return { kind: "rotated", session: { sessionId, holder, refreshToken } };
  }

  /** Judges an unusable token: an expired or unknown one is harmless, a used one ends its session. */
  async #judgeUnusable(tx: IdentityTx, tokenHash: string, origin: Origin): Promise<Rotation> {
    const token = await tx
      .selectFrom("refresh_token")
      .select(["session_id", "used_at"])
      .where("token_hash", "=", tokenHash)
      .executeTakeFirst();
    if (token === undefined || token.used_at === null) return { kind: "refused" };
    const reason = "a refresh token was used again";
    const ended = await this.#revoke(tx, token.session_id, reason);
    if (ended !== undefined) {
      const { subject, role } = ended;
      const entry = { actor: subject, role, action: "session.revoke", target: token.session_id, reason };
      await this.#audit.append(tx, { ...entry, ...origin });
    }
    return { kind: "revoked", sessionId: token.session_id, isDisabled: false };
  }

  /** Marks a session as ended; undefined if it had ended before. */
  async #revoke(
    db: IdentityDb,
    sessionId: string,
    reason: string,
  ): Promise<{ subject: string; role: Role } | undefined> {
    return await db
      .updateTable("session")
      .set({ revoked_at: new Date(this.#clock.now()), revoked_reason: reason })
      .where("id", "=", sessionId)
      .where("revoked_at", "is", null)
      .returning(["subject", "role"])
      .executeTakeFirst();
  }

  /** The holder of the session; undefined for staff who may no longer act in this role. */
  async #activeHolder(tx: IdentityTx, session: { subject: string; role: Role }): Promise<SessionHolder | undefined> {
    const { subject, role } = session;
    if (role === "wallet") return { role, address: subject as Address };
    const staff = await tx
      .selectFrom("staff")
      .select(["id", "username"])
      .where("id", "=", subject)
      .where("role", "=", role)
      .where("status", "=", "active")
      .executeTakeFirst();
    return staff && { role, ...staff };
  }

  async #addRefreshToken(tx: IdentityTx, sessionId: string, holder: SessionHolder): Promise<string> {
    const refreshToken = this.#random.bytes(REFRESH_TOKEN_BYTES).toString("base64url");
    const now_ms = this.#clock.now();
    const row = {
      token_hash: sha256Hex(refreshToken),
      session_id: sessionId,
      issued_at: new Date(now_ms),
      expires_at: new Date(now_ms + refreshLife_ms(holder.role)),
    };
    await tx.insertInto("refresh_token").values(row).execute();
    return refreshToken;
  }
}
