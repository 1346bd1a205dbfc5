import { extendDigest, NO_DIGEST } from "@bourse/engine";
import type { Db, Tx } from "../database/database.ts";

/**
 * LOG-2: up to where the outbox was pruned. The rows behind it continue `digest`, which is what the engine's digest was after
 * message `number`; messages before the log had references are not part of it (LOG-1).
 */
export interface OutboxEdge {
  readonly number: number;
  readonly digest: string;
}

const KEY = "outbox.pruned_edge";
const NOTHING_PRUNED: OutboxEdge = { number: 0, digest: NO_DIGEST };

export async function readEdge(db: Db): Promise<OutboxEdge> {
  const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
  return row === undefined ? NOTHING_PRUNED : (row.value as unknown as OutboxEdge);
}

/** Call it in the transaction that removes the rows up to the edge. */
export async function writeEdge(tx: Tx, { number, digest }: OutboxEdge, now: Date): Promise<void> {
  const value = JSON.stringify({ number, digest });
  await tx
    .insertInto("kernel_state")
    .values({ key: KEY, value, updated_at: now })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at: now }))
    .execute();
}

/** The edge behind further messages, which have no gap. `referencesFrom` is the last number from before references. */
export function edgeBehind(
  edge: OutboxEdge,
  messages: readonly { readonly number: number; readonly ref: string }[],
  referencesFrom: number,
): OutboxEdge {
  let { number: last, digest } = edge;
  for (const { number, ref } of messages) {
    if (number !== last + 1) throw new Error(`the outbox lacks message ${last + 1}`);
    if (number > referencesFrom) digest = extendDigest(digest, number, ref);
    last = number;
  }
  return { number: last, digest };
}
