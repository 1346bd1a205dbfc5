import type { TokenReply } from "@bourse/api";
import { sql } from "kysely";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import { ApiError, badRequest, forbidden, unauthorized } from "../kernel/errors.ts";
import { KeyedQueue } from "../kernel/keyed-queue.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import type { LoginFailures } from "./login-failures.ts";
import type { Passwords } from "./passwords.ts";
import type { OpenSession, Sessions } from "./sessions.ts";
import type { IdentityDb, Origin, StaffRole } from "./tables.ts";

const USERNAME_LIMIT_CHARS = 64;
export const PASSWORD_LIMIT_CHARS = 256;
const INVISIBLE = /[\p{C}\p{Z}]/u;

export const USERNAME_RULE = `has 1 to ${USERNAME_LIMIT_CHARS} visible characters and no spaces`;
export const isUsername = (text: string): boolean =>
  text !== "" && text.length <= USERNAME_LIMIT_CHARS && !INVISIBLE.test(text);

/** The normalised username; two usernames with the same one are the same. */
export const usernameKey = (username: string) => username.normalize("NFKC").toLowerCase();

interface Account {
  readonly id: string;
  readonly username: string;
  readonly role: StaffRole;
  readonly password_hash: string;
}

type Credentials = { readonly username: string; readonly password: string };

/** Refuses names and passwords that no account can have, before they count as an attempt: they could not be stored. */
function checkShape({ username, password }: Credentials): void {
  if (!isUsername(username)) throw badRequest(`a username ${USERNAME_RULE}`);
  if (password === "" || password.length > PASSWORD_LIMIT_CHARS) {
    throw badRequest(`a password has 1 to ${PASSWORD_LIMIT_CHARS} characters`);
  }
}

export interface StaffOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly passwords: Passwords;
  readonly failures: LoginFailures;
  readonly sessions: Sessions;
}

/** SEC-2: administrators and BDs, who sign in by name and password. */
export class Staff {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #audit: AuditLog;
  readonly #passwords: Passwords;
  readonly #failures: LoginFailures;
  readonly #sessions: Sessions;
  /** Attempts under one name are serialised, so that several right ones at once do not count as guessing. */
  readonly #turns = new KeyedQueue();
  readonly #decoyHash: string;

  constructor({ db, clock, random, audit, passwords, failures, sessions }: StaffOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#audit = audit;
    this.#passwords = passwords;
    this.#failures = failures;
    this.#sessions = sessions;
    this.#decoyHash = passwords.decoy();
  }

  /** RUN-4: makes the first administrator. Returns false if there is one already. */
  async createFirstAdmin({ username, password }: Credentials): Promise<boolean> {
    if (await this.#hasAdmin(this.#db)) return false;
    checkShape({ username, password });
    const password_hash = await this.#passwords.hash(password);
    return await this.#db.transaction().execute(async (tx) => {
      // Processes that start together wait here; the second finds the first one's administrator.
      await sql`lock table staff in share row exclusive mode`.execute(tx);
      if (await this.#hasAdmin(tx)) return false;
      const account = { id: randomUuid(this.#random), username, display_name: username, role: "admin" as const };
      const state = { status: "active" as const, created_at: new Date(this.#clock.now()) };
      const row = { ...account, ...state, username_key: usernameKey(username), password_hash };
      await tx.insertInto("staff").values(row).execute();
      await this.#audit.append(tx, {
        actor: "system",
        role: "system",
        action: "staff.create",
        target: account.id,
        after: { username, role: "admin", status: "active" },
        reason: "there was no administrator",
      });
      return true;
    });
  }

  async login({ username, password, ip }: Credentials & Origin): Promise<TokenReply> {
    checkShape({ username, password });
    const key = usernameKey(username);
    const session = await this.#turns.run(key, async () => await this.#attempt(key, password, ip));
    return await this.#sessions.grant(session);
  }

  async #attempt(key: string, password: string, ip: string | null): Promise<OpenSession> {
    const attempt = await this.#failures.begin(key);
    if (!attempt.isAllowed) {
      const extra = { retryAfter_s: attempt.retryAfter_s };
      throw new ApiError(429, "SIGN_IN_LOCKED", "too many failed sign-ins; this name is locked for a while", extra);
    }
    const account = await this.#find(key);
    // An unknown name takes the same time, so that the time does not reveal which names exist.
    const isRight = await this.#passwords.matches(account?.password_hash ?? this.#decoyHash, password);
    if (account === undefined || !isRight) throw unauthorized("wrong username or password");
    return await this.#succeed(key, account, ip);
  }

  async #succeed(key: string, { id, username, role }: Account, ip: string | null): Promise<OpenSession> {
    const session = await this.#db.transaction().execute(async (tx) => {
      await this.#failures.reset(tx, key);
      // Read only now, from the row: the account may have been disabled while the password was checked.
      const current = await tx.selectFrom("staff").select("status").where("id", "=", id).forShare().executeTakeFirst();
      if (current?.status !== "active") return undefined;
      return await this.#sessions.create(tx, { role, id, username }, ip);
    });
    // Only a caller with the right password learns that the account is disabled.
    if (session === undefined) throw forbidden("this account is disabled");
    return session;
  }

  async #find(key: string): Promise<Account | undefined> {
    return await this.#db
      .selectFrom("staff")
      .select(["id", "username", "role", "password_hash"])
      .where("username_key", "=", key)
      .executeTakeFirst();
  }

  async #hasAdmin(db: IdentityDb): Promise<boolean> {
    const admin = await db.selectFrom("staff").select("id").where("role", "=", "admin").limit(1).executeTakeFirst();
    return admin !== undefined;
  }
}
