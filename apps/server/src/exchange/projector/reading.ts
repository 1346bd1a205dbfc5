import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Db } from "../../kernel/database/database.ts";
import { DatabaseUnavailable } from "../../kernel/database/unavailable.ts";
import { within } from "../../kernel/wait.ts";
import { ProjectionTimeout } from "./waiting.ts";

/** Whoever reads waits for an answer: a database that says nothing for so long is as good as away. */
export const MAX_READ_ms = 5_000;

/** The tables could not be read, however far they have come. To whoever asked it is the same as tables that lag behind. */
export class HistoryUnreadable extends ProjectionTimeout {
  constructor(reason: string, options?: ErrorOptions) {
    super(0, 0);
    this.name = "HistoryUnreadable";
    this.message = `history cannot be read: ${reason}`;
    this.cause = options?.cause;
  }
}

async function readWithin<R>(longest_ms: number, reading: Promise<QueryResult<R>>): Promise<QueryResult<R>> {
  try {
    return await within(reading, longest_ms, () => new HistoryUnreadable(`no answer within ${longest_ms} ms`));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw new HistoryUnreadable(error.message, { cause: error });
    throw error;
  }
}

/** Hands each statement to the platform's own database, which chooses the connection. */
class ReadingConnection implements DatabaseConnection {
  readonly #db: Db;
  readonly #longest_ms: number;

  constructor(db: Db, longest_ms: number) {
    this.#db = db;
    this.#longest_ms = longest_ms;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return readWithin(this.#longest_ms, this.#db.executeQuery<R>(query as CompiledQuery<R>));
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are read by pages, not streamed: the embedded database cannot stream");
  }
}

const onlyRead = async () => {
  throw new Error("history is only read: writing is the projector's");
};

function readingDriver(db: Db, longest_ms: number): Driver {
  const connection = new ReadingConnection(db, longest_ms);
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: onlyRead,
    commitTransaction: onlyRead,
    rollbackTransaction: onlyRead,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
}

/** The database for those who read history: HistoryUnreadable while it is away, or where it is silent for too long. */
export function readingDb<Tables>(db: Db, longest_ms = MAX_READ_ms): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => readingDriver(db, longest_ms),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
  });
}
