import type { EarnSubscription, ProductDetail, ProductStatus } from "@bourse/api/client";
import type { Tone } from "../kit/panel.tsx";

interface Said {
  readonly label: string;
  readonly tone: Tone;
}

export const PRODUCT_WORDS: Readonly<Record<ProductStatus, Said>> = {
  created: { label: "Opens soon", tone: "neutral" },
  subscribing: { label: "Open", tone: "accent" },
  active: { label: "Running", tone: "neutral" },
  settled: { label: "Settled", tone: "accent" },
  ended: { label: "Ended", tone: "neutral" },
  cancelled: { label: "Cancelled", tone: "warn" },
};

export function productWords(product: Pick<ProductDetail, "status" | "is_sold_out" | "settlement_delayed">): Said {
  if (product.status === "subscribing" && product.is_sold_out) return { label: "Sold out", tone: "neutral" };
  if (product.settlement_delayed) return { label: "Payout delayed", tone: "warn" };
  return PRODUCT_WORDS[product.status];
}

const ORDER: readonly ProductStatus[] = ["subscribing", "created", "active", "settled", "cancelled", "ended"];

/** Open products first, then upcoming, then past ones; the newest first among equals. */
export const inOrder = <Product extends Pick<ProductDetail, "status">>(products: readonly Product[]): Product[] =>
  [...products].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));

/** The next moment of a product; undefined where there is none. */
export function nextMoment(product: ProductDetail): { readonly what: string; readonly at: string } | undefined {
  switch (product.status) {
    case "created":
      return { what: "Opens in", at: product.subscribe_start_time };
    case "subscribing":
      return { what: "Closes in", at: product.subscribe_end_time };
    case "active":
      return { what: "Matures in", at: product.settle_time };
    case "settled":
    case "ended":
    case "cancelled":
      return undefined;
  }
}

export const POSITION_WORDS: Readonly<Record<EarnSubscription["status"], Said>> = {
  active: { label: "Earning", tone: "neutral" },
  claimable: { label: "Ready to claim", tone: "accent" },
  claimed: { label: "Redeemed", tone: "neutral" },
  refundable: { label: "Cancelled: take it back", tone: "warn" },
  refunded: { label: "Refunded", tone: "neutral" },
};

export type Collecting = "claim" | "emergencyClaim";

/** What can be taken from a position now, and by which call. */
export function collectable(
  position: Pick<EarnSubscription, "status" | "total_return" | "principal">,
): { readonly call: Collecting; readonly units: string } | undefined {
  if (position.status === "claimable") return { call: "claim", units: position.total_return };
  if (position.status === "refundable") return { call: "emergencyClaim", units: position.principal };
  return undefined;
}
