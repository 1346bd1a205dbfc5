import type { BonusDb, BonusTx } from "../tables.ts";

/** How far the scan of the token's transfers has come. */
export interface ScanProgress {
  /** The wallets of bonuses up to this id are scanned … */
  readonly last_id: bigint;
  /** … up to this block. */
  readonly block: number;
  /** Wallets with later bonuses, up to this id, are scanned from an earlier block on until they reach `block`. */
  readonly newcomers: { readonly last_id: bigint; readonly block: number } | null;
}

const KEY = "bonus-risk.transfers";

/** Ids are text because JSON numbers lose digits. */
interface Stored {
  readonly last_id: string;
  readonly block: number;
  readonly newcomers: { readonly last_id: string; readonly block: number } | null;
}

export async function readProgress(db: BonusDb): Promise<ScanProgress | undefined> {
  const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
  if (row === undefined) return undefined;
  const { last_id, block, newcomers } = row.value as unknown as Stored;
  return {
    last_id: BigInt(last_id),
    block,
    newcomers: newcomers && { ...newcomers, last_id: BigInt(newcomers.last_id) },
  };
}

export async function writeProgress(
  tx: BonusTx,
  { last_id, block, newcomers }: ScanProgress,
  updated_at: Date,
): Promise<void> {
  const stored: Stored = {
    last_id: String(last_id),
    block,
    newcomers: newcomers && { ...newcomers, last_id: String(newcomers.last_id) },
  };
  const value = JSON.stringify(stored);
  await tx
    .insertInto("kernel_state")
    .values({ key: KEY, value, updated_at })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
    .execute();
}
