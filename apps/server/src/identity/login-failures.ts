import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import { DAY_ms, MINUTE_ms } from "../kernel/dates.ts";
import { keyFor } from "../kernel/secret-box.ts";
import type { IdentityDb } from "./tables.ts";

const FAILURES_TO_LOCK = 5;
const LOCK_MS = 15 * MINUTE_ms;
/** Failures are forgotten after this time; otherwise names that never existed would accumulate. */
const MEMORY_MS = DAY_ms;

export interface LoginFailuresOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly secretsKey: string;
}

export type Attempt = { readonly isAllowed: true } | { readonly isAllowed: false; readonly retryAfter_s: number };

/**
 * SEC-2: five failures lock a name for 15 minutes. An attempt is counted as a failure before its password is checked, and the count
 * is reset on success, so concurrent attempts in any number of processes have five guesses in total. Names are stored as keyed
 * hashes, because people sometimes type a password in the name field.
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

  /** Counts an attempt under this name, in one statement. */
  async begin(usernameKey: string): Promise<Attempt> {
    const nameHash = this.#hashOf(usernameKey);
    const now_ms = this.#clock.now();
    const now = new Date(now_ms);
    const lockEnd = new Date(now_ms + LOCK_MS);
    // An expired lock, and old failures, no longer count.
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

  /** The attempt succeeded: resets the count of the name. */
  async reset(db: IdentityDb, usernameKey: string): Promise<void> {
    await db.deleteFrom("login_failure").where("username_key", "=", this.#hashOf(usernameKey)).execute();
  }

  /** Removes names without a failure for a day. */
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
    // The row is missing if a concurrent attempt succeeded: then the next attempt may come at once.
    const left_ms = (row?.locked_until?.getTime() ?? now_ms) - now_ms;
    return Math.max(1, Math.ceil(left_ms / 1000));
  }
}
