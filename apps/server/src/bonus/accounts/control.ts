import type { BonusControlReply } from "@bourse/api";
import type { EngineRequest } from "../../kernel/engine-requests/engine-requests.ts";
import { ApiError, type RefusalDetails } from "../../kernel/errors.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import type { Actor } from "../callers.ts";
import type { BonusOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { beginRequest, findRequest, noteAudit, type RequestKey, type RequestRow } from "../requests.ts";
import { type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { type ControlAction, controlRef } from "./refs.ts";

export interface ControlOptions extends Pick<BonusOptions, "database" | "clock" | "audit"> {
  readonly engineRequests: Pick<BonusOptions["engineRequests"], "tellAll" | "stored">;
}

/** BON-10: an admin's request. Addresses are lower case. */
export interface ControlRequest {
  readonly action: ControlAction;
  readonly address: string;
  readonly reason: string;
  readonly operator_addr: string;
  readonly request_id: string;
}

/** A control command for the engine, with its reason. */
export interface ControlOrder {
  readonly action: ControlAction;
  readonly account: number;
  readonly reason: string;
  /** The reference of the outbox row. It must be new. */
  readonly ref: string;
}

type Stored = Pick<BonusControlReply, "status" | "recalled_amount" | "still_locked_amount">;

interface StoredRefusal {
  readonly error: string;
  readonly code: string;
  readonly details?: RefusalDetails;
}

/**
 * BON-10: freezes, unfreezes and recalls running bonuses. The engine decides. The command is written in one transaction with the
 * audit entry, and the projector stores the engine's answer, so that a repeated request gets the same answer.
 */
export class BonusControl {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** Carries out the request, or returns the answer of the first request with the same id. */
  async act(request: ControlRequest, actor: Actor): Promise<BonusControlReply> {
    const { action, address, request_id } = request;
    const key: RequestKey = { endpoint: action, request_id };
    const known = await this.#begin(key, request, actor);
    const row = known?.status == null ? await this.#answered(key, controlRef(action, request_id)) : known;
    return replyOf(row, address, known !== undefined);
  }

  /**
   * Writes commands for the engine in the caller's transaction. After the commit the caller calls `answered` with the last
   * reference.
   */
  async order(tx: BonusTx, orders: readonly ControlOrder[]): Promise<void> {
    const requests = orders.map(({ action, account, reason, ref }): EngineRequest => {
      return { ref, command: { kind: `${action}_bonus`, account, reason } };
    });
    await this.#options.engineRequests.tellAll(tx, requests);
  }

  /** Resolves when the engine has answered the command with this reference and the tables contain the answer. */
  async answered(ref: string): Promise<void> {
    await refuseIfLate(this.#options.engineRequests.stored(ref), refusals.notReady);
  }

  /** Returns undefined if the request is new and was decided now; otherwise the stored request. */
  async #begin(key: RequestKey, request: ControlRequest, actor: Actor): Promise<RequestRow | undefined> {
    const { database, clock, audit } = this.#options;
    const { action, address, reason, operator_addr, request_id } = request;
    return await database.db.transaction().execute(async (anyTx) => {
      const tx = bonusTx(anyTx);
      const input = { target_address: address, reason, operator_addr };
      const known = await beginRequest(tx, { ...key, input, now: new Date(clock.now()) });
      if (known !== undefined) return known;
      const bonus = await tx
        .selectFrom("bonus_account")
        .select(["account", "status"])
        .where("address", "=", address)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      if (bonus === undefined) throw refusals.noBonus();
      const { account, status } = bonus;
      await this.order(tx, [{ action, account, reason, ref: controlRef(action, request_id) }]);
      const asked = { operator_addr, request_id };
      const entry = { action: `bonus.${action}`, target: address, before: { status }, after: asked, reason };
      const { seq } = await audit.append(tx, { ...actor, ...entry });
      await noteAudit(tx, key, seq);
      return undefined;
    });
  }

  async #answered(key: RequestKey, ref: string): Promise<RequestRow> {
    await this.answered(ref);
    const row = await findRequest(bonusDb(this.#options.database), key);
    if (row === undefined || row.status === null) throw refusals.notReady();
    return row;
  }
}

function replyOf({ status, response, audit_id }: RequestRow, address: string, replayed: boolean): BonusControlReply {
  if (status !== 200) {
    const { code, error, details } = response as unknown as StoredRefusal;
    throw new ApiError(status ?? 500, code, error, { details });
  }
  const { status: standing, ...amounts } = response as unknown as Stored;
  return { audit_id: Number(audit_id), target_address: address, status: standing, ...amounts, replayed };
}
