/**
 * Keeps statements inside the transaction they were made for. When one of several statements started together fails,
 * Kysely rolls back while the others still queue, and would then run those outside of any transaction, each committed
 * by itself. Here a statement that comes too late is refused.
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

/** A connection for one use: it stops working once it is given back. */
class Lease implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  #returned = false;
  #ending: Promise<void> | undefined;

  constructor(connection: DatabaseConnection) {
    this.connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // While a transaction ends it is not yet known whether the connection is given back or used on.
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
      // Kysely gives a connection back at once after its transaction, so by the next turn of the loop it has.
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
