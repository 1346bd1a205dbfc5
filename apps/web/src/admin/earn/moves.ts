import type { ProductDetail, ProductStatus } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { msOf } from "../../lib/time.ts";

type Moving = Pick<ProductDetail, "status" | "subscribe_start_time" | "settlement_delayed">;

export interface ProductMoves {
  /** All parameters; name and description can always be changed. */
  readonly canChangeParameters: boolean;
  readonly canFund: boolean;
  readonly canCancel: boolean;
  /** What happens automatically, and why the other actions are not offered. */
  readonly next: string;
}

/** ERN-1: states in which a product still waits for its end. */
const RUNNING: ReadonlySet<ProductStatus> = new Set(["created", "subscribing", "active"]);

function nextOf({ status, settlement_delayed }: Moving, canChangeParameters: boolean): string {
  switch (status) {
    case "created":
      return canChangeParameters
        ? "Opens automatically at its time. Until then its parameters can be changed."
        : "Its opening time has come, so its parameters are final. It opens when the chain is read next.";
    case "subscribing":
      return "Closes automatically at its time and cannot be closed earlier. Its parameters are final.";
    case "active":
      return settlement_delayed
        ? "It has matured, but interest is missing. It settles automatically as soon as the interest is paid in."
        : "Settles automatically at maturity, if its interest has been paid in by then.";
    case "settled":
      return "Savers claim. It ends automatically when all have claimed, or 180 days after maturity. It owes nothing more, so it can be neither funded nor cancelled.";
    case "ended":
      return "Ended. Savers who have not claimed can still claim from the contract.";
    case "cancelled":
      return "Savers take their principal back from the contract. It earns nothing and cannot be reopened.";
  }
}

/** Only actions that the exchange allows are offered; the others are explained. */
export function movesOf(product: Moving, now_ms: number): ProductMoves {
  const isRunning = RUNNING.has(product.status);
  const canChangeParameters = product.status === "created" && now_ms < msOf(product.subscribe_start_time);
  return { canChangeParameters, canFund: isRunning, canCancel: isRunning, next: nextOf(product, canChangeParameters) };
}

export const STATUS_WORDS: Readonly<Record<ProductStatus, { readonly label: string; readonly tone: Tone }>> = {
  created: { label: "not open yet", tone: "neutral" },
  subscribing: { label: "open", tone: "accent" },
  active: { label: "running", tone: "neutral" },
  settled: { label: "settled", tone: "accent" },
  ended: { label: "ended", tone: "neutral" },
  cancelled: { label: "cancelled", tone: "neutral" },
};

export const STATUS_OPTIONS = [
  { value: "" as const, label: "all" },
  ...Object.entries(STATUS_WORDS).map(([value, { label }]) => ({ value: value as ProductStatus, label })),
];

export function statusWords({ status, settlement_delayed }: Pick<Moving, "status" | "settlement_delayed">) {
  return settlement_delayed ? { label: "interest missing", tone: "warn" as const } : STATUS_WORDS[status];
}
