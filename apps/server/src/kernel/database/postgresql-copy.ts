import pg, { type ClientBase } from "pg";

/** What the driver's connection can do while a `copy` statement waits for its rows; its types do not name it. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The driver's own query refuses to send rows. */
class CopyStatement extends pg.Query {
  readonly #rows: string;

  constructor(statement: string, rows: string) {
    super(statement);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}

export function copyInto(client: Pick<ClientBase, "query">, statement: string, rows: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const copying = new CopyStatement(statement, rows);
    copying.on("end", resolve);
    copying.on("error", reject);
    client.query(copying);
  });
}
