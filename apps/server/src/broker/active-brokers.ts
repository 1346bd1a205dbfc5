import type { FastifyRequest } from "fastify";
import { walletOf } from "./callers.ts";
import { refusals } from "./refusals.ts";
import type { BrokerDb } from "./tables.ts";

/** An active broker that calls a route about itself. */
export interface Caller {
  readonly id: string;
  /** Null before its account is opened (SEC-11). */
  readonly account: number | null;
  readonly rate_e6: number;
  readonly parent_broker_id: string | null;
}

/** Finds the broker behind a request. */
export class Callers {
  readonly #db: BrokerDb;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();

  constructor(db: BrokerDb) {
    this.#db = db;
  }

  /**
   * A hook that runs before the parameters are checked: a wallet that is not a broker gets that refusal, whatever else is wrong
   * (BRK-15).
   */
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
