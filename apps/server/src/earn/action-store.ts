/** The SQL of actions on chain. */
import { sql } from "kysely";
import type { Hex } from "viem";
import type { JsonValue } from "../kernel/database/tables.ts";
import type { ActionKind, ActionRow, EarnDb, EarnTx } from "./tables.ts";

export interface NewAction {
  readonly id: string;
  readonly productId: string;
  readonly kind: ActionKind;
  readonly payload: JsonValue;
  readonly requestId: string | null;
  readonly bySystem: boolean;
}

export async function insertAction(tx: EarnTx, action: NewAction, now: Date): Promise<void> {
  const { id, productId: product_id, kind, payload, requestId: request_id, bySystem: by_system } = action;
  await tx
    .insertInto("earn_action")
    .values({
      id,
      product_id,
      kind,
      status: "open",
      by_system,
      attempt: 1,
      payload: JSON.stringify(payload),
      request_id,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function findAction(db: EarnDb, id: string): Promise<ActionRow | undefined> {
  return await db.selectFrom("earn_action").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findActionByRequest(
  db: EarnDb,
  kind: ActionKind,
  requestId: string,
): Promise<ActionRow | undefined> {
  const query = db.selectFrom("earn_action").selectAll().where("kind", "=", kind);
  return await query.where("request_id", "=", requestId).executeTakeFirst();
}

/** The newest action of the kind. */
export async function lastAction(db: EarnDb, productId: string, kind: ActionKind): Promise<ActionRow | undefined> {
  return await db
    .selectFrom("earn_action")
    .selectAll()
    .where("product_id", "=", productId)
    .where("kind", "=", kind)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** In the order of their decision. */
export async function openActions(db: EarnDb): Promise<ActionRow[]> {
  const query = db.selectFrom("earn_action").selectAll().where("status", "=", "open");
  return await query.orderBy("created_at").orderBy("id").execute();
}

/** Whether a cancellation is decided: from then on nobody may subscribe, even if the chain does not show it yet. */
export async function isBeingCancelled(db: EarnDb, productId: string): Promise<boolean> {
  const found = await db
    .selectFrom("earn_action")
    .select("id")
    .where("product_id", "=", productId)
    .where("kind", "=", "cancel")
    .where("status", "in", ["open", "done"])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export interface ActionChange {
  readonly status: ActionRow["status"];
  readonly attempt?: number;
  readonly txHash?: Hex;
  readonly lastError?: string;
  readonly now: Date;
}

/** Changes an action that is still open; false if it was finished meanwhile. */
export async function changeAction(tx: EarnTx, id: string, change: ActionChange): Promise<boolean> {
  const { status, attempt, txHash, lastError, now } = change;
  const { numUpdatedRows } = await tx
    .updateTable("earn_action")
    .set({
      status,
      ...(attempt === undefined ? {} : { attempt }),
      ...(txHash === undefined ? {} : { tx_hash: txHash }),
      last_error: lastError ?? null,
      // The request id of a failed action can be used again.
      ...(status === "failed" ? { request_id: null } : {}),
      updated_at: now,
    })
    .where("id", "=", id)
    .where("status", "=", "open")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Reopens actions whose transactions were in blocks that are no longer part of the chain. */
export async function reopenActions(tx: EarnTx, hashes: readonly Hex[], now: Date): Promise<void> {
  if (hashes.length === 0) return;
  await sql`
    update earn_action set status = 'open', tx_hash = null, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and status = 'done'`.execute(tx);
}
