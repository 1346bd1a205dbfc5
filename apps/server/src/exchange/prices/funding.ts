import type { Exchange } from "../host/exchange.ts";
import type { Prices } from "./prices.ts";

/** The outcome of one hour's funding in one market. */
export interface FundingOutcome {
  readonly symbol: string;
  readonly rate_e8: number;
  /** False if this hour or a later one was already settled. */
  readonly isSettled: boolean;
  readonly positions: number;
}

/**
 * FUT-14: settles the hour that ends at the beginning of `hour` in every market with a price. The engine settles an
 * hour once, so a repetition has no effect.
 */
export function settleFunding(exchange: Exchange, prices: Prices, hour: number): Promise<FundingOutcome[]> {
  // Without a price there are no positions and no rate.
  const markets = exchange.engine.state.markets.filter(({ markTicks }) => markTicks > 0);
  return Promise.all(
    markets.map(async ({ number, definition: { symbol } }) => {
      const rate_e8 = prices.rate_e8(number, hour);
      const { events } = await exchange.submit({ kind: "apply_funding", market: number, rate_e8, hour }, true);
      const refusal = events.find((event) => event.kind === "refused");
      if (refusal !== undefined && refusal.reason !== "window_passed") {
        throw new Error(`the engine refuses the funding of ${symbol}: ${refusal.reason}`);
      }
      const positions = events.filter((event) => event.kind === "funding_paid").length;
      return { symbol, rate_e8, isSettled: refusal === undefined, positions };
    }),
  );
}
