import type { Tokens, Verdict } from "./tokens.ts";

const DAY_SECONDS = 86_400;

/** What the vault should do. */
export class VaultModel {
  deposited = 0n;
  contributed = 0n;
  withdrawn = 0n;
  paidOut = 0n;
  limit = 0n;
  readonly #tokens: Tokens;
  readonly #paid = new Set<string>();
  readonly #payments: { readonly second: number; readonly amount: bigint }[] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  booked(): bigint {
    return this.deposited + this.contributed - this.withdrawn - this.paidOut;
  }

  /** The amount withdrawn in the last 24 hours. */
  outflow(now: number): bigint {
    return this.#payments
      .filter(({ second }) => second > now - DAY_SECONDS)
      .reduce((total, { amount }) => total + amount, 0n);
  }

  deposit(payer: string, amount: bigint): Verdict {
    if (amount === 0n) return "ZeroAmount";
    this.deposited += amount;
    this.#tokens.move(payer, "vault", amount);
    return undefined;
  }

  contribute(payer: string, amount: bigint): Verdict {
    if (amount === 0n) return "ZeroAmount";
    this.contributed += amount;
    this.#tokens.move(payer, "vault", amount);
    return undefined;
  }

  pay(kind: "withdraw" | "payout", id: string, to: string, amount: bigint, now: number): Verdict {
    const key = `${kind} ${id}`;
    if (this.#paid.has(key)) return kind === "withdraw" ? "WithdrawalAlreadyPaid" : "PayoutAlreadyPaid";
    if (amount === 0n) return "ZeroAmount";
    if (amount > this.booked()) return "InsufficientFunds";
    if (this.limit > 0n && this.outflow(now) + amount > this.limit) return "OutflowLimitExceeded";
    this.#paid.add(key);
    this.#payments.push({ second: now, amount });
    if (kind === "withdraw") this.withdrawn += amount;
    else this.paidOut += amount;
    this.#tokens.move("vault", to, amount);
    return undefined;
  }

  setLimit(limit: bigint): Verdict {
    this.limit = limit;
    return undefined;
  }
}
