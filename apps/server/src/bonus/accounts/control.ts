import type { BonusControlReply } from "@bourse/api";
import { COMMAND_TOPIC } from "../../exchange/host/outbox-delivery.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { ApiError, type RefusalDetails } from "../../kernel/errors.ts";
import type { Actor } from "../callers.ts";
import type { BonusOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { beginRequest, findRequest, noteAudit, type RequestKey, type RequestRow } from "../requests.ts";
import { type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { type ControlAction, controlRef } from "./refs.ts";

export interface ControlOptions
  extends Pick<BonusOptions, "database" | "clock" | "audit" | "outbox" | "dispatcher" | "outcomes" | "projector"> {
  /** How long a caller waits for the engine and the projector. */
  readonly wait_ms?: number;
}

/** BON-10: what an admin asks for. Addresses are lower case. */
export interface ControlRequest {
  readonly action: ControlAction;
  readonly address: string;
  readonly reason: string;
  readonly operator_addr: string;
  readonly request_id: string;
}

/** What the engine is told, and why. */
export interface ControlOrder {
  readonly action: ControlAction;
  readonly account: number;
  readonly reason: string;
  /** Names it once and for all; it must be new. */
  readonly ref: string;
}

type Stored = Pick<BonusControlReply, "status" | "recalled_amount" | "still_locked_amount">;

interface StoredRefusal {
  readonly error: string;
  readonly code: string;
  readonly details?: RefusalDetails;
}

const WAIT_ms = 10_000;

/**
 * BON-10: freezes, unfreezes and recalls running bonuses. The engine decides; the question to it is written together with
 * the audit entry, and the projector stores its answer, so that a repeated request finds the same one.
 */
export class BonusControl {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** Does it, or answers what the same request has done before. */
  async act(request: ControlRequest, actor: Actor): Promise<BonusControlReply> {
    const { action, address, request_id } = request;
    const key: RequestKey = { endpoint: action, request_id };
    const known = await this.#begin(key, request, actor);
    const row = known?.status == null ? await this.#answered(key, controlRef(action, request_id)) : known;
    return replyOf(row, address, known !== undefined);
  }

  /** Tells the engine, in a transaction of somebody else's, who calls `answered` with the last name once that is committed. */
  async order(tx: BonusTx, orders: readonly ControlOrder[]): Promise<void> {
    const messages = orders.map(({ action, account, reason, ref }) => {
      const payload = { kind: `${action}_bonus`, account, reason };
      return { topic: COMMAND_TOPIC, ref, payload };
    });
    await this.#options.outbox.enqueueAll(tx, messages);
  }

  /** Resolves once the engine has answered to what was sent under that name and the tables hold it. */
  async answered(ref: string): Promise<void> {
    const { dispatcher, outcomes, projector, wait_ms = WAIT_ms } = this.#options;
    dispatcher.notify();
    const begun = performance.now();
    await outcomes.wait(ref, wait_ms);
    try {
      await projector.waitForAll(Math.max(1, wait_ms - (performance.now() - begun)));
    } catch (error) {
      throw error instanceof ProjectionTimeout ? refusals.notReady() : error;
    }
  }

  /** Undefined where the request is new and was decided now; else what is known of it. */
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
