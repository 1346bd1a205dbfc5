import { type EarnSubscription, type ProductDetail, RequestRefused } from "@bourse/api/client";
import { readTyped, sayUnits } from "../chain/tokens.ts";

export type CheckedProduct = Pick<ProductDetail, "min_amount" | "max_amount_per_user" | "available_quota" | "status">;

export type CheckedAmount =
  | { readonly kind: "empty" }
  | { readonly kind: "wrong"; readonly problem: string }
  | { readonly kind: "good"; readonly units: bigint; readonly tokens: string };

interface Holdings {
  /** What the user has in the product already, in whole units. */
  readonly held: bigint;
  /** What is in the wallet; undefined while it is not known. */
  readonly wallet: bigint | undefined;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** The most that one user can still add. */
export function roomFor({ max_amount_per_user, available_quota }: CheckedProduct, { held, wallet }: Holdings): bigint {
  const own = BigInt(max_amount_per_user) - held;
  const room = smaller(own > 0n ? own : 0n, BigInt(available_quota));
  return wallet === undefined ? room : smaller(room, wallet);
}

/** ERN-3, checked before the request, in the same order as the exchange and the contract check it. */
export function checkAmount(text: string, product: CheckedProduct, holdings: Holdings): CheckedAmount {
  const typed = readTyped(text);
  if (typed.kind !== "amount") return typed;
  const { units, tokens } = typed;
  const wrong = (problem: string): CheckedAmount => ({ kind: "wrong", problem });
  const [least, most, left] = [product.min_amount, product.max_amount_per_user, product.available_quota].map(BigInt);
  const { held, wallet } = holdings;
  if (units < (least ?? 0n)) return wrong(`The minimum is ${sayUnits(product.min_amount)}.`);
  if (held + units > (most ?? 0n)) {
    const added = held === 0n ? "" : ` You hold ${sayUnits(held)} of it, so ${sayUnits((most ?? 0n) - held)} more.`;
    return wrong(`The maximum for one user is ${sayUnits(product.max_amount_per_user)}.${added}`);
  }
  if (units > (left ?? 0n)) return wrong(`Only ${sayUnits(product.available_quota)} is left of the quota.`);
  if (wallet !== undefined && units > wallet) return wrong(`Your wallet holds ${sayUnits(wallet)}.`);
  return { kind: "good", units, tokens };
}

const WORDS_OF_REFUSALS: Readonly<Record<string, string>> = {
  INVALID_AMOUNT: "This is not an amount. Write a number with at most 6 decimals.",
  AMOUNT_TOO_LOW: "This is below the minimum for one subscription. Raise it.",
  AMOUNT_TOO_HIGH: "Together with what you hold, this is above the maximum for one user. Lower it.",
  QUOTA_EXCEEDED: "Less than that is left of the quota. Lower it.",
};

/** A refusal that concerns the amount, for the field; undefined for other refusals. */
export function amountProblemOf(error: unknown): string | undefined {
  return error instanceof RequestRefused ? WORDS_OF_REFUSALS[error.code] : undefined;
}

/** What a user holds in a product, in whole units. */
export function heldIn(positions: readonly EarnSubscription[] | undefined, product_id: string): bigint {
  const position = positions?.find((each) => each.product_id === product_id && each.nft_status === "minted");
  return BigInt(position?.principal ?? 0);
}
