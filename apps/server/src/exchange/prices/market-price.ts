import {
  BUY,
  fundingBasis_e8,
  fundingRate_e8,
  MAX_TICKS,
  markPrice,
  NO_TICKS,
  premiumSample_e8,
  SELL,
} from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import { BookOffsets } from "./book-offsets.ts";
import { BookWindow } from "./book-window.ts";
import { bookOffset, fairMark } from "./fair-mark.ts";
import { clampedImpact, impactPrices } from "./impact-price.ts";
import type { EngineMarket, MarketGuard } from "./market-guard.ts";
import { type KeptHour, Premiums, SLOT_ms, settlementHour } from "./premiums.ts";

/** The next full UTC hour, at which funding is settled; at a full hour, the following one. */
export const nextFundingTime = (now_ms: number): number => settlementHour(now_ms) * HOUR_ms;

/** The price state of one market: the last 30 s of its book, its premiums, a pinned price and the last submission. */
export class MarketPrice {
  readonly market: EngineMarket;
  readonly guard: MarketGuard;
  readonly premiums: Premiums;
  pinned_e8: number | undefined;
  /** When a price was last submitted to the engine. */
  submitted_ms = Number.NEGATIVE_INFINITY;
  /** Whether a price is being submitted. */
  isSubmitting = false;
  /** Whether the engine refused the last price; only the first of several refusals is reported. */
  isRefused = false;
  /** FUT-14: whether hours of funding wait for an index. */
  owesFunding = false;
  /** Before rules version 5. */
  readonly #offsets = new BookOffsets();
  /** From rules version 5 on; empty when they begin, so that the mark begins at the index. */
  readonly #window = new BookWindow();
  #sampled_ms = Number.NEGATIVE_INFINITY;

  constructor(market: EngineMarket, guard: MarketGuard, premiums: readonly KeptHour[] = []) {
    this.market = market;
    this.guard = guard;
    this.premiums = new Premiums(premiums);
  }

  /** FUT-13, FUT-14: samples the book, once a second. Returns whether there is a premium to keep. */
  sample(indexTicks: number, now_ms: number): boolean {
    if (this.market.isFair) return this.#sampleFairly(indexTicks, now_ms);
    this.#sampleAsBefore(indexTicks, now_ms);
    return false;
  }

  /** FUT-13: the mark price for an index now. */
  markTicks(indexTicks: number, now_ms: number): number {
    const { lastTicks, isFair, rules } = this.market;
    const basis_e8 = fundingBasis_e8(this.estimate_e8(now_ms), nextFundingTime(now_ms) - now_ms, HOUR_ms);
    const mark = isFair
      ? fairMark({
          indexTicks,
          basis_e8,
          offsetSumTicks: this.#window.sumAt(now_ms),
          impact: clampedImpact(this.market, indexTicks),
          lastTicks,
          markClamp_e8: rules.markClamp_e8,
        })
      : markPrice(indexTicks, basis_e8, this.#offsets.meanAt(now_ms), lastTicks, this.#hasBook());
    return Math.min(mark, MAX_TICKS);
  }

  /** FUT-14: the estimated rate of the current hour. */
  estimate_e8(now_ms: number): number {
    return this.rate_e8(settlementHour(now_ms), now_ms);
  }

  /** FUT-14: the rate that is settled at the beginning of an hour, as known now. */
  rate_e8(hour: number, now_ms: number): number {
    return fundingRate_e8(this.premiums.average_e8(hour, now_ms), this.market.definition.fundingCap_e8);
  }

  #sampleFairly(indexTicks: number, now_ms: number): boolean {
    const impact = clampedImpact(this.market, indexTicks);
    this.#window.set(now_ms, bookOffset(impact, indexTicks));
    if (!this.premiums.isDue(now_ms)) return false;
    const premium_e8 = impact === undefined ? 0 : premiumSample_e8(impact.bidTicks, impact.askTicks, indexTicks);
    this.premiums.add(now_ms, premium_e8, true);
    return true;
  }

  #sampleAsBefore(indexTicks: number, now_ms: number): void {
    const { book } = this.market;
    if (this.#hasBook()) {
      this.#offsets.add(now_ms, book.bestTicks(BUY) + book.bestTicks(SELL) - 2 * indexTicks);
    }
    if (now_ms - this.#sampled_ms < SLOT_ms) return;
    this.#sampled_ms = now_ms;
    const { bidTicks, askTicks } = impactPrices(this.market);
    this.premiums.add(now_ms, premiumSample_e8(bidTicks, askTicks, indexTicks), false);
  }

  #hasBook(): boolean {
    const { book } = this.market;
    return book.bestTicks(BUY) !== NO_TICKS && book.bestTicks(SELL) !== NO_TICKS;
  }
}
