import type { EventOf } from "@bourse/engine";
import type { Applied } from "../../../exchange/host/exchange.ts";

export type FillEvent = EventOf<"fill">;

const PLAIN: FillEvent = {
  kind: "fill",
  trade: 1,
  market: 0,
  account: 1,
  order: 1,
  side: 0,
  isMaker: 0,
  cause: "trade",
  ticks: 600_000,
  lots: 1,
  orderLots: 1,
  executedLots: 1,
  quote_micros: 0,
  fee_micros: 0,
  feeFromBonus_micros: 0,
  realised_micros: 0,
  lossFromBonus_micros: 0,
  positionLots: 1,
  cost_micros: 0,
  principal_micros: 0,
  bonus_micros: 0,
  isolated_micros: 0,
  termsVersion: 0,
  isSelfTrade: 0,
  markTicks: 0,
  isOffMarket: 0,
};

/** The value of one lot at one tick, in every market of these tests: a plain fill is a trade of 60 USDT. */
export const UNITS_micros: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 8 }, (_, market) => [market, 100]),
);

export const fillEvent = (fields: Partial<FillEvent>): FillEvent => ({ ...PLAIN, ...fields });

/** A command with these events, as the projector passes it to its programs. */
export const commandWith = (number: number, time_ms: number, events: Applied["events"]): Applied => ({
  number,
  time_ms,
  command: { kind: "advance_time", time_ms },
  events,
});
