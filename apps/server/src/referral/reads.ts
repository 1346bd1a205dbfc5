import type { ClaimedRebate, ReferralOperatorStatus, TraderReferralInfo, UserRebateInfo } from "@bourse/api";
import type { Address as ChainAddress } from "viem";
import { plainReason } from "../chain/index.ts";
import type { Address } from "../kernel/address.ts";
import type { Clock } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { moneyText } from "../kernel/units.ts";
import { answerWithin } from "../kernel/wait.ts";
import { codeText } from "./codes.ts";
import { type ReferralContract, type TraderReferral, tierNameOf, type UserRebate } from "./contract.ts";
import { FreshValues } from "./fresh-values.ts";

export interface ReferralReadsOptions {
  readonly contract: ReferralContract;
  /** The address that must be the contract's operator. */
  readonly operator: ChainAddress;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly timeout_ms?: number;
  /** The maximum number of cached addresses per query. */
  readonly limit?: number;
}

const FRESH_FOR_ms = 15_000;
const TIMEOUT_ms = 8_000;
const MAX_ADDRESSES = 10_000;
const USDT_DECIMALS = 6;

const lower = (address: string) => address.toLowerCase();
const usdText = (amount: bigint) => moneyText(amount, USDT_DECIMALS);

/** REF-2: the contract's values for an address in the interface's format, at most fifteen seconds old. */
export class ReferralReads {
  readonly #options: ReferralReadsOptions;
  readonly #rebates: FreshValues<UserRebate>;
  readonly #referrals: FreshValues<TraderReferral>;
  readonly #operators: FreshValues<boolean>;

  constructor(options: ReferralReadsOptions) {
    this.#options = options;
    const { clock, timeout_ms = TIMEOUT_ms, limit = MAX_ADDRESSES } = options;
    const keeping = { clock, timeout_ms, limit, freshFor_ms: FRESH_FOR_ms };
    this.#rebates = new FreshValues(keeping);
    this.#referrals = new FreshValues(keeping);
    this.#operators = new FreshValues(keeping);
  }

  async userRebate(address: Address): Promise<UserRebateInfo> {
    const { claimed, nonce, code, referrer, tier } = await this.#rebateOf(address);
    return {
      address,
      claimed_usd: usdText(claimed),
      nonce: Number(nonce),
      referral_code: codeText(code),
      referrer: lower(referrer),
      tier_level: tier,
      tier_name: tierNameOf(tier),
    };
  }

  async referralInfo(address: Address): Promise<TraderReferralInfo> {
    const { contract } = this.#options;
    const referral = await this.#asked(this.#referrals.get(address, () => contract.traderReferral(address)));
    return {
      address,
      code: codeText(referral.code),
      referrer: lower(referral.referrer),
      total_rebate_bps: referral.totalBps,
      trader_discount_bps: referral.discountBps,
      affiliate_reward_bps: referral.affiliateBps,
    };
  }

  async claimed(address: Address): Promise<ClaimedRebate> {
    return { address, claimed_usd: usdText((await this.#rebateOf(address)).claimed) };
  }

  async operatorStatus(): Promise<ReferralOperatorStatus> {
    const { contract, operator } = this.#options;
    return {
      operator_address: lower(operator),
      is_operator: await this.#asked(this.#operators.get(operator, () => contract.isOperator(operator))),
      contract_address: lower(contract.address),
    };
  }

  /** The current value, without the cache. */
  async tierNow(address: Address): Promise<number> {
    const { contract, timeout_ms = TIMEOUT_ms } = this.#options;
    return (await this.#asked(answerWithin(contract.userRebate(address), timeout_ms))).tier;
  }

  /** Drops cached values of an affiliate and its referees because its tier may have changed. */
  forgetAffiliate(address: Address): void {
    this.#rebates.drop((_rebate, key) => key === address);
    this.#referrals.drop(({ referrer }) => lower(referrer) === address);
  }

  #rebateOf(address: Address): Promise<UserRebate> {
    return this.#asked(this.#rebates.get(address, () => this.#options.contract.userRebate(address)));
  }

  async #asked<Value>(reading: Promise<Value>): Promise<Value> {
    try {
      return await reading;
    } catch (error) {
      this.#options.log.warn({ reason: plainReason(error) }, "the referral contract could not be asked");
      throw new ApiError(500, "CHAIN_ERROR", "the on-chain query failed; please try again");
    }
  }
}
