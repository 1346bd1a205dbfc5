import type { PayoutBatch, PayoutBatchDetail, PayoutBatchList, PayoutBatchRequest } from "@bourse/api";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { dayOf } from "../../kernel/dates.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { pageReply, readPage } from "../../kernel/pages.ts";
import { type Random, randomUuid } from "../../kernel/random.ts";
import type { Actor } from "../callers.ts";
import { readDay } from "../days.ts";
import { type Answers, inLog, type Notes, noteBatch, REBATE_BOOKS } from "../noted.ts";
import { amountText, readAmount } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { type BrokerTx, brokerDb } from "../tables.ts";
import { nextStatus } from "./batch-states.ts";
import {
  type BatchRow,
  batchList,
  changeBatch,
  findBatch,
  lockBatch,
  payeeList,
  payeesOf,
  transactionsOf,
} from "./batch-store.ts";
import { type PageQuery, readEitherPage } from "./inputs.ts";
import { type CsvPayee, csvOf, sha256Of } from "./payees-csv.ts";
import { choosePayees, takeChosen, type Wanted } from "./selection.ts";
import { batchView, payeeView } from "./views.ts";

export interface BatchesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly cursors: PageCursors;
  readonly engineRequests: Notes & Answers;
  /** For tests: the maximum number of payees of a batch. */
  readonly mostPayees?: number;
}

const BATCH_PAGE = { most: 100, usual: 20 };
const PAYEE_PAGE = { most: 500, usual: 100 };

/** BRK-14: makes batches of owed lines, shows and cancels them. `PayoutPayments` and `PayoutConfirmations` pay them. */
export class PayoutBatches {
  readonly #options: BatchesOptions;

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  async create(request: PayoutBatchRequest, actor: Actor): Promise<PayoutBatch> {
    const wanted: Wanted = {
      period: request.period === undefined ? undefined : readDay("period", request.period),
      min_amount_micros: readAmount("min_amount", request.min_amount ?? 0),
    };
    const { row, ref } = await this.#db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      if (wanted.period !== undefined) await this.#assertClosed(tx, wanted.period);
      const payees = await choosePayees(tx, wanted, this.#options.mostPayees);
      if (payees.length === 0) throw refusals.nothingToPay();
      const batch = await this.#insert(tx, wanted, payees, actor.actor);
      const ref = await noteBatch(this.#options.engineRequests, tx, batch.id);
      await this.#options.audit.append(tx, {
        ...actor,
        action: "rebate.payout.create",
        target: batch.id,
        after: { period: batch.period, total_amount: amountText(batch.total_micros), sha256: batch.sha256 },
      });
      return { row: batch, ref };
    });
    await inLog(this.#options.engineRequests, ref);
    return batchView(row, []);
  }

  /** Releases the lines of an open batch for the next batch. */
  async cancel(id: string, actor: Actor): Promise<PayoutBatch> {
    const { row, ref } = await this.#db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      const batch = await lockBatch(tx, id);
      const status = nextStatus(batch.status, "cancel");
      if (status === batch.status) return { row: batch, ref: undefined };
      // Their records stay locked: figures that a batch has shown change by adjustments only.
      await tx.deleteFrom("payout_line").where("batch_id", "=", id).execute();
      const change = { status, hold_up: null };
      const cancelled = await changeBatch(tx, id, change, this.#now());
      const ref = await noteBatch(this.#options.engineRequests, tx, id);
      const entry = { action: "rebate.payout.cancel", target: id, before: { status: batch.status }, after: { status } };
      await this.#options.audit.append(tx, { ...actor, ...entry });
      return { row: cancelled, ref };
    });
    await inLog(this.#options.engineRequests, ref);
    return batchView(row, []);
  }

  /** Newest first. */
  async list(query: PageQuery): Promise<PayoutBatchList> {
    const { part, shown } = readEitherPage(query, BATCH_PAGE);
    const list = batchList(this.#db, BATCH_PAGE);
    const page = await readPage(this.#options.cursors, { ...part, isDescending: true }, list);
    const transactions = await transactionsOf(this.#db, page.rows);
    return { ...pageReply(page, (row) => batchView(row, transactions.get(row.id) ?? []), "batches"), ...shown };
  }

  async read(id: string): Promise<PayoutBatch> {
    const row = await findBatch(this.#db, id);
    const transactions = await transactionsOf(this.#db, [row]);
    return batchView(row, transactions.get(id) ?? []);
  }

  async detail(id: string, query: PageQuery): Promise<PayoutBatchDetail> {
    const { part, shown } = readEitherPage(query, PAYEE_PAGE);
    const batch = await this.read(id);
    const page = await readPage(this.#options.cursors, part, payeeList(this.#db, id, PAYEE_PAGE));
    return { ...batch, ...pageReply(page, payeeView, "payees"), ...shown };
  }

  /** The bytes that the batch's digest covers. */
  async csv(id: string): Promise<Buffer> {
    const { sha256 } = await findBatch(this.#db, id);
    const bytes = csvOf(await payeesOf(this.#db, id));
    if (sha256Of(bytes) !== sha256) throw new Error(`the payees of the batch ${id} do not give its digest`);
    return bytes;
  }

  get #db() {
    return brokerDb(this.#options.database);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  /** WIRE-3: a provisional day cannot be batched. */
  async #assertClosed(tx: BrokerTx, period: string): Promise<void> {
    const day = await tx.selectFrom("rebate_period").select("status").where("period", "=", period).executeTakeFirst();
    if (day?.status === "closed") return;
    if (day !== undefined || period === dayOf(this.#options.clock.now())) {
      throw refusals.invalidState("provisional", `the day ${period} is not closed yet`);
    }
    throw refusals.notFound(`settlement of ${period}`);
  }

  async #insert(
    tx: BrokerTx,
    { period, min_amount_micros }: Wanted,
    payees: readonly CsvPayee[],
    created_by: string,
  ): Promise<BatchRow> {
    const now = this.#now();
    const line_count = payees.reduce((sum, payee) => sum + payee.line_count, 0);
    const row = await tx
      .insertInto("payout_batch")
      .values({
        id: randomUuid(this.#options.random),
        period: period ?? null,
        min_amount_micros,
        status: "open",
        line_count,
        payee_count: payees.length,
        total_micros: payees.reduce((sum, { amount_micros }) => sum + amount_micros, 0n),
        sha256: sha256Of(csvOf(payees)),
        created_by,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const taken = await takeChosen(tx, row.id);
    if (taken !== line_count) throw new Error(`${line_count} lines were summed and ${taken} were taken`);
    return row;
  }
}
