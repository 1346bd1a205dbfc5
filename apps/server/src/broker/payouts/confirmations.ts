import type { Hex } from "viem";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Actor } from "../callers.ts";
import { type Answers, inLog, type Notes, noteBatch, REBATE_BOOKS } from "../noted.ts";
import { refusals } from "../refusals.ts";
import { type BrokerDb, brokerDb } from "../tables.ts";
import { nextStatus } from "./batch-states.ts";
import { type BatchRow, changeBatch, findBatch, lockBatch, payeesOf } from "./batch-store.ts";
import { markPaid } from "./marking.ts";
import { assertCovered, type OutsidePaymentOptions, readPayment } from "./outside-payment.ts";

export interface ConfirmationsOptions extends OutsidePaymentOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly engineRequests: Notes & Answers;
}

/** BRK-14: batches that were paid outside the platform. */
export class PayoutConfirmations {
  readonly #options: ConfirmationsOptions;

  constructor(options: ConfirmationsOptions) {
    this.#options = options;
  }

  /** Marks the batch paid by the transaction, if its logs cover every payee. */
  async confirm(id: string, hash: Hex, actor: Actor): Promise<void> {
    const db = brokerDb(this.#options.database);
    if (await isConfirmedBy(db, await findBatch(db, id), hash)) return;
    const paid = await readPayment(this.#options, hash);
    assertCovered(await payeesOf(db, id), paid);
    const ref = await db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      const batch = await lockBatch(tx, id);
      if (await isConfirmedBy(tx, batch, hash)) return undefined;
      const now = new Date(this.#options.clock.now());
      const status = nextStatus(batch.status, "confirm");
      const change = { status, way: "outside" as const, outside_tx_hash: hash, hold_up: null, paid_at: now };
      await changeBatch(tx, id, change, now);
      const ref = await noteBatch(this.#options.engineRequests, tx, id);
      await markPaid(tx, { batchId: id, payees: undefined, txHash: hash, now });
      const after = { status, payment_tx_hash: hash };
      const entry = { action: "rebate.payout.confirm", target: id, before: { status: batch.status }, after };
      await this.#options.audit.append(tx, { ...actor, ...entry });
      return ref;
    });
    await inLog(this.#options.engineRequests, ref);
  }
}

/** Whether the batch was confirmed by this transaction already; refused if it cannot be confirmed. */
async function isConfirmedBy(db: BrokerDb, batch: BatchRow, hash: Hex): Promise<boolean> {
  if (batch.outside_tx_hash === hash) return true;
  nextStatus(batch.status, "confirm");
  const query = db.selectFrom("payout_batch").select("id").where("outside_tx_hash", "=", hash);
  if ((await query.executeTakeFirst()) !== undefined) throw refusals.paymentAlreadyUsed();
  return false;
}
