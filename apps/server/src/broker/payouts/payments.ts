import { plainReason, type SyncStep } from "../../chain/index.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { unlessLate } from "../../kernel/late.ts";
import type { Log } from "../../kernel/log.ts";
import { within } from "../../kernel/wait.ts";
import type { RebateSync, RebateSyncReport } from "../../referral/index.ts";
import type { Actor } from "../callers.ts";
import { REBATE_BOOKS } from "../noted.ts";
import { amountText } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { brokerDb } from "../tables.ts";
import { movedBy, nextStatus } from "./batch-states.ts";
import { type BatchRow, changeBatch, findBatch, lockBatch, payeesOf, payingBatches } from "./batch-store.ts";
import { hasUnpaid, markPaid } from "./marking.ts";
import { payoutRef, takeRef } from "./payout-id.ts";
import { VaultFunding, type VaultFundingOptions } from "./vault-funding.ts";

export interface PayoutPaymentsOptions extends VaultFundingOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly audit: AuditLog;
  readonly engineRequests: Pick<EngineRequests, "tell" | "stored" | "note" | "answer">;
  readonly rebates: Pick<RebateSync, "send">;
  /** How long a request waits for the payees to be credited. */
  readonly wait_ms?: number;
}

const WAIT_ms = 20_000;
const ENGINE_TIMEOUT_ms = 5_000;
/** How long a step of `chain-sync` waits: other steps follow it, and the payment continues in the background. */
const STEP_WAIT_ms = 5_000;
const STOP_WAIT_ms = 5_000;
const TRANSACTION_WAIT_ms = 60_000;
const MAX_IN_STEP = 20;

/**
 * BRK-14: pays batches through the chain. The fee account gives the total, the Vault pays it to the operator, and the referral
 * contract takes it from the operator and credits the payees. Each step has a reference under which it happens once, and is
 * repeated until it has happened. Payees become paid by their transaction's receipt only.
 */
export class PayoutPayments implements SyncStep {
  readonly name = "payouts";
  readonly #options: PayoutPaymentsOptions;
  readonly #funding: VaultFunding;
  readonly #underWay = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: PayoutPaymentsOptions) {
    this.#options = options;
    this.#funding = new VaultFunding(options);
  }

  /** Starts or continues the payment, and returns when it is done or the wait is over. */
  async pay(id: string, actor: Actor): Promise<void> {
    const batch = await this.#begin(id, actor);
    if (batch.status !== "paying") return;
    if (!batch.is_taken) await this.#assertNotRefused(batch);
    await within(this.#drive(id), this.#options.wait_ms ?? WAIT_ms);
  }

  /** Continues all payments in progress: at the start, and after each read of the chain. */
  readonly run = async (): Promise<{ readonly paid: number; readonly paying: number }> => {
    const ids = await payingBatches(this.#db, MAX_IN_STEP);
    if (ids.length === 0) return { paid: 0, paying: 0 };
    await within(Promise.all(ids.map((id) => this.#drive(id))), STEP_WAIT_ms);
    const paying = new Set(await payingBatches(this.#db, MAX_IN_STEP));
    const left = ids.filter((id) => paying.has(id)).length;
    return { paid: ids.length - left, paying: left };
  };

  /** Starts nothing more. Payments in progress are in the database and continue after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await within(Promise.allSettled(this.#underWay.values()), STOP_WAIT_ms);
  }

  get #db() {
    return brokerDb(this.#options.database);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  /** Writes the decision and the engine's command in one transaction. */
  async #begin(id: string, actor: Actor): Promise<BatchRow> {
    const { engineRequests, audit } = this.#options;
    return await this.#db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      const batch = await lockBatch(tx, id);
      const status = nextStatus(batch.status, "pay");
      if (status === batch.status) return batch;
      const attempt = batch.attempt + 1;
      const begun = await changeBatch(tx, id, { status, way: "chain", attempt, hold_up: null }, this.#now());
      const amount_micros = Number(begun.total_micros);
      await engineRequests.tell(tx, takeRef(begun), { kind: "pay_out", amount_micros });
      const after = { status, attempt, total_amount: amountText(begun.total_micros) };
      const entry = { action: "rebate.payout.pay", target: id, before: { status: batch.status }, after };
      await audit.append(tx, { ...actor, ...entry });
      return begun;
    });
  }

  async #assertNotRefused(batch: BatchRow): Promise<void> {
    const { engineRequests } = this.#options;
    const answer = await unlessLate(engineRequests.stored(takeRef(batch), ENGINE_TIMEOUT_ms));
    if (answer?.refused === undefined) return;
    const { reason, limit, actual } = answer.refused;
    if (reason !== "fee_account_short") throw refusals.payoutRefused(reason);
    throw refusals.feeAccountTooSmall(amountText(BigInt(limit)), amountText(BigInt(actual)));
  }

  /** Concurrent calls for the same batch share one run. */
  #drive(id: string): Promise<void> {
    const known = this.#underWay.get(id);
    if (known !== undefined) return known;
    const drive = this.#attempt(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, drive);
    // When it fails, possibly no caller waits for it any more.
    drive.catch((err: unknown) => this.#options.log.error({ err, batch: id }, "a payout could not be looked after"));
    return drive;
  }

  async #attempt(id: string): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#advance(id);
    } catch (err) {
      this.#options.log.error({ err, batch: id }, "a payout waits");
      await this.#holdUp(id, plainReason(err));
    }
  }

  async #advance(id: string): Promise<void> {
    const batch = await this.#taken(id);
    if (batch === undefined || !(await this.#fund(batch))) return;
    const lines = (await payeesOf(this.#db, id)).map(({ payee: address, amount_micros }) => ({
      address,
      amount_micros,
    }));
    const report = await this.#options.rebates.send(payoutRef(id), lines);
    for (const { users, outcome } of report.parts) {
      if (outcome.state === "synced") await this.#book(id, users, outcome.tx_hash);
    }
    if (!report.isComplete) await this.#holdUp(id, holdUpOf(report));
  }

  /** The batch after the fee account has given its total. */
  async #taken(id: string): Promise<BatchRow | undefined> {
    const batch = await findBatch(this.#db, id);
    return batch.status === "paying" && batch.is_taken ? batch : undefined;
  }

  async #fund(batch: BatchRow): Promise<boolean> {
    if (batch.vault_tx_hash !== null) return true;
    const funding = await this.#funding.fund(batch, TRANSACTION_WAIT_ms);
    if (!funding.isFunded) {
      await this.#holdUp(batch.id, funding.why);
      return false;
    }
    const { tx_hash: vault_tx_hash } = funding;
    const change = { vault_tx_hash, status: movedBy(batch.status, "funded"), hold_up: null, updated_at: this.#now() };
    await this.#db
      .updateTable("payout_batch")
      .set(change)
      .where("id", "=", batch.id)
      .where("status", "=", batch.status)
      .execute();
    return true;
  }

  /** Books payees that are credited in a final block. */
  async #book(id: string, payees: readonly string[], txHash: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      const { status } = await lockBatch(tx, id);
      const now = this.#now();
      await markPaid(tx, { batchId: id, payees, txHash, now });
      const isDone = !(await hasUnpaid(tx, id));
      const next = movedBy(status, isDone ? "all_paid" : "part_paid");
      if (next !== status) await changeBatch(tx, id, { status: next, hold_up: null, paid_at: now }, now);
    });
  }

  async #holdUp(id: string, why: string | null): Promise<void> {
    const hold_up = why?.replaceAll(/\s+/g, " ") ?? null;
    await this.#db
      .updateTable("payout_batch")
      .set({ hold_up, updated_at: this.#now() })
      .where("id", "=", id)
      .where("status", "=", "paying")
      .where("hold_up", "is distinct from", hold_up)
      .execute();
  }
}

/** Why the first part that is not credited is held up; null while it is in progress. */
function holdUpOf({ parts }: RebateSyncReport): string | null {
  for (const { outcome } of parts) {
    if (outcome.state === "failed" || outcome.state === "unknown") return outcome.reason;
  }
  return null;
}
