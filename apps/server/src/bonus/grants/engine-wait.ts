import type { Exchange } from "../../exchange/host/exchange.ts";
import type { Projector } from "../../exchange/projector/projector.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { OutboxOutcomes } from "../../wallet/outcomes.ts";
import { grantRef, type IssuedBonus } from "./issue.ts";

export interface EngineWaitOptions {
  readonly database: Pick<Database, "db">;
  readonly exchange: Exchange;
  readonly outcomes: Pick<OutboxOutcomes, "wait">;
  readonly projector: Pick<Projector, "waitForAccount">;
  /** How long a request waits for the engine. */
  readonly wait_ms?: number;
}

const WAIT_ms = 10_000;
const PROJECTION_WAIT_ms = 5_000;

/** Waits until a grant that was written is in the account, and in the tables. */
export class EngineWait {
  readonly #options: EngineWaitOptions;

  constructor(options: EngineWaitOptions) {
    this.#options = options;
  }

  /**
   * Also for a grant of long ago. Those that were written before it are there as well then. Throws `late` where it takes
   * too long; the grant comes all the same.
   */
  async forGrant({ bonus_account_id, account }: IssuedBonus, late: () => Error): Promise<void> {
    const { outcomes, projector, wait_ms = WAIT_ms } = this.#options;
    const ref = grantRef(bonus_account_id);
    if (!(await this.#isApplied(ref))) {
      await outcomes.wait(ref, wait_ms);
      if (!(await this.#isApplied(ref))) throw late();
    }
    try {
      await projector.waitForAccount(account, PROJECTION_WAIT_ms);
    } catch (error) {
      throw error instanceof ProjectionTimeout ? late() : error;
    }
  }

  async #isApplied(ref: string): Promise<boolean> {
    const { database, exchange } = this.#options;
    const message = await database.db
      .selectFrom("outbox")
      .select(["dispatch_seq", "delivered_at"])
      .where("ref", "=", ref)
      .executeTakeFirst();
    // What is not there any more was delivered long ago.
    if (message === undefined || message.delivered_at !== null) return true;
    return message.dispatch_seq !== null && Number(message.dispatch_seq) <= exchange.engine.state.externalNumber;
  }
}
