import type { AccountDirectory, OpenedAccount } from "../exchange/accounts/directory.ts";
import { COMMAND_TOPIC } from "../exchange/host/outbox-delivery.ts";
import type { Tx } from "../kernel/database/database.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import {
  type Affected,
  type AffiliateTerms,
  affectedTraders,
  affiliateTerms,
  type DiscountState,
  discountStates,
  rememberDiscount,
} from "./store.ts";
import type { ReferralTx } from "./tables.ts";

export interface DiscountsOptions {
  readonly outbox: Outbox;
  readonly directory: Pick<AccountDirectory, "numbersOf">;
}

/** A trader with an account, and what the owner of its code earns on it. */
export interface TraderTerms extends AffiliateTerms {
  readonly account: number;
}

/**
 * Told in the transaction that stores a change, of every trader it may concern; whether anything differs from what was
 * told before is for the listener to see.
 */
export type TermsListener = (tx: Tx, traders: readonly TraderTerms[]) => Promise<void>;

/**
 * REF-4: tells the engine of every change of a trader's on-chain discount, in the transaction that stores the change.
 * Wallets without an account are told of when they get one.
 */
export class Discounts {
  readonly #options: DiscountsOptions;
  readonly #listeners: TermsListener[] = [];

  constructor(options: DiscountsOptions) {
    this.#options = options;
  }

  /** Adds somebody who rewards affiliates. */
  onTerms(listener: TermsListener): void {
    this.#listeners.push(listener);
  }

  async tellAffected(tx: ReferralTx, affected: Affected): Promise<void> {
    const traders = await affectedTraders(tx, affected);
    if (traders.length === 0) return;
    // Before looking at the discounts: an account that is being opened right now sees what is stored here, or is seen.
    const accounts = await this.#options.directory.numbersOf(tx, traders);
    await this.#tellAll(tx, accounts);
  }

  async tellOpened(tx: ReferralTx, opened: readonly OpenedAccount[]): Promise<void> {
    await this.#tellAll(tx, new Map(opened.map(({ address, account }) => [address, account])));
  }

  async #tellAll(tx: ReferralTx, accounts: ReadonlyMap<string, number>): Promise<void> {
    for (const state of await discountStates(tx, [...accounts.keys()])) {
      await this.#tell(tx, accounts.get(state.trader)!, state);
    }
    await this.#tellListeners(tx, accounts);
  }

  async #tellListeners(tx: ReferralTx, accounts: ReadonlyMap<string, number>): Promise<void> {
    if (this.#listeners.length === 0 || accounts.size === 0) return;
    const terms = await affiliateTerms(tx, [...accounts.keys()]);
    const traders = terms.map((each) => ({ ...each, account: accounts.get(each.trader)! }));
    for (const listener of this.#listeners) await listener(tx, traders);
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
