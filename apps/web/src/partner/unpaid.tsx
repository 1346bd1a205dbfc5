import type { BrokerOverview } from "@bourse/api/client";
import { Money } from "../kit/number.tsx";
import { type Owed, owedOf } from "./owed.ts";
import { useAffiliateRecords, useMyPayouts, useMyRebates } from "./queries.ts";

/** Nothing until every list is there: a sum of half of them would frighten. */
export function useOwed(overview: BrokerOverview | null | undefined): Owed | undefined {
  const { data: ownRebates } = useMyRebates();
  const { data: affiliateRecords } = useAffiliateRecords();
  const { data: payouts } = useMyPayouts();
  if (ownRebates === undefined || affiliateRecords === undefined || payouts === undefined) return undefined;
  return owedOf({ overview: overview ?? undefined, ownRebates, affiliateRecords, payouts });
}

/** A list that was full may hide earlier entries, so the figure says that it is not exact. */
export const UnpaidFigure = ({ owed }: { readonly owed: Owed }) => (
  <>
    {!owed.isWhole && <span title="Older entries are not part of it">≈ </span>}
    <Money value={owed.unpaid} />
  </>
);
