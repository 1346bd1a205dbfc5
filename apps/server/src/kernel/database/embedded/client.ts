import { Worker } from "node:worker_threads";
import type { PGlite, PGliteQueryResults, PGliteTransaction } from "kysely";
import { parameterText, parserOf } from "../type-parsers.ts";
import type {
  Request,
  RequestBody,
  Response,
  WireError,
  WireParameter,
  WireResult,
  WorkerOptions,
} from "./protocol.ts";

const STANDSTILL_MS = 10_000;

interface Waiting {
  resolve(result: WireResult): void;
  reject(error: Error): void;
}

function sqlError({ message, stack, fields }: WireError): Error {
  return Object.assign(new Error(message, stack === undefined ? {} : { cause: stack }), fields);
}

/** Below it the copy costs more than the text. */
const FEWEST_NUMBERS = 16;

function wireParameter(value: unknown): WireParameter {
  if (!Array.isArray(value) || value.length < FEWEST_NUMBERS) return parameterText(value);
  const numbers = new Float64Array(value.length);
  for (let place = 0; place < value.length; place += 1) {
    const element: unknown = value[place];
    if (typeof element !== "number") return parameterText(value);
    numbers[place] = element;
  }
  return numbers;
}

function typedRows<T>({ columns, rows }: WireResult): T[] {
  const parsers = columns.map((column) => parserOf(column.typeOid));
  return rows.map((texts) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      const text = texts[index] ?? null;
      row[column.name] = text === null ? null : parsers[index]?.(text);
    });
    return row as T;
  });
}

/**
 * The embedded database as Kysely's PGlite driver sees it, while it runs in a worker thread. It is one session: calls
 * run one after the other, and a transaction has the session for itself from begin to commit.
 */
export class EmbeddedClient implements PGlite {
  ready = false;
  closed = false;
  readonly #readiness = Promise.withResolvers<void>();
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;

  readonly #onStuck: (error: Error) => void;

  constructor(options: WorkerOptions, onStuck: (error: Error) => void) {
    this.#onStuck = onStuck;
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: options, name: "database" });
    this.#worker.on("message", (response: Response) => this.#receive(response));
    this.#worker.on("messageerror", (error) => this.#fail(error));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (exitCode) => this.#fail(new Error(`its thread ended with code ${exitCode}`)));
    // Whoever opens the database awaits this; a failure after that must not count as unhandled.
    this.#readiness.promise.catch(() => undefined);
  }

  get waitReady(): Promise<void> {
    return this.#readiness.promise;
  }

  query<T>(sql: string, parameters: readonly unknown[] = []): Promise<PGliteQueryResults<T>> {
    return this.#exclusively(() => this.#query<T>(sql, parameters));
  }

  transaction<T>(callback: (tx: PGliteTransaction) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      // Kysely waits for the callback, not for this promise. So a begin that fails must still call it, with a
      // transaction that answers everything with that failure; otherwise the caller would wait forever.
      const beginFailure = await this.#send({ kind: "query", sql: "begin", parameters: [] }).then(
        () => undefined,
        (error: unknown) => error,
      );
      const tx: PGliteTransaction = {
        query: (sql, parameters) =>
          beginFailure === undefined ? this.#query(sql, parameters ?? []) : Promise.reject(beginFailure),
        rollback: () => Promise.reject(new Error("throw to roll back a transaction")),
      };
      const watch = this.#watchForStandstill();
      try {
        const result = await callback(tx);
        if (beginFailure !== undefined) throw beginFailure;
        await this.#commit();
        return result;
      } catch (error) {
        if (beginFailure === undefined) await this.#send({ kind: "query", sql: "rollback", parameters: [] });
        throw error;
      } finally {
        clearInterval(watch);
      }
    });
  }

  async close(): Promise<void> {
    await this.#exclusively(async () => {
      if (this.closed) return;
      // A worker that is already gone has nothing left to close.
      if (this.#failure === undefined) await this.#send({ kind: "close" });
      this.closed = true;
      this.ready = false;
      this.#failure ??= new Error("The embedded database is closed.");
      await this.terminate();
    });
  }

  /** Ends the thread at once, whatever it is doing; calls that wait for it fail. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  async #commit(): Promise<void> {
    const { command } = await this.#send({ kind: "query", sql: "commit", parameters: [] });
    if (command === "ROLLBACK") {
      const message = "the transaction was rolled back in place of committed, because a statement in it had failed";
      throw Object.assign(new Error(message), { code: "25P02" });
    }
  }

  /**
   * A transaction that awaits anything but its own statements stops everybody else; one that awaits a statement made
   * outside of it waits forever. Neither can be undone here, but it can be told.
   */
  #watchForStandstill(): NodeJS.Timeout {
    let seenId = this.#lastId;
    const check = () => {
      if (this.#waiting.size === 0 && seenId === this.#lastId) {
        this.#onStuck(new Error(`a transaction has been open without a statement for ${STANDSTILL_MS} ms`));
      }
      seenId = this.#lastId;
    };
    return setInterval(check, STANDSTILL_MS).unref();
  }

  async #query<T>(sql: string, parameters: readonly unknown[]): Promise<PGliteQueryResults<T>> {
    const result = await this.#send({ kind: "query", sql, parameters: parameters.map(wireParameter) });
    const fields = result.columns.map((column) => ({ name: column.name, dataTypeID: column.typeOid }));
    return { affectedRows: result.affectedRows, fields, rows: typedRows<T>(result) };
  }

  #exclusively<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(action);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  #send(request: RequestBody): Promise<WireResult> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      // The thread keeps the process alive only while somebody waits for an answer.
      this.#worker.ref();
      this.#worker.postMessage({ ...request, id } satisfies Request);
    });
  }

  #receive(response: Response): void {
    if (response.kind === "ready") {
      this.ready = true;
      this.#worker.unref();
      this.#readiness.resolve();
    } else if (response.kind === "failed") {
      this.#fail(sqlError(response.error));
      void this.#worker.terminate();
    } else {
      const waiting = this.#waiting.get(response.id);
      this.#waiting.delete(response.id);
      if (this.#waiting.size === 0) this.#worker.unref();
      if (response.kind === "result") waiting?.resolve(response.result);
      else waiting?.reject(sqlError(response.error));
    }
  }

  #fail(cause: Error): void {
    const what = this.ready ? "has stopped" : "cannot be opened";
    this.ready = false;
    this.#failure ??= new Error(`The embedded database ${what}: ${cause.message}`, { cause });
    this.#readiness.reject(this.#failure);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
