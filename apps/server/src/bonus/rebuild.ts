import { sql } from "kysely";
import { DAY_ms } from "../kernel/dates.ts";
import type { LoggedRequest, RebuildPart } from "../rebuild/index.ts";
import { isReconcileRef, parseGrantRef } from "./accounts/refs.ts";
import { writeGrants } from "./pool.ts";
import { type BonusTx, bonusTx } from "./tables.ts";

/** LOG-1: what the log keeps of a grant beside the command. */
export interface GrantDetails {
  readonly campaign_id: number;
  readonly batch_id: string;
  readonly grant_tier: string;
}

interface Grant extends GrantDetails {
  readonly id: bigint;
  readonly account: number;
  readonly address: string;
  readonly amount_micros: number;
  readonly max_leverage: number;
  readonly granted_at: Date;
  readonly expires_at: Date;
}

const RESTORED = "restored from the log";
const MAX_VALIDITY_days = 365;

/** Grants of a log that does not name their campaign get one of their own, below those that there are. */
const withoutDetails = (id: bigint): GrantDetails => ({
  campaign_id: -Number(id),
  batch_id: `00000000-0000-0000-0000-${String(id).padStart(12, "0")}`,
  grant_tier: RESTORED,
});

function grantOf(request: LoggedRequest, walletOf: (account: number) => string): Grant | undefined {
  const { command, ref, at, details } = request;
  const id = parseGrantRef(ref);
  if (command.kind !== "grant_bonus" || id === undefined) return undefined;
  const { account, amount_micros, maxLeverage: max_leverage, expires_ms } = command;
  return {
    ...((details as GrantDetails | undefined) ?? withoutDetails(id)),
    id,
    account,
    address: walletOf(account),
    amount_micros,
    max_leverage,
    granted_at: new Date(Math.min(at.getTime(), expires_ms - 1)),
    expires_at: new Date(expires_ms),
  };
}

/**
 * LOG-3: bonuses as they were granted, and the pool's lines of them; the projection then writes what the engine did. Campaign and
 * batch are lost with the database: rows that are missing are written with what the grant says of them.
 */
export const bonusPart: RebuildPart = {
  name: "bonuses",
  tables: ["bonus_account", "bonus_pool", "bonus_pool_line", "bonus_campaign", "bonus_batch", "bonus_reconcile_freeze"],

  /** The wallet's bonus before it has to have ended, which the projection finds out. */
  startsBatch: ({ kind }) => kind === "grant_bonus",

  async restore(tx, { requests, walletOf }) {
    let rows = 0;
    for (const request of requests) {
      const grant = grantOf(request, walletOf);
      if (grant !== undefined) rows += await restoreGrant(bonusTx(tx), grant);
    }
    return rows + (await restoreFreezes(bonusTx(tx), requests));
  },
};

/** What the reconciliation has frozen once it does not freeze again. */
async function restoreFreezes(tx: BonusTx, requests: readonly LoggedRequest[]): Promise<number> {
  const refs = requests.map(({ ref }) => ref).filter(isReconcileRef);
  if (refs.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into bonus_reconcile_freeze select unnest(${refs}::text[]) on conflict do nothing`.execute(tx);
  return Number(numAffectedRows);
}

async function restoreGrant(tx: BonusTx, grant: Grant): Promise<number> {
  const { id, campaign_id, batch_id, account, address, amount_micros, max_leverage, grant_tier } = grant;
  const { granted_at, expires_at } = grant;
  const days = Math.ceil((expires_at.getTime() - granted_at.getTime()) / DAY_ms);
  const validity_days = Math.min(MAX_VALIDITY_days, Math.max(1, days));
  await sql`
    insert into bonus_campaign (id, name, amount_micros, validity_days, redemption_closes_at, created_at, updated_at)
    overriding system value
    values (${campaign_id}, ${RESTORED}, ${amount_micros}, ${validity_days}, ${granted_at}, ${granted_at}, ${granted_at})
    on conflict (id) do nothing`.execute(tx);
  await sql`
    insert into bonus_batch (id, campaign_id, batch_name, grant_tier, per_address_micros, max_leverage, operator_addr,
      created_count, failed_count, created_by, created_at)
    values (${batch_id}, ${campaign_id}, ${RESTORED}, ${grant_tier}, ${amount_micros}, ${max_leverage}, ${address},
      0, 0, ${RESTORED}, ${granted_at})
    on conflict (id) do nothing`.execute(tx);
  const { numAffectedRows = 0n } = await sql`
    insert into bonus_account (id, campaign_id, address, account, batch_id, amount_micros, max_leverage, grant_tier,
      granted_at, expires_at, status)
    overriding system value
    values (${id}, ${campaign_id}, ${address}, ${account}, ${batch_id}, ${amount_micros}, ${max_leverage},
      ${grant_tier}, ${granted_at}, ${expires_at}, 'active')
    on conflict (id) do nothing`.execute(tx);
  if (numAffectedRows === 0n) return 0;
  await sql`update bonus_batch set created_count = created_count + 1
    where id = ${batch_id} and batch_name = ${RESTORED}`.execute(tx);
  await writeGrants(
    tx,
    [{ bonus_account_id: id, account, amount_micros: BigInt(amount_micros) }],
    granted_at.getTime(),
  );
  await followIdentities(tx);
  return 1;
}

/** The database numbers the next rows behind those that were written with their numbers. */
async function followIdentities(tx: BonusTx): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('bonus_account', 'id'), (select max(id) from bonus_account)),
           setval(pg_get_serial_sequence('bonus_campaign', 'id'), greatest(1, (select max(id) from bonus_campaign)))`.execute(
    tx,
  );
}
