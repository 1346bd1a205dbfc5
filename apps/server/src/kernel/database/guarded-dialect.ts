/**
 * Keeps statements inside their transaction. When one of several concurrent statements fails, Kysely rolls back while the others
 * are queued, and would then run those outside any transaction, each committed by itself. This dialect refuses such late
 * statements.
 */
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from "kysely";

/** A connection for one use: it stops working when it is returned. */
class Lease implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  #returned = false;
  #ending: Promise<void> | undefined;

  constructor(connection: DatabaseConnection) {
    this.connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // While a transaction ends, it is not known yet whether the connection is returned or used again.
    await this.#ending;
    if (this.#returned) throw new Error("the transaction of this statement is over; await each statement inside it");
    return await this.connection.executeQuery<R>(query);
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are read by pages, not streamed: the embedded database cannot stream");
  }

  async end(action: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
    const ended = Promise.withResolvers<void>();
    this.#ending = ended.promise;
    try {
      await action(this.connection);
    } finally {
      // Kysely returns a connection right after its transaction, that is by the next turn of the event loop.
      setImmediate(() => ended.resolve());
    }
  }

  giveBack(): DatabaseConnection {
    this.#returned = true;
    return this.connection;
  }
}

function leaseOf(connection: DatabaseConnection): Lease {
  if (!(connection instanceof Lease)) throw new TypeError("a connection that this driver did not hand out");
  return connection;
}

class GuardedDriver implements Driver {
  readonly #inner: Driver;

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lease(await this.#inner.acquireConnection());
  }

  releaseConnection(lease: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection(leaseOf(lease).giveBack());
  }

  beginTransaction(lease: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#inner.beginTransaction(leaseOf(lease).connection, settings);
  }

  commitTransaction(lease: DatabaseConnection): Promise<void> {
    return leaseOf(lease).end((connection) => this.#inner.commitTransaction(connection));
  }

  rollbackTransaction(lease: DatabaseConnection): Promise<void> {
    return leaseOf(lease).end((connection) => this.#inner.rollbackTransaction(connection));
  }

  async savepoint(lease: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]): Promise<void> {
    await this.#inner.savepoint?.(leaseOf(lease).connection, name, compile);
  }

  async rollbackToSavepoint(lease: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    await this.#inner.rollbackToSavepoint?.(leaseOf(lease).connection, name, compile);
  }

  async releaseSavepoint(lease: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    await this.#inner.releaseSavepoint?.(leaseOf(lease).connection, name, compile);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

export function guardedDialect(inner: Dialect): Dialect {
  return {
    createDriver: () => new GuardedDriver(inner.createDriver()),
    createAdapter: () => inner.createAdapter(),
    createQueryCompiler: () => inner.createQueryCompiler(),
    createIntrospector: <Tables>(db: Kysely<Tables>) => inner.createIntrospector(db),
  };
}
