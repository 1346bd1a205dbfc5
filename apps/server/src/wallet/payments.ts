import { vaultAbi } from "@bourse/contracts";
import type { Selectable } from "kysely";
import { type Address, encodeFunctionData } from "viem";
import type { Operator, OperatorOutcome } from "../chain/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { WithdrawalHolds } from "./holds.ts";
import { settleRef } from "./projection.ts";
import type { Switches } from "./switches.ts";
import { type WithdrawalTable, walletDb } from "./tables.ts";
import { vaultRefusalOf } from "./vault-refusals.ts";
import { vaultIdOf } from "./withdrawal-id.ts";
import { type WithdrawalEvent, withdrawalStates } from "./withdrawal-states.ts";

export interface PaymentsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly operator: Pick<Operator, "submit" | "outcomeOf">;
  readonly vault: Address;
  readonly switches: Switches;
  /** BON-12, VLT-4: asked before each payment. */
  readonly holds: Pick<WithdrawalHolds, "judge" | "releaseDue">;
  readonly engineRequests: Pick<EngineRequests, "tell" | "notify">;
  /** Resolves when the database contains the engine's events so far. */
  readonly projected: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

type Row = Selectable<WithdrawalTable>;

/** The counts of a round. */
export interface PaymentRound {
  readonly sent: number;
  readonly rejected: number;
  readonly waiting: number;
}

const MAX_IN_ROUND = 200;

/** The operator's reference of a payment: the same reference is the same transaction for ever. */
export const paymentRef = ({ id, attempt }: Pick<Row, "id" | "attempt">) =>
  attempt === 1 ? `withdrawal:${id}` : `withdrawal:${id}:${attempt}`;

/**
 * VLT-1: sends held withdrawals that no hold touches. The operator stores each transaction before it is sent, and the Vault pays an id once, so a round
 * can be interrupted at any line and repeated. Only the Vault's event decides whether a withdrawal is paid.
 */
export class Payments {
  readonly #options: PaymentsOptions;
  #running: Promise<PaymentRound> | undefined;
  #isAskedFor = false;
  #isStopped = false;

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** Signals that there may be something to send: a round runs now, or after the one in progress. */
  notify(): void {
    if (this.#isStopped) return;
    this.#isAskedFor = true;
    if (this.#running === undefined) void this.run().catch(this.#options.onError);
  }

  /** Sends what can be sent. Concurrent calls share one round. */
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
    await this.#options.holds.releaseDue();
    const round = { sent: 0, rejected: 0, waiting: 0 };
    for (const row of await this.#open()) {
      if (this.#isStopped) break;
      const held = row.status === "sent" ? await this.#watch(row) : row;
      if (held === undefined) continue;
      if (await this.#options.holds.judge(held)) {
        round.waiting += 1;
        continue;
      }
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
      .limit(MAX_IN_ROUND)
      .execute();
  }

  /** Checks a sent payment. One that can never be mined becomes held again, for another attempt. */
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
      // Another transaction used its nonce: this payment can never be mined.
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

  /** The withdrawal will never be paid: the command that returns the amount is written together with the end. */
  async #reject(row: Row, reason: string): Promise<"rejected"> {
    const { database, engineRequests } = this.#options;
    const now = this.#now();
    await walletDb(database)
      .transaction()
      .execute(async (tx) => {
        const moved = await tx
          .updateTable("withdrawal")
          .set({
            status: withdrawalStates.next("held", "impossible"),
            reason,
            hold_up: null,
            settled_at: now,
            updated_at: now,
          })
          .where("id", "=", row.id)
          .where("status", "=", "held")
          .returning("id")
          .executeTakeFirst();
        if (moved === undefined) return;
        const { account, amount_micros } = row;
        const settled = { account, amount_micros: Number(amount_micros), isDone: false };
        await engineRequests.tell(tx, settleRef(row.id), { kind: "settle_withdrawal", ...settled });
      });
    engineRequests.notify();
    return "rejected";
  }

  /** Records why it waits, unless the Vault's event arrived meanwhile. */
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

  /** Changes the status, if it is still the one that was read; a withdrawal that was paid meanwhile is not changed. */
  async #move(
    row: Row,
    event: WithdrawalEvent,
    change: { readonly attempt?: number; readonly tx_hash?: string; readonly hold_up?: null },
  ): Promise<Row | undefined> {
    return await walletDb(this.#options.database)
      .updateTable("withdrawal")
      .set({ ...change, status: withdrawalStates.next(row.status, event), updated_at: this.#now() })
      .where("id", "=", row.id)
      .where("status", "=", row.status)
      .returningAll()
      .executeTakeFirst();
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
