import { Socket } from "node:net";
import type { ClientBase } from "pg";
import type { ServerCheck } from "./database.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

export interface SameServerOptions {
  /** Runs the check on connections of its own, which lead to this server only. */
  readonly run: (server: string, check: ServerCheck) => Promise<void>;
  /** The database does not belong to this process any more: nothing may use it. */
  readonly onRefused: (error: unknown) => void;
  readonly pause_ms: number;
}

/**
 * Of one run of one server, and of one database on it. A server that was promoted, restored or started again has another time, and
 * a database that was created anew has another number. What it does not notice needs no check: while the server runs on, it loses
 * nothing that it has committed.
 */
const SERVER_SQL = `
  select pg_postmaster_start_time()::text || ' ' || oid::text as server, pg_is_in_recovery() as "isStandby"
  from pg_database where datname = current_database()`;

interface Answer {
  readonly server: string;
  readonly isStandby: boolean;
}

/** Which server a connection leads to. */
export async function serverOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query<Answer>(SERVER_SQL);
  const { server, isStandby } = rows[0]!;
  if (isStandby) throw new DatabaseUnavailable("a standby answers that is not promoted yet", undefined);
  return server;
}

/**
 * LOG-2: lets connections be used only while they lead to the server that was checked. With the first one to another server all
 * others are closed, and none is used until the check has passed.
 */
export class SameServer {
  readonly #options: SameServerOptions;
  readonly #sockets = new Set<Socket>();
  #trusted: string | undefined;
  /** Before there is something to compare with, any server will do: the start checks it later. */
  #check: ServerCheck = async () => {};
  #isChecking = false;

  constructor(options: SameServerOptions) {
    this.#options = options;
  }

  /** From now on another server is used only if this check passes. */
  checkWith(check: ServerCheck): void {
    this.#check = check;
  }

  /** For the driver: makes the socket of a connection. */
  readonly stream = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once("close", () => this.#sockets.delete(socket));
  };

  /** Rejects a new connection that must not be used. */
  async admit(client: ClientBase): Promise<void> {
    const server = await serverOf(client);
    if (!this.#isChecking) {
      this.#trusted ??= server;
      if (server === this.#trusted) return;
      void this.#change(server);
    }
    throw new DatabaseUnavailable("another server answers, which is compared with the log first", undefined);
  }

  async #change(server: string): Promise<void> {
    const { run, onRefused, pause_ms } = this.#options;
    this.#isChecking = true;
    for (const socket of this.#sockets) socket.destroy();
    try {
      await run(server, this.#check);
      this.#trusted = server;
    } catch (error) {
      // It went away again: the next connection finds out who answers then.
      if (!(error instanceof DatabaseUnavailable)) return onRefused(error);
      await new Promise((resolve) => setTimeout(resolve, pause_ms));
    }
    this.#isChecking = false;
  }
}
