import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import { COMMAND_TOPIC } from "../exchange/host/outbox-delivery.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import { type Affected, affectedTraders, type DiscountState, discountStates, rememberDiscount } from "./store.ts";
import type { ReferralTx } from "./tables.ts";

export interface DiscountsOptions {
  readonly outbox: Outbox;
  readonly directory: Pick<AccountDirectory, "numbersOf">;
}

/**
 * REF-4: tells the engine of every change of a trader's on-chain discount, in the transaction that stores the change.
 * Wallets without an account are told of when they get one.
 */
export class Discounts {
  readonly #options: DiscountsOptions;

  constructor(options: DiscountsOptions) {
    this.#options = options;
  }

  async tellAffected(tx: ReferralTx, affected: Affected): Promise<void> {
    const traders = await affectedTraders(tx, affected);
    if (traders.length === 0) return;
    // Before looking at the discounts: an account that is being opened right now sees what is stored here, or is seen.
    const accounts = await this.#options.directory.numbersOf(tx, traders);
    for (const state of await discountStates(tx, [...accounts.keys()])) {
      await this.#tell(tx, accounts.get(state.trader)!, state);
    }
  }

  async tellOpened(tx: ReferralTx, trader: string, account: number): Promise<void> {
    for (const state of await discountStates(tx, [trader])) await this.#tell(tx, account, state);
  }

  async #tell(tx: ReferralTx, account: number, state: DiscountState): Promise<void> {
    const { trader, granted_bps, told_bps } = state;
    if (granted_bps === told_bps) return;
    const version = state.version + 1;
    await rememberDiscount(tx, { trader, discount_bps: granted_bps, version });
    await this.#options.outbox.enqueue(tx, {
      topic: COMMAND_TOPIC,
      ref: `referral-discount:${account}:${version}`,
      payload: { kind: "set_discount", account, discount_bps: granted_bps },
    });
  }
}
