import { sql } from "kysely";
import { moneyText } from "../kernel/units.ts";
import { refusals } from "./refusals.ts";
import type { BonusDb, BonusTx } from "./tables.ts";

/** The sums of the pool's ledger. */
export interface PoolState {
  readonly granted_micros: bigint;
  readonly returned_micros: bigint;
  readonly stopped_reason: string | null;
  readonly stopped_at: Date | null;
}

export const netOutflow_micros = ({ granted_micros, returned_micros }: PoolState): bigint =>
  granted_micros - returned_micros;

export const readPool = (db: BonusDb): Promise<PoolState> =>
  db
    .selectFrom("bonus_pool")
    .select(["granted_micros", "returned_micros", "stopped_reason", "stopped_at"])
    .executeTakeFirstOrThrow();

/** BON-2: refuses an amount above the pool's headroom. Locks the pool until the transaction ends. */
export async function assertHeadroom(tx: BonusTx, wanted_micros: bigint, cap_micros: bigint): Promise<void> {
  const pool = await tx
    .selectFrom("bonus_pool")
    .select(["granted_micros", "returned_micros", "stopped_reason", "stopped_at"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (pool.stopped_reason !== null) throw refusals.grantsStopped(pool.stopped_reason);
  const headroom = cap_micros - netOutflow_micros(pool);
  if (wanted_micros > headroom)
    throw refusals.poolCapExceeded(moneyText(headroom > 0n ? headroom : 0n), moneyText(wanted_micros));
}

export interface PoolGrant {
  readonly bonus_account_id: bigint;
  readonly account: number;
  readonly amount_micros: bigint;
}

/** Writes decided grants, which the engine does not have yet. */
export async function writeGrants(tx: BonusTx, grants: readonly PoolGrant[], time_ms: number): Promise<void> {
  if (grants.length === 0) return;
  const ids = grants.map(({ bonus_account_id }) => bonus_account_id);
  const accounts = grants.map(({ account }) => account);
  const amounts = grants.map(({ amount_micros }) => amount_micros);
  await sql`
    with written as (
      insert into bonus_pool_line (kind, amount_micros, bonus_account_id, account, time_ms)
      select 'GRANT', amount, id, account, ${BigInt(time_ms)}::bigint
      from unnest(${ids}::bigint[], ${accounts}::int[], ${amounts}::bigint[]) as one (id, account, amount)
      returning amount_micros
    )
    update bonus_pool set granted_micros = granted_micros + (select sum(amount_micros) from written)::bigint`.execute(
    tx,
  );
}

export interface PoolReturn {
  readonly kind: "RECALL" | "EXPIRE" | "REFUSED";
  readonly bonus_account_id: bigint;
  readonly account: number;
  readonly amount_micros: bigint;
  readonly command_number: number;
  /** Null for a grant that the engine refused. */
  readonly event_index: number | null;
  readonly time_ms: number;
}

/** Writes amounts returned to the pool. */
export async function writeReturns(tx: BonusTx, lines: readonly PoolReturn[]): Promise<void> {
  if (lines.length === 0) return;
  const column = <Name extends keyof PoolReturn>(name: Name) => lines.map((line) => line[name]);
  await sql`
    with written as (
      insert into bonus_pool_line (kind, amount_micros, bonus_account_id, account, command_number, event_index, time_ms)
      select * from unnest(${column("kind")}::text[], ${column("amount_micros")}::bigint[],
        ${column("bonus_account_id")}::bigint[], ${column("account")}::int[], ${column("command_number")}::bigint[],
        ${column("event_index")}::int[], ${column("time_ms")}::bigint[])
      returning amount_micros
    )
    update bonus_pool set returned_micros = returned_micros + (select sum(amount_micros) from written)::bigint`.execute(
    tx,
  );
}
