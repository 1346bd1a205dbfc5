import type { ProductDetail } from "@bourse/api";
import { factsOf, type Product } from "./product-store.ts";
import { isInWindow, isSettlementDelayed } from "./rules.ts";
import { annualPercent, periodBps, periodPercent, settleTimeOf, subscribedPercent } from "./terms.ts";

const isoOf = (time_s: number) => new Date(time_s * 1_000).toISOString();

/** Interface 2.11, WIRE-4b. */
export function productDetail(product: Product, reserved: bigint, now_ms: number): ProductDetail {
  const { terms, status, chain, chainProductId } = product;
  if (chainProductId === undefined) throw new Error(`product ${product.id} is not on chain yet`);
  const facts = factsOf(product, Math.floor(now_ms / 1_000));
  const subscribed = chain?.subscribed ?? 0n;
  const available = terms.totalQuota - subscribed;
  const isSubscribing = status === "subscribing" && isInWindow(facts);
  return {
    id: product.id,
    chain_product_id: Number(chainProductId),
    name: product.name,
    description: product.description,
    annual_rate: annualPercent(terms),
    period_rate: periodPercent(terms),
    annual_rate_bps: terms.annualRateBps,
    period_rate_bps: periodBps(terms),
    duration_seconds: terms.durationSeconds,
    total_quota: terms.totalQuota.toString(),
    subscribed_amount: subscribed.toString(),
    available_quota: available.toString(),
    reserved_amount: reserved.toString(),
    subscription_rate: subscribedPercent(subscribed, terms),
    min_amount: terms.minAmount.toString(),
    max_amount_per_user: terms.maxAmountPerUser.toString(),
    status,
    subscriber_count: chain?.subscriberCount ?? 0,
    subscribe_start_time: isoOf(terms.subscribeStart),
    subscribe_end_time: isoOf(terms.subscribeEnd),
    settle_time: isoOf(settleTimeOf(terms)),
    is_subscribing: isSubscribing,
    is_sold_out: available < terms.minAmount,
    time_remaining_seconds: isSubscribing ? terms.subscribeEnd - facts.now_s : null,
    settlement_delayed: isSettlementDelayed(status, facts),
  };
}
