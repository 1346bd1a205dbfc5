import type { BonusOptions } from "../options.ts";

export type PaymentPlansOptions = Pick<BonusOptions, "database" | "clock">;

/** A decided payment into the Vault: its amount and the references of its transactions stay the same until it is finished. */
export interface PaymentPlan {
  /** The sum that was paid in before it. */
  readonly from_micros: bigint;
  readonly amount_micros: bigint;
  readonly pullRef: string;
  readonly payRef: string;
}

interface StoredPlan {
  readonly from: string;
  readonly amount: string;
  readonly pull: number;
  readonly pay: number;
  readonly isDropped: boolean;
}

const KEY = "bonus-backing";

const planOf = ({ from, amount, pull, pay }: StoredPlan): PaymentPlan => ({
  from_micros: BigInt(from),
  amount_micros: BigInt(amount),
  pullRef: `bonus-pull:${from}:${pull}`,
  payRef: `bonus-backing:${from}:${pay}`,
});

/**
 * Stores the payment in progress. After a crash more may have been consumed, but one reference must always mean the same
 * transaction.
 */
export class PaymentPlans {
  readonly #options: PaymentPlansOptions;

  constructor(options: PaymentPlansOptions) {
    this.#options = options;
  }

  /** The unfinished payment that began when `from_micros` had been paid in. */
  async find(from_micros: bigint): Promise<PaymentPlan | undefined> {
    const stored = await this.#read();
    if (stored === undefined || stored.isDropped || stored.from !== String(from_micros)) return undefined;
    return planOf(stored);
  }

  async begin(from_micros: bigint, amount_micros: bigint): Promise<PaymentPlan> {
    const stored = await this.#read();
    const from = String(from_micros);
    // An abandoned payment's references stay in use: its transactions may have been sent.
    const { pull, pay } = stored?.from === from ? { pull: stored.pull + 1, pay: stored.pay } : { pull: 1, pay: 1 };
    return await this.#write({ from, amount: String(amount_micros), pull, pay, isDropped: false });
  }

  /** Abandons the payment; none of it has happened. */
  async drop(plan: PaymentPlan): Promise<void> {
    await this.#change(plan, (stored) => ({ ...stored, isDropped: true }));
  }

  /** The tokens were pulled; another transaction must pay them in. */
  async renamePayment(plan: PaymentPlan): Promise<void> {
    await this.#change(plan, (stored) => ({ ...stored, pay: stored.pay + 1 }));
  }

  async #change({ from_micros }: PaymentPlan, change: (stored: StoredPlan) => StoredPlan): Promise<void> {
    const stored = await this.#read();
    if (stored?.from === String(from_micros)) await this.#write(change(stored));
  }

  async #read(): Promise<StoredPlan | undefined> {
    const { db } = this.#options.database;
    const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
    return row?.value as StoredPlan | undefined;
  }

  async #write(stored: StoredPlan): Promise<PaymentPlan> {
    const value = JSON.stringify(stored);
    const updated_at = new Date(this.#options.clock.now());
    await this.#options.database.db
      .insertInto("kernel_state")
      .values({ key: KEY, value, updated_at })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
      .execute();
    return planOf(stored);
  }
}
