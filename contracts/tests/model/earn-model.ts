import type { EarnStatus, EarnTerms } from "../../src/index.ts";
import type { Tokens, Verdict } from "./tokens.ts";

export interface ModelProduct {
  readonly terms: EarnTerms;
  status: EarnStatus;
  subscribed: bigint;
  funded: bigint;
  readonly subscribers: Set<string>;
  /** The current principal of each user. */
  readonly principals: Map<string, bigint>;
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n);

/** What the earn contract should do, in the simplest way: every sum is computed at each request. */
export class EarnModel {
  readonly products: ModelProduct[] = [];
  readonly #tokens: Tokens;
  readonly #usedVouchers = new Set<string>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  static interestOf({ annualRateBps, durationSeconds }: EarnTerms, principal: bigint): bigint {
    return (principal * BigInt(annualRateBps) * BigInt(durationSeconds)) / (10_000n * 31_536_000n);
  }

  static settleTime({ subscribeEnd, durationSeconds }: EarnTerms): number {
    return subscribeEnd + durationSeconds;
  }

  principalOf(product: ModelProduct): bigint {
    return sum(product.principals.values());
  }

  owedBy({ terms, principals }: ModelProduct): bigint {
    return sum([...principals.values()].map((principal) => EarnModel.interestOf(terms, principal)));
  }

  totalPrincipal(): bigint {
    return sum(this.products.map((product) => this.principalOf(product)));
  }

  totalFunded(): bigint {
    return sum(this.products.map(({ funded }) => funded));
  }

  product(productId: bigint): ModelProduct | undefined {
    return this.products[Number(productId) - 1];
  }

  create(terms: EarnTerms): Verdict {
    const product = { terms, subscribed: 0n, funded: 0n, subscribers: new Set<string>(), principals: new Map() };
    this.products.push({ ...product, status: "open" });
    return undefined;
  }

  subscribe(user: string, productId: bigint, amount: bigint, deadline: bigint, now: number): Verdict {
    const product = this.product(productId);
    if (product === undefined) return "UnknownProduct";
    const { terms, status } = product;
    const held = product.principals.get(user) ?? 0n;
    const isInWindow = now >= terms.subscribeStart && now < terms.subscribeEnd;
    if (status !== "open" || !isInWindow) return "SubscriptionClosed";
    if (amount < terms.minAmount) return "AmountTooLow";
    if (held + amount > terms.maxAmountPerUser) return "AmountTooHigh";
    if (product.subscribed + amount > terms.totalQuota) return "QuotaExceeded";
    if (BigInt(now) > deadline) return "VoucherExpired";
    const voucher = [user, productId, amount, deadline].join();
    if (this.#usedVouchers.has(voucher)) return "VoucherUsed";
    this.#usedVouchers.add(voucher);
    product.principals.set(user, held + amount);
    product.subscribers.add(user);
    product.subscribed += amount;
    this.#tokens.move(user, "earn", amount);
    return undefined;
  }

  fund(payer: string, productId: bigint, amount: bigint): Verdict {
    if (amount === 0n) return "ZeroAmount";
    const refusal = this.#refusalUnless(productId, "open");
    if (refusal !== undefined) return refusal;
    this.product(productId)!.funded += amount;
    this.#tokens.move(payer, "earn", amount);
    return undefined;
  }

  settle(productId: bigint, now: number): Verdict {
    const refusal = this.#refusalUnless(productId, "open");
    if (refusal !== undefined) return refusal;
    const product = this.product(productId)!;
    if (now < EarnModel.settleTime(product.terms)) return "NotMatured";
    if (product.subscribed === 0n) return "NothingSubscribed";
    if (product.funded < this.owedBy(product)) return "Underfunded";
    product.status = "settled";
    return undefined;
  }

  cancel(productId: bigint): Verdict {
    const refusal = this.#refusalUnless(productId, "open");
    if (refusal === undefined) this.product(productId)!.status = "cancelled";
    return refusal;
  }

  claim(user: string, productId: bigint): Verdict {
    const refusal = this.#refusalUnless(productId, "settled") ?? this.#refusalWithoutPosition(user, productId);
    if (refusal !== undefined) return refusal;
    const product = this.product(productId)!;
    const principal = this.#leave(user, product);
    const interest = EarnModel.interestOf(product.terms, principal);
    product.funded -= interest;
    this.#tokens.move("earn", user, principal + interest);
    return undefined;
  }

  emergencyClaim(user: string, productId: bigint): Verdict {
    const refusal = this.#refusalUnless(productId, "cancelled") ?? this.#refusalWithoutPosition(user, productId);
    if (refusal !== undefined) return refusal;
    this.#tokens.move("earn", user, this.#leave(user, this.product(productId)!));
    return undefined;
  }

  withdrawExcess(productId: bigint, to: string): Verdict {
    const product = this.product(productId);
    if (product === undefined) return "UnknownProduct";
    if (product.status === "open") return "WrongStatus";
    const kept = product.status === "settled" ? this.owedBy(product) : 0n;
    if (product.funded === kept) return "NothingToWithdraw";
    this.#tokens.move("earn", to, product.funded - kept);
    product.funded = kept;
    return undefined;
  }

  #refusalUnless(productId: bigint, status: EarnStatus): Verdict {
    const product = this.product(productId);
    if (product === undefined) return "UnknownProduct";
    return product.status === status ? undefined : "WrongStatus";
  }

  #refusalWithoutPosition(user: string, productId: bigint): Verdict {
    return this.product(productId)!.principals.has(user) ? undefined : "NoPosition";
  }

  #leave(user: string, { principals }: ModelProduct): bigint {
    const principal = principals.get(user)!;
    principals.delete(user);
    return principal;
  }
}
