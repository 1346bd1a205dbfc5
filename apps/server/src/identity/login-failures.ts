import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import { keyFor } from "./secret-box.ts";
import type { IdentityDb } from "./tables.ts";

const FAILURES_TO_LOCK = 5;
const LOCK_MS = 15 * 60_000;
/** A name nobody failed at for this long starts afresh; without an end, names that never existed would pile up. */
const MEMORY_MS = 24 * 3_600_000;

export interface LoginFailuresOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly secretsKey: string;
}

export type Attempt = { readonly isAllowed: true } | { readonly isAllowed: false; readonly retryAfter_s: number };

/**
 * SEC-2: five failures lock a name for 15 minutes. A try is counted as a failure before its password is looked at and
 * taken back when it succeeds, so tries that come together, in any number of processes, have five guesses and no more.
 * Names are kept as keyed hashes: sooner or later somebody types a password where the name belongs.
 */
export class LoginFailures {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #key: Buffer;

  constructor({ db, clock, secretsKey }: LoginFailuresOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#key = keyFor(secretsKey, "login-name");
  }

  /** Counts a try under this name, in one statement. */
  async begin(usernameKey: string): Promise<Attempt> {
    const nameHash = this.#hashOf(usernameKey);
    const now_ms = this.#clock.now();
    const now = new Date(now_ms);
    const lockEnd = new Date(now_ms + LOCK_MS);
    // A lock that has run out, and failures long ago, count no more.
    const earlier = sql<number>`case
      when login_failure.locked_until is null and login_failure.last_failure_at > ${new Date(now_ms - MEMORY_MS)}
      then login_failure.failures else 0 end`;
    const counted = await this.#db
      .insertInto("login_failure")
      .values({ username_key: nameHash, failures: 1, locked_until: null, last_failure_at: now })
      .onConflict((conflict) =>
        conflict
          .column("username_key")
          .doUpdateSet({
            failures: sql<number>`${earlier} + 1`,
            locked_until: sql<Date | null>`case
              when ${earlier} + 1 >= ${FAILURES_TO_LOCK}::int then ${lockEnd}::timestamptz end`,
            last_failure_at: now,
          })
          .where(({ eb, or }) =>
            or([eb("login_failure.locked_until", "is", null), eb("login_failure.locked_until", "<=", now)]),
          ),
      )
      .returning("username_key")
      .executeTakeFirst();
    if (counted !== undefined) return { isAllowed: true };
    return { isAllowed: false, retryAfter_s: await this.#lockLeft_s(nameHash, now_ms) };
  }

  /** The try succeeded: the name has all its tries again. */
  async reset(db: IdentityDb, usernameKey: string): Promise<void> {
    await db.deleteFrom("login_failure").where("username_key", "=", this.#hashOf(usernameKey)).execute();
  }

  /** Removes names that nobody failed at for a day. */
  async sweep(): Promise<bigint> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("login_failure")
      .where("last_failure_at", "<=", new Date(this.#clock.now() - MEMORY_MS))
      .executeTakeFirstOrThrow();
    return numDeletedRows;
  }

  #hashOf(usernameKey: string): string {
    return createHmac("sha256", this.#key).update(usernameKey).digest("hex");
  }

  async #lockLeft_s(nameHash: string, now_ms: number): Promise<number> {
    const row = await this.#db
      .selectFrom("login_failure")
      .select("locked_until")
      .where("username_key", "=", nameHash)
      .executeTakeFirst();
    // Gone in between when a try under way succeeded: then the next one may come at once.
    const left_ms = (row?.locked_until?.getTime() ?? now_ms) - now_ms;
    return Math.max(1, Math.ceil(left_ms / 1000));
  }
}
