import type { Prng } from "../../packages/engine/src/book/testing/prng.ts";

/** A market as bots need it: prices and quantities in whole steps, and how a number of steps is written. */
export interface LoadMarket {
  readonly symbol: string;
  readonly midTicks: number;
  readonly tick: Step;
  readonly lot: Step;
  /** The quantity of one order: slightly above the minimum notional. */
  readonly orderLots: number;
}

/** `units` of 10^-`digits`. */
export interface Step {
  readonly units: number;
  readonly digits: number;
}

export function stepOf(text: string): Step {
  const [whole = "", fraction = ""] = text.split(".");
  const digits = fraction.replace(/0+$/, "").length;
  return { units: Number(whole + fraction.slice(0, digits)), digits };
}

export function stepsText(steps: number, { units, digits }: Step): string {
  const text = String(steps * units).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

interface ExchangeInfo {
  readonly symbols: readonly {
    readonly symbol: string;
    readonly filters: readonly Readonly<Record<string, string>>[];
  }[];
}

const NOTIONAL_ROOM = 1.5;

/** The exchange's markets, with the prices at which the run holds them. */
export function marketsOf(info: ExchangeInfo, prices: ReadonlyMap<string, string>): LoadMarket[] {
  return info.symbols.flatMap(({ symbol, filters }) => {
    const price = prices.get(symbol);
    if (price === undefined) return [];
    const filter = (type: string, name: string): string => {
      const value = filters.find(({ filterType }) => filterType === type)?.[name];
      if (value === undefined) throw new Error(`${symbol} has no ${type} with ${name}`);
      return value;
    };
    const tick = stepOf(filter("PRICE_FILTER", "tickSize"));
    const lot = stepOf(filter("LOT_SIZE", "stepSize"));
    const value_usdt = Number(price) * (lot.units / 10 ** lot.digits);
    const orderLots = Math.ceil((Number(filter("MIN_NOTIONAL", "notional")) * NOTIONAL_ROOM) / value_usdt);
    const midTicks = Math.round((Number(price) * 10 ** tick.digits) / tick.units);
    return [{ symbol, midTicks, tick, lot, orderLots }];
  });
}

/** In hundredths of a percent: the distance of resting orders from the mid price, and how far takers cross it. */
const NEAREST_bps = 2;
const FARTHEST_bps = 50;
const CROSSING_bps = 80;

export type Side = "BUY" | "SELL";

export const otherSide = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

const away = (market: LoadMarket, side: Side, distance_bps: number): string => {
  const ticks = Math.round((market.midTicks * distance_bps) / 10_000);
  return stepsText(market.midTicks + (side === "BUY" ? -ticks : ticks), market.tick);
};

/**
 * A price at which an order of this side rests: on its own side of the mid price, where no order of the other side
 * rests.
 */
export const restingPrice = (market: LoadMarket, side: Side, prng: Prng): string =>
  away(market, side, prng.between(NEAREST_bps, FARTHEST_bps));

/** A price that crosses everything that rests on the other side. */
export const crossingPrice = (market: LoadMarket, side: Side): string => away(market, otherSide(side), CROSSING_bps);

/** A price at which an order of this side matches nothing. */
export const idlePrice = (market: LoadMarket, side: Side): string => away(market, side, CROSSING_bps);

export const quantity = (market: LoadMarket): string => stepsText(market.orderLots, market.lot);
