import type { ProductDetail, ProductStatus } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { msOf } from "../../lib/time.ts";

type Moving = Pick<ProductDetail, "status" | "subscribe_start_time" | "settlement_delayed">;

export interface ProductMoves {
  /** All terms; name and description can always be changed. */
  readonly canChangeTerms: boolean;
  readonly canFund: boolean;
  readonly canCancel: boolean;
  /** What happens by itself, and why the rest is not offered. */
  readonly next: string;
}

/** ERN-1: states in which a product still waits for its end. */
const RUNNING: ReadonlySet<ProductStatus> = new Set(["created", "subscribing", "active"]);

function nextOf({ status, settlement_delayed }: Moving, canChangeTerms: boolean): string {
  switch (status) {
    case "created":
      return canChangeTerms
        ? "Opens by itself at its time. Until then its terms can be changed."
        : "Opens with the next look at the chain. Its time has come, so its terms are final.";
    case "subscribing":
      return "Closes by itself at its time, early closing is not possible. Its terms are final.";
    case "active":
      return settlement_delayed
        ? "Its time is up, and interest is missing. It settles by itself as soon as that is paid in."
        : "Settles by itself at maturity, if its interest has been paid in by then.";
    case "settled":
      return "Savers claim. It ends by itself when everybody has, or 180 days after maturity. It owes nothing more: neither funding nor cancelling is possible.";
    case "ended":
      return "Over. Whoever has not claimed yet still can, at the contract.";
    case "cancelled":
      return "Savers take their principal back from the contract. It earns nothing and cannot be taken up again.";
  }
}

/** Only moves that the exchange allows are offered; the others are explained. */
export function movesOf(product: Moving, now_ms: number): ProductMoves {
  const isRunning = RUNNING.has(product.status);
  const canChangeTerms = product.status === "created" && now_ms < msOf(product.subscribe_start_time);
  return { canChangeTerms, canFund: isRunning, canCancel: isRunning, next: nextOf(product, canChangeTerms) };
}

export const STATUS_WORDS: Readonly<Record<ProductStatus, { readonly label: string; readonly tone: Tone }>> = {
  created: { label: "not open yet", tone: "neutral" },
  subscribing: { label: "open", tone: "accent" },
  active: { label: "running", tone: "neutral" },
  settled: { label: "settled", tone: "accent" },
  ended: { label: "ended", tone: "neutral" },
  cancelled: { label: "cancelled", tone: "neutral" },
};

export function statusWords({ status, settlement_delayed }: Pick<Moving, "status" | "settlement_delayed">) {
  return settlement_delayed ? { label: "interest missing", tone: "warn" as const } : STATUS_WORDS[status];
}
