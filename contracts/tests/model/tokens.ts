/** Why a call is refused, by the name of its custom error; undefined if it succeeds. */
export type Verdict = string | undefined;

/** The token balances. */
export class Tokens {
  readonly balances: Map<string, bigint>;

  constructor(balances: Readonly<Record<string, bigint>>) {
    this.balances = new Map(Object.entries(balances));
  }

  of(holder: string): bigint {
    return this.balances.get(holder) ?? 0n;
  }

  move(from: string, to: string, amount: bigint): void {
    if (this.of(from) < amount) throw new Error(`${from} has less than ${amount}`);
    this.balances.set(from, this.of(from) - amount);
    this.balances.set(to, this.of(to) + amount);
  }
}
