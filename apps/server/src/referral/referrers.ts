import type { Tx } from "../kernel/database/database.ts";
import { affiliateTerms } from "./store.ts";
import { referralTx } from "./tables.ts";

/**
 * For other programs: the owners of the codes that these wallets (lower case) use, if the contract rewards them. Wallets without
 * one are omitted. The owners need no account in the exchange.
 */
export async function referrersOf(tx: Tx, wallets: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const referrers = new Map<string, string>();
  if (wallets.length === 0) return referrers;
  for (const { trader, affiliate, reward_bps } of await affiliateTerms(referralTx(tx), wallets)) {
    if (affiliate !== null && affiliate !== trader && reward_bps > 0) referrers.set(trader, affiliate);
  }
  return referrers;
}
