import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { BonusDb, BonusFundingTable, BonusTx } from "../tables.ts";
import { MIN_FUNDING_micros } from "./rules.ts";

/** A payment to a wallet on chain. */
export interface FundingRow {
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly source: string;
  readonly address: string;
  readonly kind: BonusFundingTable["kind"];
  readonly amount_micros: bigint;
  readonly block_number: number;
}

export type FundingKey = Pick<FundingRow, "tx_hash" | "ordinal" | "kind">;

/** Writes payments; a row that exists from an earlier scan of its block is replaced. */
export async function writeFunding(tx: BonusTx, rows: readonly FundingRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bonus_funding (tx_hash, ordinal, source, address, kind, amount_micros, block_number)
    select * from unnest(
      ${rows.map(({ tx_hash }) => tx_hash)}::text[], ${rows.map(({ ordinal }) => ordinal)}::int[],
      ${rows.map(({ source }) => source)}::text[], ${rows.map(({ address }) => address)}::text[],
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ amount_micros }) => amount_micros)}::bigint[],
      ${rows.map(({ block_number }) => block_number)}::bigint[])
    on conflict (tx_hash, ordinal, kind) do update set block_number = excluded.block_number`.execute(tx);
}

/** Removes payments of blocks that are no longer part of the chain. */
export async function removeFunding(tx: BonusTx, keys: readonly FundingKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from bonus_funding using unnest(
      ${keys.map(({ tx_hash }) => tx_hash)}::text[], ${keys.map(({ ordinal }) => ordinal)}::int[],
      ${keys.map(({ kind }) => kind)}::text[]) as gone (tx_hash, ordinal, kind)
    where bonus_funding.tx_hash = gone.tx_hash and bonus_funding.ordinal = gone.ordinal
      and bonus_funding.kind = gone.kind`.execute(tx);
}

export interface TransferRange {
  readonly from: number;
  readonly to: number;
  /** The head of the chain: no block is after it. */
  readonly end: number;
}

/** Replaces the stored transfers of a range of blocks by those of the chain. */
export async function replaceTransfers(
  tx: BonusTx,
  { from, to, end }: TransferRange,
  addresses: readonly string[],
  rows: readonly FundingRow[],
): Promise<void> {
  await sql`
    delete from bonus_funding
    where kind = 'transfer' and address = any(${addresses}::text[])
      and (block_number between ${from}::bigint and ${to}::bigint or block_number > ${end}::bigint)`.execute(tx);
  await writeFunding(tx, rows);
}

export interface FundedBySource {
  readonly source: string;
  readonly addresses: readonly string[];
}

/** Sources that have paid several of these wallets, or are one of these wallets. */
export async function sharedSources(
  db: BonusDb,
  addresses: readonly string[],
  platform: ReadonlySet<string>,
): Promise<FundedBySource[]> {
  const { rows } = await sql<FundedBySource>`
    with wallet as materialized (select address from unnest(${addresses}::text[]) as one (address)),
    paid as (
      select source, address from bonus_funding join wallet using (address)
      where source <> all(${[...platform]}::text[])
      group by source, address having sum(amount_micros) >= ${MIN_FUNDING_micros}::bigint
    )
    select source, array_agg(address order by address) as addresses from paid
    group by source having count(*) > 1 or source in (select address from wallet)
    order by source`.execute(db);
  return rows;
}

/** Whose withdrawals these were. */
export async function withdrawalOwners(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; address: string }>`
    select id::text as id, address from withdrawal where id = any(${ids}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, address }) => [id, address]));
}
