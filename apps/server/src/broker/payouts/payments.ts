import { plainReason } from "../../chain/client.ts";
import type { SyncStep } from "../../chain/indexer/follower.ts";
import { COMMAND_TOPIC } from "../../exchange/host/outbox-delivery.ts";
import type { Projector } from "../../exchange/projector/projector.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Log } from "../../kernel/log.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../../kernel/outbox/outbox.ts";
import type { RebateSync, RebateSyncReport } from "../../referral/rebate-sync.ts";
import type { OutboxOutcomes } from "../../wallet/outcomes.ts";
import type { Actor } from "../callers.ts";
import { amountText } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { REBATE_BOOKS } from "../settlement/settle.ts";
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
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: Pick<OutboxOutcomes, "wait">;
  readonly projector: Pick<Projector, "waitForAll">;
  readonly rebates: Pick<RebateSync, "send">;
  /** How long a request waits for the payees to be credited. */
  readonly wait_ms?: number;
}

const WAIT_ms = 20_000;
const ENGINE_TIMEOUT_ms = 5_000;
/** A step of `chain-sync` waits no longer: others come after it, and the payment goes on meanwhile. */
const STEP_WAIT_ms = 5_000;
const STOP_WAIT_ms = 5_000;
const TRANSACTION_WAIT_ms = 60_000;
const MOST_IN_STEP = 20;

/**
 * BRK-14: pays batches through the chain. The fee account gives the total, the Vault pays it to the operator, the referral
 * contract takes it from there and credits the payees. Every step has a name of its own under which it happens once, and is
 * asked for again until it has happened; payees turn paid by their transaction's receipt only.
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

  /** Pays the batch, or goes on with it, and returns once that is done or takes too long to be waited for. */
  async pay(id: string, actor: Actor): Promise<void> {
    const batch = await this.#begin(id, actor);
    if (batch.status !== "paying") return;
    this.#options.dispatcher.notify();
    if (!batch.is_taken) await this.#assertNotRefused(batch);
    await inTime(this.#drive(id), this.#options.wait_ms ?? WAIT_ms);
  }

  /** Goes on with whatever is on its way: at the start, and whenever the chain was read. */
  readonly run = async (): Promise<{ readonly paid: number; readonly paying: number }> => {
    const ids = await payingBatches(this.#db, MOST_IN_STEP);
    if (ids.length === 0) return { paid: 0, paying: 0 };
    await inTime(Promise.all(ids.map((id) => this.#drive(id))), STEP_WAIT_ms);
    const paying = new Set(await payingBatches(this.#db, MOST_IN_STEP));
    const left = ids.filter((id) => paying.has(id)).length;
    return { paid: ids.length - left, paying: left };
  };

  /** Begins nothing more. What is under way is in the database and goes on at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await inTime(Promise.allSettled(this.#underWay.values()), STOP_WAIT_ms);
  }

  get #db() {
    return brokerDb(this.#options.database);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  /** The decision and the question to the engine are written together. */
  async #begin(id: string, actor: Actor): Promise<BatchRow> {
    const { outbox, audit } = this.#options;
    return await this.#db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      const batch = await lockBatch(tx, id);
      const status = nextStatus(batch.status, "pay");
      if (status === batch.status) return batch;
      const attempt = batch.attempt + 1;
      const begun = await changeBatch(tx, id, { status, way: "chain", attempt, hold_up: null }, this.#now());
      const payload = { kind: "pay_out", amount_micros: Number(begun.total_micros) };
      await outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref: takeRef(begun), payload });
      const after = { status, attempt, total_amount: amountText(begun.total_micros) };
      const entry = { action: "rebate.payout.pay", target: id, before: { status: batch.status }, after };
      await audit.append(tx, { ...actor, ...entry });
      return begun;
    });
  }

  async #assertNotRefused(batch: BatchRow): Promise<void> {
    const { outcomes, projector } = this.#options;
    const refused = (await outcomes.wait(takeRef(batch), ENGINE_TIMEOUT_ms))?.refused;
    if (refused === undefined) return;
    // Whoever asks next finds the batch open.
    await projector.waitForAll();
    const { reason, limit, actual } = refused;
    if (reason !== "fee_account_short") throw refusals.payoutRefused(reason);
    throw refusals.feeAccountTooSmall(amountText(BigInt(limit)), amountText(BigInt(actual)));
  }

  /** Those who ask for the same batch share one way. */
  #drive(id: string): Promise<void> {
    const known = this.#underWay.get(id);
    if (known !== undefined) return known;
    const drive = this.#attempt(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, drive);
    // Nobody may be waiting any more when it fails.
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

  /** The batch, once the fee account has given its total. */
  async #taken(id: string): Promise<BatchRow | undefined> {
    const seen = await findBatch(this.#db, id);
    if (seen.status !== "paying") return undefined;
    if (seen.is_taken) return seen;
    await this.#options.projector.waitForAll();
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

  /** These payees are credited in a block that counts. */
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

/** Why the first part that is not credited is not; null while it is on its way. */
function holdUpOf({ parts }: RebateSyncReport): string | null {
  for (const { outcome } of parts) {
    if (outcome.state === "failed" || outcome.state === "unknown") return outcome.reason;
  }
  return null;
}

/** Waits for the work, but no longer than this; it goes on then. */
async function inTime(work: Promise<unknown>, most_ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, most_ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
