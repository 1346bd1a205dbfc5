import type { FastifyRequest } from "fastify";
import { walletOf } from "./callers.ts";
import { refusals } from "./refusals.ts";
import type { BrokerDb } from "./tables.ts";

/** An active broker that asks about itself. */
export interface Caller {
  readonly id: string;
  readonly account: number;
  readonly rate_e6: number;
  readonly parent_broker_id: string | null;
}

/** Knows which broker a request comes from. */
export class Callers {
  readonly #db: BrokerDb;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();

  constructor(db: BrokerDb) {
    this.#db = db;
  }

  /** A hook before the parameters are looked at: who is no broker is told so, whatever else is wrong (BRK-15). */
  readonly identify = async (request: FastifyRequest): Promise<void> => {
    const caller = await this.#db
      .selectFrom("broker")
      .select(["id", "account", "rate_e6", "parent_broker_id"])
      .where("wallet_address", "=", walletOf(request))
      .where("status", "=", "active")
      .executeTakeFirst();
    if (caller === undefined) throw refusals.notABroker();
    this.#callers.set(request, caller);
  };

  of(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (caller === undefined) throw new Error(`${request.url} is asked without its hook`);
    return caller;
  }
}
