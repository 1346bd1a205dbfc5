import type { Deposit } from "@bourse/api";
import { engineRefusal } from "../exchange/account/refusals.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import { OutcomeUnknown } from "../exchange/host/exchange.ts";
import { COMMAND_TOPIC } from "../exchange/host/outbox-delivery.ts";
import { moneyText } from "../exchange/units.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import { MOST_micros } from "./amounts.ts";
import type { OutboxOutcomes } from "./outcomes.ts";
import { depositRef } from "./projection.ts";
import { type WalletTx, walletDb } from "./tables.ts";

export interface WalletOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: OutboxOutcomes;
  readonly directory: Pick<AccountDirectory, "decide" | "ensure" | "numberOf">;
}

/** How long a request waits for the engine before it says that it does not know. */
export const ENGINE_TIMEOUT_ms = 5_000;

/** A deposit that the Vault has seen. */
export interface SeenDeposit {
  readonly transactionHash: string;
  /** Which of the deposits of its transaction it is. */
  readonly ordinal: number;
  readonly blockNumber: number;
  /** Whose account it is for, lower case. */
  readonly address: string;
  readonly amount_micros: bigint;
}

/** Not by its place within the block: a transaction that is mined again may stand elsewhere there. */
export const chainRef = ({ transactionHash, ordinal }: Pick<SeenDeposit, "transactionHash" | "ordinal">) =>
  `chain:${transactionHash}:${ordinal}`;

/** VLT-1: money that comes in. The row and the command for the engine are written together, once for every deposit. */
export class Deposits {
  readonly #options: WalletOptions;

  constructor(options: WalletOptions) {
    this.#options = options;
  }

  /**
   * Credits a deposit, unless it was credited before its block was orphaned and is only back again. Gives false then.
   * All in the transaction that is handed over.
   */
  async record(tx: WalletTx, deposit: SeenDeposit): Promise<boolean> {
    const ref = chainRef(deposit);
    const known = await tx.selectFrom("deposit").selectAll().where("ref", "=", ref).executeTakeFirst();
    if (known === undefined) return await this.#insert(tx, ref, deposit);
    if (known.address === deposit.address && known.amount_micros === deposit.amount_micros) {
      await this.#place(tx, ref, deposit.blockNumber);
      return false;
    }
    // A contract between wallet and Vault may do otherwise when its transaction is mined again: that is another deposit.
    const other = `${ref}:${deposit.address}:${deposit.amount_micros}`;
    const knownOther = await tx.selectFrom("deposit").select("ref").where("ref", "=", other).executeTakeFirst();
    if (knownOther === undefined) return await this.#insert(tx, other, deposit);
    await this.#place(tx, other, deposit.blockNumber);
    return false;
  }

  /** The block of the deposit is no longer part of the chain. What was credited stays so, and is shown. */
  async orphan(tx: WalletTx, { transactionHash, blockNumber }: Pick<SeenDeposit, "transactionHash" | "blockNumber">) {
    const now = this.#now();
    await tx
      .updateTable("deposit")
      .set({ orphaned_at: now, block_number: null, updated_at: now })
      .where("tx_hash", "=", transactionHash)
      .where("block_number", "=", BigInt(blockNumber))
      .execute();
  }

  /** The wallet's own, by time. */
  async list(address: string, limit: number, order: "asc" | "desc"): Promise<Deposit[]> {
    const rows = await walletDb(this.#options.database)
      .selectFrom("deposit")
      .selectAll()
      .where("address", "=", address)
      .orderBy("created_at", order)
      .orderBy("ref", order)
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      status: row.status,
      amount: moneyText(row.amount_micros),
      reason: row.reason,
      tx_hash: row.tx_hash,
      block_number: row.block_number === null ? null : Number(row.block_number),
      created_time: row.created_at.getTime(),
      updated_time: row.updated_at.getTime(),
    }));
  }

  /** Resolves once the engine has credited the deposit of that name; throws where it refuses to. */
  async credited(ref: string): Promise<void> {
    const { outcomes, dispatcher } = this.#options;
    dispatcher.notify();
    const outcome = await outcomes.wait(depositRef(ref), ENGINE_TIMEOUT_ms);
    if (outcome?.refused !== undefined) throw engineRefusal(outcome.refused);
    if (outcome === undefined) await this.#assertCredited(ref);
  }

  async #insert(tx: WalletTx, ref: string, deposit: SeenDeposit): Promise<boolean> {
    const { outbox, directory } = this.#options;
    const { address, amount_micros, transactionHash: tx_hash, blockNumber: block_number } = deposit;
    const account = await directory.decide(tx, address);
    const now = this.#now();
    // More than the engine takes at once: the tokens stay in the Vault until somebody has looked.
    const isTaken = amount_micros <= MOST_micros;
    const status = isTaken ? ("requested" as const) : ("refused" as const);
    const reason = isTaken ? null : "balance_limit";
    await tx
      .insertInto("deposit")
      .values({
        ref,
        account,
        address,
        amount_micros,
        status,
        reason,
        tx_hash,
        block_number,
        created_at: now,
        updated_at: now,
      })
      .execute();
    if (!isTaken) return true;
    const payload = { kind: "deposit", account, amount_micros: Number(amount_micros) };
    await outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref: depositRef(ref), payload });
    return true;
  }

  async #place(tx: WalletTx, ref: string, block_number: number): Promise<void> {
    await tx
      .updateTable("deposit")
      .set({ orphaned_at: null, block_number, updated_at: this.#now() })
      .where("ref", "=", ref)
      .execute();
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  async #assertCredited(ref: string): Promise<void> {
    const query = walletDb(this.#options.database).selectFrom("deposit").select(["status", "reason"]);
    const { status, reason } = await query.where("ref", "=", ref).executeTakeFirstOrThrow();
    if (status === "refused") throw new Error(`the deposit ${ref} was refused: ${reason}`);
    if (status === "requested") throw new OutcomeUnknown(`the engine has not answered to the deposit ${ref} yet`);
  }
}
