import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Pool, PoolClient } from "pg";
import { copyRowsOf } from "./copy.ts";
import { copyInto } from "./postgresql-copy.ts";
import { asUnavailable } from "./unavailable.ts";

/** A statement by which a session changes the server's limit for itself. */
const LIMIT_CHANGE = /^\s*(set|reset) statement_timeout/i;

/**
 * Closes a connection that has been silent for too long, and fails the calls that wait for it. The server ends slow statements
 * itself, so this only happens if the connection is dead, as behind a broken network; the operating system would wait for a quarter
 * of an hour or for ever.
 */
class BoundedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #silence_ms: number;
  #isGone = false;
  #isUnlimited = false;

  constructor(client: PoolClient, silence_ms: number) {
    this.#client = client;
    this.#silence_ms = silence_ms;
  }

  query<R>(statement: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(statement: unknown, parameters?: ReadonlyArray<unknown>): unknown {
    if (typeof statement !== "string") throw new TypeError("rows are read by pages, not by cursors");
    return this.#query(statement, parameters ?? []);
  }

  release(destroy?: boolean): void {
    if (!this.#isGone) this.#client.release(destroy);
  }

  async #query(statement: string, parameters: ReadonlyArray<unknown>): Promise<unknown> {
    const change = LIMIT_CHANGE.exec(statement);
    if (change !== null) this.#isUnlimited = change[1]?.toLowerCase() === "set";
    const timer = this.#isUnlimited ? undefined : setTimeout(() => this.#giveUp(), this.#silence_ms);
    const rows = copyRowsOf(parameters);
    try {
      if (rows !== undefined) return await copyInto(this.#client, statement, rows);
      return await this.#client.query(statement, [...parameters]);
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The pool closes the connection, which fails the current statement. */
  #giveUp(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#client.release(new Error(`nothing was heard for ${this.#silence_ms} ms`));
  }
}

/** The driver's pool. Its connections and statements fail with DatabaseUnavailable if the server cannot be reached. */
export class BoundedPool implements PostgresPool {
  readonly #pool: Pool;
  readonly #silence_ms: number;

  constructor(pool: Pool, silence_ms: number) {
    this.#pool = pool;
    this.#silence_ms = silence_ms;
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      return new BoundedClient(await this.#pool.connect(), this.#silence_ms);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  get options(): object {
    return this.#pool.options;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
