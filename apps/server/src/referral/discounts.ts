import type { AccountDirectory, OpenedAccount } from "../exchange/index.ts";
import type { Tx } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
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
  readonly engineRequests: Pick<EngineRequests, "tell">;
  readonly directory: Pick<AccountDirectory, "numbersOf">;
}

/** A trader with an account, and the reward of its code's owner. */
export interface TraderTerms extends AffiliateTerms {
  readonly account: number;
}

/**
 * Called in the transaction that stores a change, with every trader it may concern. The listener itself checks whether anything
 * differs from its own state.
 */
export type TermsListener = (tx: Tx, traders: readonly TraderTerms[]) => Promise<void>;

/**
 * REF-4: sends the engine every change of a trader's on-chain discount, in the transaction that stores the change. Wallets without
 * an account get it when their account is opened.
 */
export class Discounts {
  readonly #options: DiscountsOptions;
  readonly #listeners: TermsListener[] = [];

  constructor(options: DiscountsOptions) {
    this.#options = options;
  }

  /** Adds a listener that rewards affiliates. */
  onTerms(listener: TermsListener): void {
    this.#listeners.push(listener);
  }

  async tellAffected(tx: ReferralTx, affected: Affected): Promise<void> {
    const traders = await affectedTraders(tx, affected);
    if (traders.length === 0) return;
    // Before the discounts are read: an account that is being opened concurrently either sees the stored state or is seen here.
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
    const ref = `referral-discount:${account}:${version}`;
    await this.#options.engineRequests.tell(tx, ref, { kind: "set_discount", account, discount_bps: granted_bps });
  }
}
