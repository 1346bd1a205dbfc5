import type { BrokerOverview } from "@bourse/api/client";
import { Money } from "../kit/number.tsx";
import { type Owed, owedOf } from "./owed.ts";
import { useAffiliateRecords, useMyPayouts, useMyRebates } from "./queries.ts";

/** Undefined until all lists are loaded, because a sum of some of them would be wrong. */
export function useOwed(overview: BrokerOverview | null | undefined): Owed | undefined {
  const { data: ownRebates } = useMyRebates();
  const { data: affiliateRecords } = useAffiliateRecords();
  const { data: payouts } = useMyPayouts();
  if (ownRebates === undefined || affiliateRecords === undefined || payouts === undefined) return undefined;
  return owedOf({ overview: overview ?? undefined, ownRebates, affiliateRecords, payouts });
}

/** A full list may hide earlier entries, so the figure is marked as not exact. */
export const UnpaidFigure = ({ owed }: { readonly owed: Owed }) => (
  <>
    {!owed.isWhole && <span title="Older entries are not part of it">≈ </span>}
    <Money value={owed.unpaid} />
  </>
);
