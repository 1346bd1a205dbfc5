import { Worker } from "node:worker_threads";
import type { PGlite, PGliteQueryResults, PGliteTransaction } from "kysely";
import { copyRowsOf } from "../copy.ts";
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

/** For shorter arrays the copy costs more than the text. */
const MIN_NUMBERS = 16;

function wireParameter(value: unknown): WireParameter {
  if (!Array.isArray(value) || value.length < MIN_NUMBERS) return parameterText(value);
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

/** The thread in which a database runs. */
export interface DatabaseThread {
  readonly worker: Worker;
  /** Whether its database is open already. */
  readonly isReady: boolean;
  /** Called after its database is closed. */
  release(): Promise<unknown>;
}

function startThread(options: WorkerOptions): DatabaseThread {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: options, name: "database" });
  return { worker, isReady: false, release: () => worker.terminate() };
}

/**
 * The client of the embedded database for Kysely's PGlite driver; the database runs in a worker thread. It is one session: calls
 * run one after the other, and a transaction has the session exclusively.
 */
export class EmbeddedClient implements PGlite {
  ready = false;
  closed = false;
  readonly #readiness = Promise.withResolvers<void>();
  readonly #thread: DatabaseThread;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;

  readonly #onStuck: (error: Error) => void;

  readonly #onMessage = (response: Response) => this.#receive(response);
  readonly #onError = (error: Error) => this.#fail(error);
  readonly #onExit = (exitCode: number) => this.#fail(new Error(`its thread ended with code ${exitCode}`));

  constructor(options: WorkerOptions, onStuck: (error: Error) => void, thread = startThread(options)) {
    this.#onStuck = onStuck;
    this.#thread = thread;
    this.#worker = thread.worker;
    this.#worker.on("message", this.#onMessage);
    this.#worker.on("messageerror", this.#onError);
    this.#worker.on("error", this.#onError);
    this.#worker.on("exit", this.#onExit);
    // The opener awaits this; a later failure must not be an unhandled rejection.
    this.#readiness.promise.catch(() => undefined);
    if (thread.isReady) this.#receive({ kind: "ready" });
  }

  get waitReady(): Promise<void> {
    return this.#readiness.promise;
  }

  query<T>(sql: string, parameters: readonly unknown[] = []): Promise<PGliteQueryResults<T>> {
    return this.#exclusively(() => this.#query<T>(sql, parameters));
  }

  transaction<T>(callback: (tx: PGliteTransaction) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      // Kysely waits for the callback, not for this promise. So a failed begin must still call it, with a transaction that answers
      // everything with that failure; otherwise the caller would wait for ever.
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

  /** Runs the action while no statement runs. Everything that was committed is in the database's files then. */
  whileStill<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#exclusively(async () => {
      await this.#send({ kind: "query", sql: "checkpoint", parameters: [] });
      return await action();
    });
  }

  async close(): Promise<void> {
    await this.#exclusively(async () => {
      if (this.closed) return;
      // A worker that has ended has nothing to close.
      const isSound = this.#failure === undefined;
      if (isSound) await this.#send({ kind: "close" });
      this.closed = true;
      this.ready = false;
      this.#failure ??= new Error("The embedded database is closed.");
      this.#worker.off("message", this.#onMessage);
      this.#worker.off("messageerror", this.#onError);
      this.#worker.off("error", this.#onError);
      this.#worker.off("exit", this.#onExit);
      await (isSound ? this.#thread.release() : this.terminate());
    });
  }

  /** Ends the thread at once; waiting calls fail. */
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
   * A transaction that awaits anything but its own statements blocks all others; one that awaits a statement outside it waits for
   * ever. Neither can be repaired here, but it is reported.
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
    const copied = copyRowsOf(parameters);
    const request: RequestBody =
      copied === undefined
        ? { kind: "query", sql, parameters: parameters.map(wireParameter) }
        : { kind: "copy", sql, rows: copied };
    const result = await this.#send(request);
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
      // The thread keeps the process alive only while a call waits for an answer.
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
