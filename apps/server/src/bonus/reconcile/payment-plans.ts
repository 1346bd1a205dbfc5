import type { BonusOptions } from "../options.ts";

export type PaymentPlansOptions = Pick<BonusOptions, "database" | "clock">;

/** A payment into the Vault that was decided: its amount and the names of its transactions stay the same until it is done. */
export interface PaymentPlan {
  /** What had been paid in before it. */
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
 * Remembers the payment that is being made. More may have been consumed when it is taken up again after a crash, and under
 * the same name only the same transaction may be sent.
 */
export class PaymentPlans {
  readonly #options: PaymentPlansOptions;

  constructor(options: PaymentPlansOptions) {
    this.#options = options;
  }

  /** The payment that was begun when so much had been paid in, and has not been made. */
  async find(from_micros: bigint): Promise<PaymentPlan | undefined> {
    const stored = await this.#read();
    if (stored === undefined || stored.isDropped || stored.from !== String(from_micros)) return undefined;
    return planOf(stored);
  }

  async begin(from_micros: bigint, amount_micros: bigint): Promise<PaymentPlan> {
    const stored = await this.#read();
    const from = String(from_micros);
    // One that was given up keeps its names: they may have been used.
    const { pull, pay } = stored?.from === from ? { pull: stored.pull + 1, pay: stored.pay } : { pull: 1, pay: 1 };
    return await this.#write({ from, amount: String(amount_micros), pull, pay, isDropped: false });
  }

  /** Gives it up; nothing of it has happened. */
  async drop(plan: PaymentPlan): Promise<void> {
    await this.#change(plan, (stored) => ({ ...stored, isDropped: true }));
  }

  /** The money is there and has to be paid by another transaction. */
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
