import { engineRefusal } from "../exchange/account/refusals.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import { OutcomeUnknown } from "../exchange/host/exchange.ts";
import { COMMAND_TOPIC } from "../exchange/host/outbox-delivery.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { ApiError } from "../kernel/errors.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { OutboxOutcomes } from "./outcomes.ts";
import { depositRef } from "./projection.ts";
import { type WalletTx, walletDb } from "./tables.ts";

export interface WalletOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: OutboxOutcomes;
  readonly directory: Pick<AccountDirectory, "ensure" | "numberOf">;
}

/** How long a request waits for the engine before it says that it does not know. */
export const ENGINE_TIMEOUT_ms = 5_000;

export interface Credited {
  readonly account: number;
  /** False where a deposit of that name had been credited before. */
  readonly isNew: boolean;
}

/** Money that comes in: the row and the command for the engine are written together, once for every ref. */
export class Deposits {
  readonly #options: WalletOptions;

  constructor(options: WalletOptions) {
    this.#options = options;
  }

  /**
   * Credits the wallet's futures account and resolves once the engine has it. A repeated ref credits nothing and resolves
   * the same way; with another wallet or amount it is refused. Throws where the engine refuses the deposit.
   */
  async credit(address: string, amount_micros: number, ref: string): Promise<Credited> {
    const { database, dispatcher, outcomes, directory } = this.#options;
    const account = await directory.ensure(address);
    const isNew = await walletDb(database)
      .transaction()
      .execute((tx) => this.#write(tx, { address, account, amount_micros, ref }));
    dispatcher.notify();
    const outcome = await outcomes.wait(depositRef(ref), ENGINE_TIMEOUT_ms);
    if (outcome?.refused !== undefined) throw engineRefusal(outcome.refused);
    if (outcome === undefined) await this.#assertCredited(ref);
    return { account, isNew };
  }

  async #write(
    tx: WalletTx,
    { address, account, amount_micros, ref }: { address: string; account: number; amount_micros: number; ref: string },
  ): Promise<boolean> {
    const { clock, outbox } = this.#options;
    const now = new Date(clock.now());
    const row = {
      ref,
      account,
      address,
      amount_micros,
      status: "requested" as const,
      created_at: now,
      updated_at: now,
    };
    const inserted = await tx
      .insertInto("deposit")
      .values(row)
      .onConflict((conflict) => conflict.column("ref").doNothing())
      .returning("ref")
      .executeTakeFirst();
    if (inserted !== undefined) {
      const payload = { kind: "deposit", account, amount_micros };
      await outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref: depositRef(ref), payload });
      return true;
    }
    const found = await tx.selectFrom("deposit").selectAll().where("ref", "=", ref).executeTakeFirstOrThrow();
    if (found.address !== address || Number(found.amount_micros) !== amount_micros) {
      throw new ApiError(409, "DEPOSIT_CONFLICT", "a deposit of that name was for another wallet or amount");
    }
    return false;
  }

  async #assertCredited(ref: string): Promise<void> {
    const query = walletDb(this.#options.database).selectFrom("deposit").select(["status", "reason"]);
    const { status, reason } = await query.where("ref", "=", ref).executeTakeFirstOrThrow();
    if (status === "refused") throw new Error(`the deposit ${ref} was refused: ${reason}`);
    if (status === "requested") throw new OutcomeUnknown(`the engine has not answered to the deposit ${ref} yet`);
  }
}
