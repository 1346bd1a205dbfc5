import type {
  FapiBasis,
  FapiForcedClose,
  FapiLongShortRatio,
  FapiOpenInterestPoint,
  FapiTakerVolume,
} from "@bourse/api";
import { decimalText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import type { ForcedClose } from "../history/risk-history.ts";
import type { TakerVolume } from "../history/statistics-history.ts";
import { sideName } from "../orders/names.ts";
import type { SampleRow } from "../statistics/tables.ts";
import type { MarketState } from "./markets.ts";

const RATIO_DIGITS = 4;
const ONE = 10 ** RATIO_DIGITS;

/** A quotient in 1e-4, halves away from zero; 0 for a divisor of zero, which has none. */
function ratio(dividend: number, divisor: number): number {
  if (divisor === 0) return 0;
  const doubled = (2n * BigInt(Math.abs(dividend)) * BigInt(ONE) + BigInt(divisor)) / (2n * BigInt(divisor));
  return dividend < 0 ? -Number(doubled) : Number(doubled);
}

const ratioText = (value: number) => decimalText(value, RATIO_DIGITS, RATIO_DIGITS);

export function openInterestView(sample: SampleRow, { definition }: MarketState): FapiOpenInterestPoint {
  const { open_interest_lots, mark_ticks, time_ms } = sample;
  return {
    symbol: definition.symbol,
    sumOpenInterest: quantityText(definition, open_interest_lots),
    // Beyond the safe range in a large market.
    sumOpenInterestValue: moneyText(BigInt(open_interest_lots) * BigInt(mark_ticks) * BigInt(definition.unit_micros)),
    timestamp: time_ms,
  };
}

/** Undefined where nobody is on either side: there is nothing to compare. */
export function longShortView(
  { time_ms }: SampleRow,
  { definition }: MarketState,
  long: number,
  short: number,
): FapiLongShortRatio | undefined {
  if (long + short === 0) return undefined;
  const longPart = ratio(long, long + short);
  return {
    symbol: definition.symbol,
    longShortRatio: ratioText(ratio(long, short)),
    longAccount: ratioText(longPart),
    shortAccount: ratioText(ONE - longPart),
    timestamp: time_ms,
  };
}

export function takerVolumeView({ time_ms, boughtLots, soldLots }: TakerVolume, { definition }: MarketState) {
  return {
    buySellRatio: ratioText(ratio(boughtLots, soldLots)),
    buyVol: quantityText(definition, boughtLots),
    sellVol: quantityText(definition, soldLots),
    timestamp: time_ms,
  } satisfies FapiTakerVolume;
}

/** Undefined before the first trade, and without an index. */
export function basisView(sample: SampleRow, { definition }: MarketState): FapiBasis | undefined {
  const { last_ticks, index_ticks, time_ms } = sample;
  if (last_ticks === 0 || index_ticks === 0) return undefined;
  return {
    pair: definition.symbol,
    contractType: "PERPETUAL",
    futuresPrice: priceText(definition, last_ticks),
    indexPrice: priceText(definition, index_ticks),
    basis: priceText(definition, last_ticks - index_ticks),
    basisRate: ratioText(ratio(last_ticks - index_ticks, index_ticks)),
    annualizedBasisRate: "",
    timestamp: time_ms,
  };
}

/** FUT-24: a liquidation as bots read it, without its owner. */
export function forcedCloseView(close: ForcedClose, { definition }: MarketState): FapiForcedClose {
  const price = priceText(definition, close.ticks);
  const quantity = quantityText(definition, close.lots);
  return {
    symbol: definition.symbol,
    price,
    origQty: quantity,
    executedQty: quantity,
    averagePrice: price,
    status: "FILLED",
    timeInForce: "IOC",
    type: "LIMIT",
    side: sideName(close.side),
    time: close.time_ms,
  };
}
