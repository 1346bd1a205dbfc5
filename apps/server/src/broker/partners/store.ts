/** SQL that several parts of the partners' code need. */
import type { AdminKol } from "@bourse/api";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import { ratioText } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import type { BrokerDb, BrokerStatus, BrokerTable, BrokerTx } from "../tables.ts";

export type BrokerRow = Selectable<BrokerTable>;

/** A broker that may act, with the lowest rate on its chain (interface 2.9). */
export interface ActiveBroker {
  readonly id: string;
  readonly wallet_address: string;
  readonly parent_broker_id: string | null;
  readonly rate_e6: number;
  readonly parent_rate_e6: number | null;
}

export async function activeBroker(db: BrokerDb, wallet: string): Promise<ActiveBroker> {
  const broker = await db
    .selectFrom("broker")
    .leftJoin("broker as parent", "parent.id", "broker.parent_broker_id")
    .select(["broker.id", "broker.wallet_address", "broker.parent_broker_id", "broker.rate_e6"])
    .select("parent.rate_e6 as parent_rate_e6")
    .where("broker.wallet_address", "=", wallet)
    .where("broker.status", "=", "active")
    .executeTakeFirst();
  if (broker === undefined) throw refusals.notABroker();
  return broker;
}

/** Locks the broker's row until the transaction ends. */
export async function lockBroker(tx: BrokerTx, id: string): Promise<BrokerRow> {
  const broker = await tx.selectFrom("broker").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (broker === undefined) throw refusals.notFound("KOL");
  return broker;
}

/** SEC-11: it gets its account when that is opened. */
export async function insertBroker(
  tx: BrokerTx,
  broker: Omit<BrokerRow, "account" | "status" | "bound_share_e6"> & { readonly bound_share_e6?: number },
): Promise<void> {
  await tx
    .insertInto("broker")
    .values({ ...broker, status: "active" })
    .execute();
}

/** Moves a KOL and its sub-KOLs, which belong to their parent's BD. */
export async function setOwner(tx: BrokerTx, brokerId: string, bd_owner_id: string | null): Promise<void> {
  await tx
    .updateTable("broker")
    .set({ bd_owner_id })
    .where(({ or, eb }) => or([eb("id", "=", brokerId), eb("parent_broker_id", "=", brokerId)]))
    .execute();
}

/** Whether the wallet is bound, and whether it is a broker. */
export async function standingOf(tx: BrokerTx, wallet: string): Promise<{ isBound: boolean; isBroker: boolean }> {
  const { rows } = await sql<{ isBound: boolean; isBroker: boolean }>`
    select exists (select from broker_bind where wallet_address = ${wallet}) as "isBound",
           exists (select from broker where wallet_address = ${wallet}) as "isBroker"`.execute(tx);
  return rows[0]!;
}

/** SEC-11: those of these wallets that are bound or are brokers. */
export async function walletsInProgram(tx: Tx, wallets: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    select wallet_address as wallet from broker where wallet_address = any(${wallets}::text[])
    union
    select wallet_address from broker_bind where wallet_address = any(${wallets}::text[])`.execute(tx);
  return rows.map(({ wallet }) => wallet);
}

interface KolRow {
  readonly id: string;
  readonly wallet_address: string;
  readonly nickname: string | null;
  readonly bd_owner_id: string | null;
  readonly level: number | null;
  readonly rate_e6: number;
  readonly parent_wallet: string | null;
  readonly invitees: number;
  readonly status: BrokerStatus;
}

const shownKol = (row: KolRow): AdminKol => ({
  broker_id: row.id,
  wallet_address: row.wallet_address,
  nickname: row.nickname,
  bd_owner_id: row.bd_owner_id,
  level: row.level,
  rebate_rate: ratioText(row.rate_e6),
  parent_broker: row.parent_wallet,
  invitee_count: row.invitees,
  status: row.status,
});

/** Interface 2.2, newest first. */
export async function listKols(
  db: BrokerDb,
  condition: RawBuilder<unknown>,
  limit: number | null,
): Promise<AdminKol[]> {
  const { rows } = await sql<KolRow>`
    select broker.id, broker.wallet_address, broker.nickname, broker.bd_owner_id, broker.level, broker.rate_e6,
           broker.status, parent.wallet_address as parent_wallet,
           (select count(*)::int from broker_bind where inviter_broker_id = broker.id) as invitees
    from broker left join broker as parent on parent.id = broker.parent_broker_id
    where ${condition}
    order by broker.created_at desc, broker.id
    limit ${limit}`.execute(db);
  return rows.map(shownKol);
}
