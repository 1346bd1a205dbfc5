import { sql } from "kysely";
import type { Tx } from "../kernel/database/database.ts";
import { COMMAND_TOPIC } from "../kernel/engine-requests/engine-requests.ts";
import { lastSeq, setLastSeq } from "../kernel/outbox/store.ts";
import type { LoggedRequest } from "./part.ts";
import { payloadOf } from "./requests.ts";

/**
 * Writes requests of the log as delivered messages. A message that waited under the same reference becomes the log's; what only the
 * message says, such as a reason, is kept. Returns how many rows were written.
 */
export async function restoreOutbox(tx: Tx, requests: readonly LoggedRequest[]): Promise<number> {
  if (requests.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into outbox (topic, ref, payload, created_at, dispatch_seq, delivered_at)
    select ${COMMAND_TOPIC}, ref, payload::jsonb, at, seq, at
    from unnest(${requests.map(({ ref }) => ref)}::text[],
      ${requests.map(({ command }) => JSON.stringify(payloadOf(command)))}::text[],
      ${requests.map(({ at }) => at.toISOString())}::timestamptz[],
      ${requests.map(({ seq }) => seq)}::bigint[]) as message (ref, payload, at, seq)
    order by seq
    on conflict (ref) do update set
      payload = outbox.payload || excluded.payload,
      dispatch_seq = excluded.dispatch_seq,
      delivered_at = coalesce(outbox.delivered_at, excluded.delivered_at)
    where outbox.delivered_at is null`.execute(tx);
  const { seq, at } = requests.at(-1)!;
  if (BigInt(seq) > (await lastSeq(tx))) await setLastSeq(tx, BigInt(seq), at);
  return Number(numAffectedRows);
}
