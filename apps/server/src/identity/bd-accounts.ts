import type { Clock } from "../kernel/clock.ts";
import type { Tx } from "../kernel/database/database.ts";
import { type Random, randomUuid, systemRandom } from "../kernel/random.ts";
import { Passwords } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";
import { usernameKey } from "./staff.ts";
import type { IdentityDb, IdentityTables, IdentityTx } from "./tables.ts";

export interface Bd {
  readonly id: string;
  readonly username: string;
  readonly display_name: string;
  readonly status: "active" | "disabled";
}

export interface NewBd {
  readonly username: string;
  readonly display_name: string;
  readonly password: string;
}

export interface BdAccountsOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly random: Random;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
}

const COLUMNS = ["id", "username", "display_name", "status"] as const;
const ownTables = (tx: Tx) => tx.$extendTables<IdentityTables>() as IdentityTx;

/**
 * BDs are staff with the role `bd`; other staff are not found here. The caller provides the transaction, which must contain the
 * audit entry too.
 */
export class BdAccounts {
  readonly #options: BdAccountsOptions;

  constructor(options: BdAccountsOptions) {
    this.#options = options;
  }

  /** Newest first. */
  async list(): Promise<Bd[]> {
    const query = this.#options.db.selectFrom("staff").select(COLUMNS).where("role", "=", "bd");
    return await query.orderBy("created_at", "desc").orderBy("id").execute();
  }

  /** Hashes the password, which is slow, before any transaction, and returns a function that adds the BD. */
  async prepare({ username, display_name, password }: NewBd): Promise<(tx: Tx) => Promise<Bd | undefined>> {
    const { clock, random, passwords } = this.#options;
    const password_hash = await passwords.hash(password);
    const account = { id: randomUuid(random), username, display_name, status: "active" as const };
    const created_at = new Date(clock.now());
    const row = { ...account, username_key: usernameKey(username), role: "bd" as const, password_hash, created_at };
    return async (tx) => {
      const added = await ownTables(tx)
        .insertInto("staff")
        .values(row)
        .onConflict((conflict) => conflict.column("username_key").doNothing())
        .returning("id")
        .executeTakeFirst();
      // A BD or an admin already has the username.
      return added === undefined ? undefined : account;
    };
  }

  /** Locks the BD until the transaction ends. */
  async lock(tx: Tx, id: string): Promise<Bd | undefined> {
    const query = ownTables(tx).selectFrom("staff").select(COLUMNS).where("id", "=", id).where("role", "=", "bd");
    return await query.forUpdate().executeTakeFirst();
  }

  /** Returns the sessions that end; pass them to `sessionsEnded` after the commit. */
  async change(tx: Tx, id: string, change: Partial<Pick<Bd, "display_name" | "status">>): Promise<string[]> {
    if (Object.keys(change).length === 0) return [];
    const staff = ownTables(tx);
    await staff.updateTable("staff").set(change).where("id", "=", id).where("role", "=", "bd").execute();
    if (change.status !== "disabled") return [];
    // A concurrent sign-in has either made its session by now, or finds the BD disabled (see `Staff`).
    return await this.#options.sessions.endAllOf(staff, id, "the account is disabled");
  }

  async sessionsEnded(sessionIds: readonly string[]): Promise<void> {
    await this.#options.sessions.ended(sessionIds);
  }
}

/**
 * LOG-3: BDs of which a rebuilt database knows only the ids, as accounts that nobody can sign in to: what refers to them keeps its
 * reference, and an admin assigns their KOLs to other BDs.
 */
export async function restoreLostBds(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const rows = [...new Set(ids)].map((id) => ({
    id,
    username: `lost-${id}`,
    username_key: usernameKey(`lost-${id}`),
    display_name: "lost",
    role: "bd" as const,
    status: "disabled" as const,
    password_hash: new Passwords(systemRandom).decoy(),
    created_at: now,
  }));
  if (rows.length === 0) return;
  const insert = ownTables(tx).insertInto("staff").values(rows);
  await insert.onConflict((conflict) => conflict.column("id").doNothing()).execute();
}
