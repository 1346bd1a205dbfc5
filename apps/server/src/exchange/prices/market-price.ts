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
import { impactAsk, impactBid } from "./impact-price.ts";
import type { EngineMarket, MarketGuard } from "./market-guard.ts";
import { Premiums, settlementHour } from "./premiums.ts";

/** FUT-14: the interval of premium samples. */
const PREMIUM_PERIOD_MS = 5_000;

/** The next full UTC hour, at which funding is settled; at a full hour, the following one. */
export const nextFundingTime = (now_ms: number): number => settlementHour(now_ms) * HOUR_ms;

/** The price state of one market: the last 30 s of its book, its premiums, a pinned price and the last submission. */
export class MarketPrice {
  readonly market: EngineMarket;
  readonly guard: MarketGuard;
  readonly premiums = new Premiums();
  pinned_e8: number | undefined;
  /** When a price was last submitted to the engine. */
  submitted_ms = Number.NEGATIVE_INFINITY;
  /** Whether a price is being submitted. */
  isSubmitting = false;
  /** Whether the engine refused the last price; only the first of several refusals is reported. */
  isRefused = false;
  readonly #offsets = new BookOffsets();
  #sampled_ms = Number.NEGATIVE_INFINITY;

  constructor(market: EngineMarket, guard: MarketGuard) {
    this.market = market;
    this.guard = guard;
  }

  /** FUT-13, FUT-14: samples the book, once a second. */
  sample(indexTicks: number, now_ms: number): void {
    const { book, definition } = this.market;
    if (this.#hasBook()) {
      this.#offsets.add(now_ms, book.bestTicks(BUY) + book.bestTicks(SELL) - 2 * indexTicks);
    }
    if (now_ms - this.#sampled_ms < PREMIUM_PERIOD_MS) return;
    this.#sampled_ms = now_ms;
    this.premiums.add(now_ms, premiumSample_e8(impactBid(book, definition), impactAsk(book, definition), indexTicks));
  }

  /** FUT-13: the mark price for an index now. */
  markTicks(indexTicks: number, now_ms: number): number {
    const { lastTicks } = this.market;
    const basis_e8 = fundingBasis_e8(this.estimate_e8(now_ms), nextFundingTime(now_ms) - now_ms, HOUR_ms);
    const mark = markPrice(indexTicks, basis_e8, this.#offsets.meanAt(now_ms), lastTicks, this.#hasBook());
    return Math.min(mark, MAX_TICKS);
  }

  /** FUT-14: the estimated rate of the current hour. */
  estimate_e8(now_ms: number): number {
    return this.rate_e8(settlementHour(now_ms));
  }

  /** FUT-14: the rate that is settled at the beginning of an hour. */
  rate_e8(hour: number): number {
    return fundingRate_e8(this.premiums.average_e8(hour), this.market.definition.fundingCap_e8);
  }

  #hasBook(): boolean {
    const { book } = this.market;
    return book.bestTicks(BUY) !== NO_TICKS && book.bestTicks(SELL) !== NO_TICKS;
  }
}
