import { Kysely, type PGlite, PGliteDialect, type PGliteQueryResults, type PGliteTransaction } from "kysely";
import type { Database } from "../../../apps/server/src/kernel/database/database.ts";
import type { EmbeddedClient } from "../../../apps/server/src/kernel/database/embedded/client.ts";
import { guardedDialect } from "../../../apps/server/src/kernel/database/guarded-dialect.ts";
import { pingWithin } from "../../../apps/server/src/kernel/database/ping.ts";
import type { KernelTables } from "../../../apps/server/src/kernel/database/tables.ts";
import { DatabaseUnavailable } from "../../../apps/server/src/kernel/database/unavailable.ts";
import type { Faults } from "./faults.ts";
import { Gate, Gone } from "./gate.ts";

const SLOW_ms = 30;

/** How a planted bug may change the platform's statements. */
export interface DatabaseBug {
  /** Returns a statement that replaces it. */
  rewrite?(sql: string, parameters: readonly unknown[]): { sql: string; parameters: readonly unknown[] };
  /** Called after a transaction, with its statements. */
  afterTransaction?(
    statements: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[],
    outcome: "committed" | "rolled back",
    query: (sql: string, parameters?: readonly unknown[]) => Promise<unknown>,
  ): Promise<void>;
}

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

const lost = () => new DatabaseUnavailable("ECONNRESET", undefined);

/**
 * One incarnation's sessions on the shared database, behind its gate: a transaction that is open at a crash is rolled
 * back, and so are later statements.
 */
class GatedClient implements PGlite {
  readonly ready = true;
  readonly waitReady = Promise.resolve();
  closed = false;
  readonly #inner: EmbeddedClient;
  readonly #gate: Gate;
  readonly #faults: Faults;
  readonly #bug: DatabaseBug | undefined;

  constructor(inner: EmbeddedClient, gate: Gate, faults: Faults, bug: DatabaseBug | undefined) {
    this.#inner = inner;
    this.#gate = gate;
    this.#faults = faults;
    this.#bug = bug;
  }

  query<T>(sql: string, parameters: readonly unknown[] = []): Promise<PGliteQueryResults<T>> {
    const statement = this.#rewritten(sql, parameters);
    return this.#statement(() => this.#inner.query<T>(statement.sql, statement.parameters));
  }

  transaction<T>(callback: (tx: PGliteTransaction) => Promise<T>): Promise<T> {
    const result = this.#transaction(callback);
    // Kysely reads it only at the commit.
    result.catch(() => undefined);
    return result;
  }

  /** Does nothing, because the database outlives the platforms. */
  async close(): Promise<void> {
    this.closed = true;
  }

  async #transaction<T>(callback: (tx: PGliteTransaction) => Promise<T>): Promise<T> {
    const gate = this.#gate;
    const statements: Statement[] = [];
    let result: T;
    try {
      result = await this.#inner.transaction(async (tx) => {
        if (gate.isShut) throw new Gone();
        // A session runs statements one after the other; waiting ones run before a rollback.
        let last: Promise<unknown> = Promise.resolve();
        const gated: PGliteTransaction = {
          query: (sql, parameters) => {
            const statement = this.#rewritten(sql, parameters ?? []);
            statements.push(statement);
            const run = () => this.#statement(() => tx.query(statement.sql, [...statement.parameters]));
            const mine = last.then(run) as ReturnType<PGliteTransaction["query"]>;
            last = mine.catch(() => undefined);
            return mine as never;
          },
          rollback: () => tx.rollback(),
        };
        const value = await Promise.race([callback(gated), gate.death]).finally(() =>
          Promise.race([last, gate.death.catch(() => undefined)]),
        );
        if (!gate.pass("commit", "before")) throw new Gone();
        return value;
      });
    } catch (error) {
      await this.#after(statements, "rolled back");
      if (gate.isShut) return await Gate.forever();
      throw error;
    }
    await this.#after(statements, "committed");
    if (!gate.pass("commit", "after")) return await Gate.forever();
    if (this.#faults.take("commit-lost")) throw lost();
    return result;
  }

  async #after(statements: readonly Statement[], outcome: "committed" | "rolled back"): Promise<void> {
    await this.#bug?.afterTransaction?.(statements, outcome, (sql, parameters) => this.#inner.query(sql, parameters));
  }

  #rewritten(sql: string, parameters: readonly unknown[]): Statement {
    return this.#bug?.rewrite?.(sql, parameters) ?? { sql, parameters };
  }

  #statement<T>(run: () => Promise<T>): Promise<T> {
    return this.#gate.around("database", async () => {
      await this.#faults.delay("database-slow", SLOW_ms);
      // It died in the meantime: its transaction is rolled back already.
      if (this.#gate.isShut) return await Gate.forever();
      if (this.#faults.take("database-fails")) throw lost();
      return await run();
    });
  }
}

export function gatedDatabase(inner: EmbeddedClient, gate: Gate, faults: Faults, bug?: DatabaseBug): Database {
  const client = new GatedClient(inner, gate, faults, bug);
  const db = new Kysely<KernelTables>({ dialect: guardedDialect(new PGliteDialect({ pglite: client })) });
  return {
    kind: "embedded",
    db,
    description: "the simulation's database",
    ping: (timeout_ms) => pingWithin(timeout_ms, db),
    close: () => db.destroy(),
  };
}
