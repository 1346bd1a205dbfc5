import { vaultAbi } from "@bourse/contracts";
import type { Selectable } from "kysely";
import { type Address, encodeFunctionData } from "viem";
import type { Operator, OperatorOutcome } from "../chain/operator/operator.ts";
import { COMMAND_TOPIC } from "../exchange/host/outbox-delivery.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import { settleRef } from "./projection.ts";
import type { Switches } from "./switches.ts";
import { type WithdrawalTable, walletDb } from "./tables.ts";
import { vaultRefusalOf } from "./vault-refusals.ts";
import { vaultIdOf } from "./withdrawal-id.ts";
import { type WithdrawalEvent, withdrawalMoves } from "./withdrawal-states.ts";

export interface PaymentsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly operator: Pick<Operator, "submit" | "outcomeOf">;
  readonly vault: Address;
  readonly switches: Switches;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  /** Resolves once the database has what the engine said so far. */
  readonly projected: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

type Row = Selectable<WithdrawalTable>;

/** What a round did. */
export interface PaymentRound {
  readonly sent: number;
  readonly rejected: number;
  readonly waiting: number;
}

const MOST_IN_ROUND = 200;

/** Names a payment to the operator: the same name is the same transaction, for ever. */
export const paymentRef = ({ id, attempt }: Pick<Row, "id" | "attempt">) =>
  attempt === 1 ? `withdrawal:${id}` : `withdrawal:${id}:${attempt}`;

/**
 * VLT-1: sends what is held. The operator stores each transaction before it leaves, and the Vault pays an id once, so a
 * round can be cut off at any line and repeated. Whether something was paid is not decided here: the Vault's event says so.
 */
export class Payments {
  readonly #options: PaymentsOptions;
  #running: Promise<PaymentRound> | undefined;
  #isAskedFor = false;
  #isStopped = false;

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** Says that there is something to send: it is looked for now, or after the round that is under way. */
  notify(): void {
    if (this.#isStopped) return;
    this.#isAskedFor = true;
    if (this.#running === undefined) void this.run().catch(this.#options.onError);
  }

  /** Sends what can be sent. Those who ask at the same time share one round. */
  run(): Promise<PaymentRound> {
    if (this.#running !== undefined) return this.#running;
    this.#isAskedFor = false;
    this.#running = this.#round().finally(() => {
      this.#running = undefined;
      if (this.#isAskedFor) this.notify();
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => undefined);
  }

  async #round(): Promise<PaymentRound> {
    await this.#options.projected();
    const round = { sent: 0, rejected: 0, waiting: 0 };
    for (const row of await this.#open()) {
      if (this.#isStopped) break;
      const held = row.status === "sent" ? await this.#watch(row) : row;
      if (held === undefined) continue;
      const { withdrawals_paused } = await this.#options.switches.read();
      if (withdrawals_paused) {
        round.waiting += 1;
        continue;
      }
      round[await this.#send(held)] += 1;
    }
    return round;
  }

  #open(): Promise<Row[]> {
    return walletDb(this.#options.database)
      .selectFrom("withdrawal")
      .selectAll()
      .where("status", "in", ["held", "sent"])
      .orderBy("created_at")
      .orderBy("id")
      .limit(MOST_IN_ROUND)
      .execute();
  }

  /** Looks at what was sent. One that can never be paid any more is held again, for another attempt. */
  async #watch(row: Row): Promise<Row | undefined> {
    const outcome = await this.#options.operator.outcomeOf(paymentRef(row));
    if (outcome === undefined || (outcome.state !== "reverted" && outcome.state !== "not_sent")) return undefined;
    return await this.#move(row, "failed", { attempt: row.attempt + 1 });
  }

  async #send(row: Row): Promise<"sent" | "rejected" | "waiting"> {
    const { operator, vault } = this.#options;
    const args = [vaultIdOf(row.id), row.to_address as Address, row.amount_micros] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "withdraw", args });
    const outcome = await operator.submit({ ref: paymentRef(row), to: vault, data });
    return await this.#judge(row, outcome);
  }

  async #judge(row: Row, outcome: OperatorOutcome): Promise<"sent" | "rejected" | "waiting"> {
    if (outcome.state === "reverted") {
      await this.#move(row, "failed", { attempt: row.attempt + 1 });
      return "waiting";
    }
    if (outcome.state === "not_sent") {
      // Its nonce was used by another one: nothing of it can come any more.
      if (outcome.cause === undefined) await this.#move(row, "failed", { attempt: row.attempt + 1 });
      return await this.#refused(row, outcome.reason, outcome.cause);
    }
    if (outcome.state === "unknown" && outcome.reason !== null) {
      await this.#holdUp(row, outcome.reason);
      return "waiting";
    }
    await this.#move(row, "submitted", { tx_hash: outcome.hash, hold_up: null });
    return "sent";
  }

  async #refused(row: Row, reason: string, cause: unknown): Promise<"rejected" | "waiting"> {
    const refusal = vaultRefusalOf(cause);
    const isPaid = row.settled_at !== null;
    if (refusal?.isForEver === true && !isPaid) return await this.#reject(row, refusal.name ?? reason);
    await this.#holdUp(row, refusal?.name ?? reason);
    return "waiting";
  }

  /** It will never be paid: the engine gives the amount back, by a command that is written together with the end. */
  async #reject(row: Row, reason: string): Promise<"rejected"> {
    const { database, outbox, dispatcher } = this.#options;
    const now = this.#now();
    await walletDb(database)
      .transaction()
      .execute(async (tx) => {
        const moved = await tx
          .updateTable("withdrawal")
          .set({ status: withdrawalMoves.held.impossible, reason, hold_up: null, settled_at: now, updated_at: now })
          .where("id", "=", row.id)
          .where("status", "=", "held")
          .returning("id")
          .executeTakeFirst();
        if (moved === undefined) return;
        const { account, amount_micros } = row;
        const payload = { kind: "settle_withdrawal", account, amount_micros: Number(amount_micros), isDone: false };
        await outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref: settleRef(row.id), payload });
      });
    dispatcher.notify();
    return "rejected";
  }

  /** Says why it waits, unless the Vault's event came in between: what is paid waits for nothing. */
  async #holdUp(row: Row, why: string): Promise<void> {
    const hold_up = why.replaceAll(/\s+/g, " ");
    if (row.hold_up === hold_up) return;
    await walletDb(this.#options.database)
      .updateTable("withdrawal")
      .set({ hold_up })
      .where("id", "=", row.id)
      .where("status", "=", "held")
      .execute();
  }

  /** Moves the withdrawal on from where it was seen; one that has moved meanwhile, such as by being paid, is left alone. */
  async #move(
    row: Row,
    event: WithdrawalEvent,
    change: { readonly attempt?: number; readonly tx_hash?: string; readonly hold_up?: null },
  ): Promise<Row | undefined> {
    return await walletDb(this.#options.database)
      .updateTable("withdrawal")
      .set({ ...change, status: withdrawalMoves[row.status][event], updated_at: this.#now() })
      .where("id", "=", row.id)
      .where("status", "=", row.status)
      .returningAll()
      .executeTakeFirst();
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
