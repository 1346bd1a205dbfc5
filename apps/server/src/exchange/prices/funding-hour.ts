import type { Exchange } from "../host/exchange.ts";
import type { EngineMarket } from "./market-guard.ts";

/** The outcome of one hour's funding in one market. */
export interface FundingOutcome {
  readonly symbol: string;
  readonly rate_e8: number;
  /** False if this hour or a later one was already settled, or if it waits for an index. */
  readonly isSettled: boolean;
  readonly positions: number;
}

/** FUT-14: settles one hour in one market. The engine settles an hour once, so a repetition has no effect. */
export async function settleHour(
  exchange: Pick<Exchange, "submit">,
  { number, definition: { symbol } }: EngineMarket,
  rate_e8: number,
  hour: number,
): Promise<FundingOutcome> {
  const { events } = await exchange.submit({ kind: "apply_funding", market: number, rate_e8, hour }, true);
  const refusal = events.find((event) => event.kind === "refused");
  if (refusal !== undefined && refusal.reason !== "window_passed") {
    throw new Error(`the engine refuses the funding of ${symbol}: ${refusal.reason}`);
  }
  const positions = events.filter((event) => event.kind === "funding_paid").length;
  return { symbol, rate_e8, isSettled: refusal === undefined, positions };
}
