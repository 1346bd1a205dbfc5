import type { StreamTrade } from "@bourse/api/client";

/** More than anybody scrolls through, little enough to hold. */
const KEPT = 60;

/** The newest first; new trades are put before the known ones, each trade once. */
export function mergeTrades(known: readonly StreamTrade[], arrived: readonly StreamTrade[]): readonly StreamTrade[] {
  const newest = known[0]?.id ?? -1;
  const fresh = arrived.filter(({ id }) => id > newest).reverse();
  return fresh.length === 0 && known.length > 0 ? known : [...fresh, ...known].slice(0, KEPT);
}
