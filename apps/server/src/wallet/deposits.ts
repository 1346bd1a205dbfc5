import type { Deposit } from "@bourse/api";
import type { Selectable } from "kysely";
import { type AccountDirectory, engineRefusal } from "../exchange/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Plain } from "../kernel/database/plain-rows.ts";
import { AnswerLate, type EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import { unlessLate } from "../kernel/late.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { type Page, readPage, type TimedPageRequest } from "../kernel/pages.ts";
import { moneyText } from "../kernel/units.ts";
import { MAX_micros } from "./amounts.ts";
import { depositRef } from "./projection.ts";
import { type DepositTable, type WalletTx, walletDb } from "./tables.ts";

export interface WalletOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly engineRequests: Pick<EngineRequests, "tell" | "answer">;
  readonly directory: Pick<AccountDirectory, "decide" | "ensure" | "numberOf">;
}

/** A deposit reported by the Vault. */
export interface SeenDeposit {
  readonly transactionHash: string;
  /** Its index among the deposits of its transaction. */
  readonly ordinal: number;
  readonly blockNumber: number;
  /** The credited wallet, lower case. */
  readonly address: string;
  readonly amount_micros: bigint;
}

/** Does not contain the index within the block, which may change if the transaction is mined again. */
export const chainRef = ({ transactionHash, ordinal }: Pick<SeenDeposit, "transactionHash" | "ordinal">) =>
  `chain:${transactionHash}:${ordinal}`;

type DepositRow = Plain<Selectable<DepositTable>>;

export const depositView = (row: DepositRow): Deposit => ({
  status: row.status,
  amount: moneyText(row.amount_micros),
  reason: row.reason,
  tx_hash: row.tx_hash,
  block_number: row.block_number === null ? null : Number(row.block_number),
  created_time: row.created_at.getTime(),
  updated_time: row.updated_at.getTime(),
});

/** VLT-1: deposits. The row and the engine's command are written in one transaction, once per deposit. */
export class Deposits {
  readonly #options: WalletOptions;

  constructor(options: WalletOptions) {
    this.#options = options;
  }

  /**
   * Credits a deposit. Returns false if it was credited before its block was orphaned and is only mined again. Uses the caller's
   * transaction.
   */
  async record(tx: WalletTx, deposit: SeenDeposit): Promise<boolean> {
    const ref = chainRef(deposit);
    const known = await tx.selectFrom("deposit").selectAll().where("ref", "=", ref).executeTakeFirst();
    if (known === undefined) return await this.#insert(tx, ref, deposit);
    if (known.address === deposit.address && known.amount_micros === deposit.amount_micros) {
      await this.#place(tx, ref, deposit.blockNumber);
      return false;
    }
    // A contract between wallet and Vault may deposit differently when its transaction is mined again: that is another deposit.
    const other = `${ref}:${deposit.address}:${deposit.amount_micros}`;
    const knownOther = await tx.selectFrom("deposit").select("ref").where("ref", "=", other).executeTakeFirst();
    if (knownOther === undefined) return await this.#insert(tx, other, deposit);
    await this.#place(tx, other, deposit.blockNumber);
    return false;
  }

  /** The deposit's block is no longer part of the chain. The credit stays, and the deposit is shown as orphaned. */
  async orphan(tx: WalletTx, { transactionHash, blockNumber }: Pick<SeenDeposit, "transactionHash" | "blockNumber">) {
    const now = this.#now();
    await tx
      .updateTable("deposit")
      .set({ orphaned_at: now, block_number: null, updated_at: now })
      .where("tx_hash", "=", transactionHash)
      .where("block_number", "=", BigInt(blockNumber))
      .execute();
  }

  /** The wallet's own deposits, by time. */
  page(cursors: PageCursors, address: string, request: TimedPageRequest): Promise<Page<DepositRow>> {
    return readPage(cursors, request, {
      name: ["deposits", address],
      order: { created_at: "timestamptz", ref: "text" },
      select: () => walletDb(this.#options.database).selectFrom("deposit").selectAll().where("address", "=", address),
    });
  }

  /** Resolves when the engine has credited the deposit of that reference; throws if it refuses. */
  async credited(ref: string): Promise<void> {
    const answer = await unlessLate(this.#options.engineRequests.answer(depositRef(ref)));
    if (answer?.refused !== undefined) throw engineRefusal(answer.refused);
    if (answer === undefined) await this.#assertCredited(ref);
  }

  async #insert(tx: WalletTx, ref: string, deposit: SeenDeposit): Promise<boolean> {
    const { engineRequests, directory } = this.#options;
    const { address, amount_micros, transactionHash: tx_hash, blockNumber: block_number } = deposit;
    const account = await directory.decide(tx, address);
    const now = this.#now();
    // More than the engine's maximum: the tokens stay in the Vault until an operator decides.
    const isTaken = amount_micros <= MAX_micros;
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
    const command = { kind: "deposit", account, amount_micros: Number(amount_micros) } as const;
    await engineRequests.tell(tx, depositRef(ref), command);
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
    if (status === "requested") throw new AnswerLate(depositRef(ref));
  }
}
