import { type Address, getAddress, type Hex, zeroAddress, zeroHash } from "viem";
import type { ReferralContract, TraderReferral, UserRebate } from "../contract.ts";

export const CONTRACT = getAddress("0x27b1fdb04752bbc536007a920d24acb045561c26");

export const NO_REBATE: UserRebate = {
  credited: 0n,
  claimed: 0n,
  nonce: 0n,
  code: zeroHash,
  referrer: zeroAddress,
  tier: 0,
};
const NO_REFERRAL: TraderReferral = {
  code: zeroHash,
  referrer: zeroAddress,
  totalBps: 0,
  discountBps: 0,
  affiliateBps: 0,
};

/** A contract whose answers the test sets, and which counts calls. */
export class FakeContract implements ReferralContract {
  readonly address: Address = CONTRACT;
  readonly asked: string[] = [];
  rebate = NO_REBATE;
  referral = NO_REFERRAL;
  hasRole = true;
  /** What every answer waits for. */
  answers: Promise<unknown> = Promise.resolve();

  async #answer<Value>(question: string, value: () => Value): Promise<Value> {
    this.asked.push(question);
    await this.answers;
    return value();
  }
  userRebate = (user: Address) => this.#answer(`rebate ${user}`, () => this.rebate);
  traderReferral = (trader: Address) => this.#answer(`referral ${trader}`, () => this.referral);
  isOperator = (account: Address) => this.#answer(`operator ${account}`, () => this.hasRole);
  isBatchSynced = (batchId: Hex) => this.#answer(`batch ${batchId}`, () => false);
}
