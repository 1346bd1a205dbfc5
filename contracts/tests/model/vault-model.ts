import type { Tokens, Verdict } from "./tokens.ts";

const DAY_SECONDS = 86_400;

const within = <Each extends { readonly second: number }>(all: readonly Each[], now: number): Each[] =>
  all.filter(({ second }) => second > now - DAY_SECONDS);
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** What the vault should do. */
export class VaultModel {
  deposited = 0n;
  contributed = 0n;
  withdrawn = 0n;
  paidOut = 0n;
  limit = 0n;
  readonly #tokens: Tokens;
  readonly #paid = new Set<string>();
  /** Payments above 0, deposits below, each as far as it counts. */
  readonly #counted: { readonly second: number; readonly amount: bigint }[] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  booked(): bigint {
    return this.deposited + this.contributed - this.withdrawn - this.paidOut;
  }

  /** VLT-5: payments less deposits of the last 24 hours, not below minus the limit. */
  outflow(now: number): bigint {
    const net = sumOf(within(this.#counted, now).map(({ amount }) => amount));
    return this.limit > 0n && net < -this.limit ? -this.limit : net;
  }

  deposit(payer: string, amount: bigint, now: number): Verdict {
    if (amount === 0n) return "ZeroAmount";
    this.deposited += amount;
    const net = this.outflow(now);
    const room = this.limit > 0n ? net + this.limit : amount;
    this.#counted.push({ second: now, amount: -(room < amount ? room : amount) });
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
    const net = sumOf(within(this.#counted, now).map((one) => one.amount));
    const lost = this.outflow(now) - net;
    this.#counted.push({ second: now, amount: amount + lost });
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
