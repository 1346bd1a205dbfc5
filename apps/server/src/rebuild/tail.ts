import { sql } from "kysely";
import type { Tx } from "../kernel/database/database.ts";
import type { JsonValue } from "../kernel/database/tables.ts";
import { setLastSeq } from "../kernel/outbox/store.ts";
import type { AccountMove, RebuildPart } from "./part.ts";

export interface AccountRow {
  readonly account: number;
  readonly address: string;
  readonly opened_at: Date;
}
export type Accounts = readonly AccountRow[];

/** A message of the database beyond what the log had when the database was copied. */
export interface TailMessage {
  readonly id: bigint;
  readonly ref: string;
  readonly payload: {
    readonly kind: string;
    readonly account?: number;
    readonly [name: string]: JsonValue | undefined;
  };
}

/** What the database has decided beyond the place up to which it certainly agrees with the log, and what the log has instead. */
export interface Tail {
  /** Up to this place both agree: the number of accounts, and the number of the last message. */
  readonly accounts: number;
  readonly external: number;
  /** The accounts that the log has beyond that place. */
  readonly openings: Accounts;
  readonly moves: readonly AccountMove[];
  readonly messages: readonly TailMessage[];
}

/**
 * The wallets of the tail whose account has another number than the database gave it: the log's, if the log has opened one for the
 * wallet, and otherwise the next one that is free, because accounts are opened in sequence.
 */
export function movesOf(decided: Accounts, openings: Accounts, last: number): AccountMove[] {
  const inLog = new Map(openings.map(({ account, address }) => [address, account]));
  let next = last;
  const all = decided.map(({ account: from, address }) => {
    const to = inLog.get(address);
    if (to === undefined) next += 1;
    return { from, to: to ?? next, address };
  });
  return all.filter(({ from, to }) => from !== to);
}

/**
 * Brings the tail in line with the log, in one transaction: accounts have the log's wallets, messages that the log has not seen wait
 * without a number, and those that it has seen are delivered. What the log knows of the rest is written by the walk.
 */
export async function settleTail(tx: Tx, tail: Tail, parts: readonly RebuildPart[], now: Date): Promise<void> {
  const { moves, external } = tail;
  await placeAccounts(tx, tail);
  await sql`
    update outbox set delivered_at = ${now} where dispatch_seq <= ${external} and delivered_at is null`.execute(tx);
  await settleMessages(tx, tail);
  if (moves.length > 0) for (const part of parts) await part.moveAccounts?.(tx, moves);
  const { rows } = await sql<{ last: bigint }>`select coalesce(max(dispatch_seq), 0) as last from outbox`.execute(tx);
  const given = rows[0]?.last ?? 0n;
  await setLastSeq(tx, given > BigInt(external) ? given : BigInt(external), now);
}

async function placeAccounts(tx: Tx, { moves, openings }: Tail): Promise<void> {
  const columns = (rows: Accounts) => [
    rows.map(({ account }) => account),
    rows.map(({ address }) => address),
    rows.map(({ opened_at }) => opened_at.toISOString()),
  ];
  const { rows: moved } = await sql<AccountRow>`
    delete from exchange_account where account = any(${moves.map(({ from }) => from)}::int[])
    returning account, address, opened_at`.execute(tx);
  const targets = new Map(moves.map(({ address, to }) => [address, to]));
  const placed = moved.map((row) => ({ ...row, account: targets.get(row.address)! }));
  for (const rows of [placed, openings]) {
    const [accounts, addresses, times] = columns(rows);
    await sql`
      insert into exchange_account (account, address, opened_at)
      select * from unnest(${accounts}::int[], ${addresses}::text[], ${times}::timestamptz[])
      on conflict (account) do nothing`.execute(tx);
  }
}

/** Openings are named after their account, and deposits go to it. The order of ids stays, so that an opening comes before them. */
async function settleMessages(tx: Tx, { messages, moves }: Tail): Promise<void> {
  if (messages.length === 0) return;
  const targets = new Map(moves.map(({ from, to }) => [from, to]));
  const settled = messages.map(({ id, ref, payload }) => {
    const account = payload.account === undefined ? undefined : targets.get(payload.account);
    if (account === undefined) return { id, ref, payload };
    const name = payload.kind === "open_account" ? `open-account:${account}` : ref;
    return { id, ref: name, payload: { ...payload, account } };
  });
  const ids = settled.map(({ id }) => id);
  // References are unique at every moment, and two openings may change places.
  await sql`
    update outbox set ref = 'moving:' || id, dispatch_seq = null where id = any(${ids}::bigint[])`.execute(tx);
  await sql`
    update outbox set ref = settled.ref, payload = settled.payload::jsonb
    from unnest(${ids}::bigint[], ${settled.map(({ ref }) => ref)}::text[],
      ${settled.map(({ payload }) => JSON.stringify(payload))}::text[]) as settled (id, ref, payload)
    where outbox.id = settled.id`.execute(tx);
}
