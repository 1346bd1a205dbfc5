import { sql } from "kysely";
import type { BonusAccountStatus, BonusDb } from "../tables.ts";
import type { RiskWallet } from "./links.ts";

/** BON-12: wallets with a bonus of the running campaign, in any status, or with a running bonus of an earlier one. */
const LOOKED_AT = sql`
  status <> 'refused' and (campaign_id = (select max(id) from bonus_campaign) or ended_at is null)`;

interface WalletRow {
  readonly address: string;
  readonly account: number;
  readonly status: BonusAccountStatus;
  readonly granted_at: Date;
}

/** Ordered by address, each with its newest bonus. */
export async function readWallets(db: BonusDb): Promise<RiskWallet[]> {
  const { rows } = await sql<WalletRow>`
    select distinct on (address) address, account, status, granted_at
    from bonus_account where ${LOOKED_AT} order by address, id desc`.execute(db);
  return rows.map(({ granted_at, ...wallet }) => ({ ...wallet, granted_ms: granted_at.getTime() }));
}

export interface GrantedWallet {
  readonly id: bigint;
  readonly address: string;
  readonly granted_at: Date;
}

/** The wallets of bonuses with an id above `after` and up to `upTo`. Ids rise in the order of grants. */
export async function walletsBetween(db: BonusDb, after: bigint, upTo?: bigint): Promise<GrantedWallet[]> {
  const bound = upTo === undefined ? sql`` : sql`and id <= ${upTo}::bigint`;
  const { rows } = await sql<GrantedWallet>`
    select id, address, granted_at from bonus_account
    where id > ${after}::bigint ${bound} and ${LOOKED_AT} order by id`.execute(db);
  return rows;
}

export interface RunningBonus {
  readonly id: bigint;
  readonly address: string;
  readonly account: number;
}

/** The bonuses of these wallets that have not ended, ordered by address. */
export async function runningBonuses(db: BonusDb, addresses: readonly string[]): Promise<RunningBonus[]> {
  const { rows } = await sql<RunningBonus>`
    select id, address, account from bonus_account
    where address = any(${addresses}::text[]) and ended_at is null order by address`.execute(db);
  return rows;
}

export async function hasHadBonus(db: BonusDb, address: string): Promise<boolean> {
  const row = await db
    .selectFrom("bonus_account")
    .select("id")
    .where("address", "=", address)
    .where("status", "<>", "refused")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
