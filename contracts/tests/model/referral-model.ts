import type { Tokens, Verdict } from "./tokens.ts";

export interface ModelRebate {
  credited: bigint;
  claimed: bigint;
  nonce: bigint;
  tier: number;
  code: string | undefined;
}

const TIERS = [
  { totalBps: 1_000, sharePercent: 50 },
  { totalBps: 1_500, sharePercent: 50 },
  { totalBps: 2_000, sharePercent: 50 },
  { totalBps: 2_500, sharePercent: 40 },
  { totalBps: 3_000, sharePercent: 40 },
];

/** What the referral contract should do. */
export class ReferralModel {
  readonly owners = new Map<string, string>();
  readonly #tokens: Tokens;
  readonly #rebates = new Map<string, ModelRebate>();
  readonly #batches = new Set<string>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  rebateOf(user: string): ModelRebate {
    const found = this.#rebates.get(user);
    if (found !== undefined) return found;
    const opened = { credited: 0n, claimed: 0n, nonce: 0n, tier: 0, code: undefined };
    this.#rebates.set(user, opened);
    return opened;
  }

  /** The total rate, and the trader's discount, which is part of it. */
  ratesOf(trader: string): { readonly totalBps: number; readonly discountBps: number } {
    const { code } = this.rebateOf(trader);
    if (code === undefined) return { totalBps: 0, discountBps: 0 };
    const { totalBps, sharePercent } = TIERS[this.rebateOf(this.owners.get(code)!).tier]!;
    return { totalBps, discountBps: (totalBps * sharePercent) / 100 };
  }

  total(part: "credited" | "claimed"): bigint {
    return [...this.#rebates.values()].reduce((total, rebate) => total + rebate[part], 0n);
  }

  register(owner: string, code: string): Verdict {
    if (this.owners.has(code)) return "CodeTaken";
    this.owners.set(code, owner);
    return undefined;
  }

  use(trader: string, code: string): Verdict {
    if (!this.owners.has(code)) return "UnknownCode";
    if (this.owners.get(code) === trader) return "OwnCode";
    const rebate = this.rebateOf(trader);
    if (rebate.code === code) return "CodeUnchanged";
    rebate.code = code;
    return undefined;
  }

  setTier(affiliate: string, tier: number): Verdict {
    if (tier >= TIERS.length) return "InvalidTier";
    this.rebateOf(affiliate).tier = tier;
    return undefined;
  }

  sync(batchId: string, users: readonly string[], amounts: readonly bigint[]): Verdict {
    if (users.length === 0) return "InvalidBatchSize";
    if (this.#batches.has(batchId)) return "BatchAlreadySynced";
    if (amounts.includes(0n)) return "ZeroAmount";
    this.#batches.add(batchId);
    for (const [index, user] of users.entries()) {
      this.rebateOf(user).credited += amounts[index]!;
      this.#tokens.move("operator", "referral", amounts[index]!);
    }
    return undefined;
  }

  claim(user: string): Verdict {
    const rebate = this.rebateOf(user);
    const amount = rebate.credited - rebate.claimed;
    if (amount === 0n) return "NothingToClaim";
    rebate.claimed = rebate.credited;
    rebate.nonce += 1n;
    this.#tokens.move("referral", user, amount);
    return undefined;
  }
}
