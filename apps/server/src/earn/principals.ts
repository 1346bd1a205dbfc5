import { earnAbi } from "@bourse/contracts";
import { sql } from "kysely";
import { decodeEventLog, type Hex } from "viem";
import type { Tx } from "../kernel/database/database.ts";
import { lowerCase, positionId } from "./mirror.ts";

interface PositionRow {
  readonly id: string;
  readonly user_address: string;
  readonly principal: string;
}

interface EventRow {
  readonly id: null;
  readonly topics: [Hex, ...Hex[]];
  readonly data: Hex;
}

/** The amounts that later subscriptions added to positions, by position. */
function laterOf(events: readonly EventRow[]): ReadonlyMap<string, bigint> {
  const added = new Map<string, bigint>();
  for (const { topics, data } of events) {
    const { args } = decodeEventLog({ abi: earnAbi, eventName: "Subscribed", topics, data });
    const { user, productId, amount } = args;
    const id = positionId(productId, lowerCase(user));
    added.set(id, (added.get(id) ?? 0n) + amount);
  }
  return added;
}

/** What a position held. */
export interface HeldPrincipal {
  readonly subscription_id: string;
  /** Lower case. */
  readonly address: string;
  readonly principal_micros: bigint;
}

/**
 * PTS-3: the positions open at that moment, with their principal then. A position that ended at that very moment is excluded, and
 * later additions are not counted. The token has 6 decimals, so its smallest unit is a micro. Everything up to the moment must have
 * been indexed.
 */
export async function principalsAt(tx: Tx, at_ms: number): Promise<readonly HeldPrincipal[]> {
  // One statement, so that positions and events are of the same state of the chain.
  const { rows } = await sql<PositionRow | EventRow>`
    select id, user_address, principal::text as principal, null::jsonb as topics, null as data
    from earn_subscription
    where subscribed_ms <= ${at_ms}
      and (claimed_ms is null or claimed_ms > ${at_ms})
      and (refunded_ms is null or refunded_ms > ${at_ms})
    union all
    select null, null, null, topics, data from chain_event
    where contract = 'earn' and name = 'Subscribed' and block_time > ${new Date(at_ms)}`.execute(tx);
  const later = laterOf(rows.filter((row): row is EventRow => row.id === null));
  return rows.flatMap((row) => {
    if (row.id === null) return [];
    const principal_micros = BigInt(row.principal) - (later.get(row.id) ?? 0n);
    if (principal_micros <= 0n) return [];
    return [{ subscription_id: row.id, address: row.user_address, principal_micros }];
  });
}
