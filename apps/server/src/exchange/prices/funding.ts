import type { Exchange } from "../host/exchange.ts";
import { type FundingOutcome, settleHour } from "./funding-hour.ts";
import type { Prices } from "./prices.ts";

/**
 * FUT-14: settles the hour that ends at the beginning of `hour` in every market with a price. A market that has lost its
 * index settles when it has one again or is halted, because funding judges positions by the mark (FUT-13).
 */
export function settleFunding(
  exchange: Exchange,
  prices: Pick<Prices, "rate_e8" | "putsOffFunding">,
  hour: number,
): Promise<FundingOutcome[]> {
  // Without a price there are no positions and no rate.
  const markets = exchange.engine.state.markets.filter(({ markTicks }) => markTicks > 0);
  return Promise.all(
    markets.map((market) => {
      const rate_e8 = prices.rate_e8(market.number, hour);
      if (!prices.putsOffFunding(market.number)) return settleHour(exchange, market, rate_e8, hour);
      return { symbol: market.definition.symbol, rate_e8, isSettled: false, positions: 0 };
    }),
  );
}
