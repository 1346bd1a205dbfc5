import type { Selectable } from "kysely";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Plain } from "../kernel/database/plain-rows.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Actor } from "../kernel/http/callers.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { type Page, type PageRequest, readPage } from "../kernel/pages.ts";
import { moneyText } from "../kernel/units.ts";
import { reviewed } from "./holds.ts";
import { settleRef } from "./projection.ts";
import { type WithdrawalTable, walletDb } from "./tables.ts";
import { withdrawalStates } from "./withdrawal-states.ts";

export interface WithdrawalReviewsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly engineRequests: Pick<EngineRequests, "tell" | "notify">;
  /** Called when a withdrawal can be sent. */
  readonly onHeld: () => void;
}

type Row = Selectable<WithdrawalTable>;

/** Why a withdrawal that staff refused was rejected. */
export const DECLINED = "review_refused";

/** BON-12, VLT-4: staff lets a withdrawal go that waits for review, or refuses it. Each ends a review once. */
export class WithdrawalReviews {
  readonly #options: WithdrawalReviewsOptions;

  constructor(options: WithdrawalReviewsOptions) {
    this.#options = options;
  }

  /** The withdrawals that wait, the oldest first. */
  page(cursors: PageCursors, request: PageRequest): Promise<Page<Plain<Row>>> {
    return readPage(cursors, request, {
      name: ["withdrawal-reviews"],
      order: { created_at: "timestamptz", id: "uuid" },
      select: () =>
        walletDb(this.#options.database).selectFrom("withdrawal").selectAll().where("status", "=", "in_review"),
    });
  }

  async release(id: string, actor: Actor, reason: string): Promise<Row> {
    const now = new Date(this.#options.clock.now());
    const status = withdrawalStates.next("in_review", "released");
    const row = await this.#decide(
      id,
      { status, ...reviewed(now) },
      { ...actor, reason, action: "withdrawal.release" },
    );
    this.#options.onHeld();
    return row;
  }

  /** The amount goes back into the account: the command for that is written together with the refusal. */
  async refuse(id: string, actor: Actor, reason: string): Promise<Row> {
    const now = new Date(this.#options.clock.now());
    const status = withdrawalStates.next("in_review", "declined");
    const change = { status, ...reviewed(now), reason: DECLINED, settled_at: now };
    const row = await this.#decide(id, change, { ...actor, reason, action: "withdrawal.refuse" });
    this.#options.engineRequests.notify();
    return row;
  }

  #decide(
    id: string,
    change: { readonly status: Row["status"]; readonly reason: string | null; readonly settled_at?: Date },
    entry: Actor & { readonly action: string; readonly reason: string },
  ): Promise<Row> {
    const { database, audit, engineRequests } = this.#options;
    return walletDb(database)
      .transaction()
      .execute(async (tx) => {
        const before = await tx
          .selectFrom("withdrawal")
          .selectAll()
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (before === undefined) throw new ApiError(404, "WITHDRAWAL_NOT_FOUND", "there is no such withdrawal");
        if (before.status !== "in_review") {
          const details = { rule: "in_review", actual: before.status };
          throw new ApiError(409, "NOT_IN_REVIEW", "the withdrawal does not wait for review", { details });
        }
        const row = await tx
          .updateTable("withdrawal")
          .set(change)
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const { account, amount_micros } = row;
        await audit.append(tx, {
          ...entry,
          target: id,
          before: { status: before.status, reason: before.reason, amount: moneyText(amount_micros) },
          after: { status: row.status, reason: row.reason },
        });
        if (row.status === "rejected") {
          const settled = { account, amount_micros: Number(amount_micros), isDone: false };
          await engineRequests.tell(tx, settleRef(id), { kind: "settle_withdrawal", ...settled });
        }
        return row;
      });
  }
}
