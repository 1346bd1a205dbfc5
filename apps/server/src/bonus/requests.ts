import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { canonicalJson } from "../kernel/audit/canonical-json.ts";
import type { JsonValue } from "../kernel/database/tables.ts";
import { refusals } from "./refusals.ts";
import type { BonusDb, BonusRequestTable, BonusTx } from "./tables.ts";

export type RequestRow = Selectable<BonusRequestTable>;

export interface RequestKey {
  /** The last part of the path: "grant-batch", "recall" … */
  readonly endpoint: string;
  readonly request_id: string;
}

export interface NewRequest extends RequestKey {
  /** The parsed request; integers and texts only. */
  readonly input: JsonValue;
  readonly now: Date;
}

/** The stored answer, returned for every repetition of the request. */
export interface RequestAnswer {
  /** The HTTP status. */
  readonly status: number;
  readonly response: JsonValue;
}

const hashOf = (input: JsonValue) => createHash("sha256").update(canonicalJson(input)).digest("hex");

/**
 * BON-4: stores the request in the deciding transaction. Returns undefined if it is new, otherwise the stored request, from which
 * the caller answers. Waits for a concurrent decision on the same id. Refuses a different body under the same id.
 */
export async function beginRequest(tx: BonusTx, request: NewRequest): Promise<RequestRow | undefined> {
  const { endpoint, request_id, input, now } = request;
  const body_hash = hashOf(input);
  const taken = await tx
    .insertInto("bonus_request")
    .values({ endpoint, request_id, body_hash, created_at: now })
    .onConflict((conflict) => conflict.columns(["endpoint", "request_id"]).doNothing())
    .returning("request_id")
    .executeTakeFirst();
  if (taken !== undefined) return undefined;
  const known = await findRequest(tx, request);
  if (known === undefined) throw new Error(`the request ${endpoint} ${request_id} is there and cannot be read`);
  if (known.body_hash !== body_hash) throw refusals.requestIdConflict();
  return known;
}

export const findRequest = (db: BonusDb, { endpoint, request_id }: RequestKey): Promise<RequestRow | undefined> =>
  db
    .selectFrom("bonus_request")
    .selectAll()
    .where("endpoint", "=", endpoint)
    .where("request_id", "=", request_id)
    .executeTakeFirst();

/** Stores the id of the request's audit entry. */
export async function noteAudit(tx: BonusTx, { endpoint, request_id }: RequestKey, audit_id: bigint): Promise<void> {
  await tx
    .updateTable("bonus_request")
    .set({ audit_id })
    .where("endpoint", "=", endpoint)
    .where("request_id", "=", request_id)
    .execute();
}

/** Stores the answer. A later answer does not replace it. */
export async function answerRequest(
  tx: BonusTx,
  { endpoint, request_id }: RequestKey,
  { status, response }: RequestAnswer,
  at: Date,
): Promise<void> {
  await tx
    .updateTable("bonus_request")
    .set({ status, response: JSON.stringify(response), answered_at: at })
    .where("endpoint", "=", endpoint)
    .where("request_id", "=", request_id)
    .where("status", "is", null)
    .execute();
}
