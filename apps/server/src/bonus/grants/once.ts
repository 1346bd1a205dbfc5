import type { AuditEntry, AuditLog } from "../../kernel/audit/audit-log.ts";
import type { JsonValue } from "../../kernel/database/tables.ts";
import { answerRequest, beginRequest, type NewRequest, noteAudit } from "../requests.ts";
import type { BonusTx } from "../tables.ts";

type Answer = Readonly<Record<string, JsonValue>>;

/** The decision on a request, with its audit entry. */
export interface Decision<T extends Answer> {
  readonly response: T;
  readonly entry: AuditEntry;
}

export interface Answered<T extends Answer> {
  readonly response: T & { readonly audit_id: number };
  readonly replayed: boolean;
}

/**
 * BON-4: decides a request in this transaction, or returns the stored answer if the request was decided before. A thrown refusal
 * rolls everything back, the request id included.
 */
export async function decideOnce<T extends Answer>(
  tx: BonusTx,
  audit: AuditLog,
  request: NewRequest,
  decide: () => Promise<Decision<T>>,
): Promise<Answered<T>> {
  const known = await beginRequest(tx, request);
  if (known !== undefined) {
    if (known.response === null) throw new Error(`the request ${request.endpoint} ${request.request_id} has no answer`);
    return { response: known.response as unknown as Answered<T>["response"], replayed: true };
  }
  const { response, entry } = await decide();
  const { seq } = await audit.append(tx, entry);
  const answer = { ...response, audit_id: Number(seq) };
  await noteAudit(tx, request, seq);
  await answerRequest(tx, request, { status: 200, response: answer }, request.now);
  return { response: answer, replayed: false };
}
