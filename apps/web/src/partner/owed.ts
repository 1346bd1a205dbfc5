import type { AffiliateRecord, BrokerOverview, MyPayout, RebateRecord } from "@bourse/api/client";
import { Decimal, sum } from "../lib/decimal.ts";

/** Lists of the interface end here; a full one may have more behind it. */
const FULL_LIST = 100;

export interface OwedInput {
  readonly overview?: Pick<BrokerOverview, "total_rebate" | "share_income"> | undefined;
  readonly ownRebates: readonly Pick<RebateRecord, "customer_rebate">[];
  readonly affiliateRecords: readonly Pick<AffiliateRecord, "reward">[];
  readonly payouts: readonly Pick<MyPayout, "amount" | "paid_at">[];
}

export interface Owed {
  /** Net rebates of downlines' records. */
  readonly net: string;
  /** As a parent of sub-KOLs. */
  readonly shares: string;
  /** Of the wallet's own trades. */
  readonly own: string;
  readonly affiliate: string;
  readonly paid: string;
  readonly unpaid: string;
  /** False where a list was full, so that the difference may be off. */
  readonly isWhole: boolean;
}

/** What a wallet is owed in all, less what it was paid. */
export function owedOf({ overview, ownRebates, affiliateRecords, payouts }: OwedInput): Owed {
  const net = Decimal.parse(overview?.total_rebate ?? "0");
  const shares = Decimal.parse(overview?.share_income ?? "0");
  const own = sum(ownRebates.map(({ customer_rebate }) => customer_rebate));
  const affiliate = sum(affiliateRecords.map(({ reward }) => reward));
  const paid = sum(payouts.filter(({ paid_at }) => paid_at !== null).map(({ amount }) => amount));
  const unpaid = net.add(shares).add(own).add(affiliate).sub(paid);
  return {
    net: net.toString(),
    shares: shares.toString(),
    own: own.toString(),
    affiliate: affiliate.toString(),
    paid: paid.toString(),
    unpaid: unpaid.toString(),
    isWhole: [ownRebates, affiliateRecords, payouts].every(({ length }) => length < FULL_LIST),
  };
}
