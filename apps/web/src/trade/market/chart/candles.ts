import type { FapiInterval, FapiKline, StreamKline } from "@bourse/api/client";

/** For drawing only, hence in floating point. */
export interface Candle {
  readonly open_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const INTERVAL_MS: Readonly<Record<FapiInterval, number>> = {
  "1m": MINUTE_MS,
  "3m": 3 * MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "6h": 6 * HOUR_MS,
  "8h": 8 * HOUR_MS,
  "12h": 12 * HOUR_MS,
  "1d": 24 * HOUR_MS,
};

export const candleOfRow = ([open_ms, open, high, low, close, volume]: FapiKline): Candle => ({
  open_ms,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

export const candleOfStream = (kline: StreamKline): Candle => ({
  open_ms: kline.open_time,
  open: Number(kline.open),
  high: Number(kline.high),
  low: Number(kline.low),
  close: Number(kline.close),
  volume: Number(kline.volume),
});

export interface Merged {
  readonly candles: readonly Candle[];
  /** From this place on they are new or changed. */
  readonly changedFrom: number;
}

/** Both in the order of time; where both have one, what has arrived is right. */
export function mergeCandles(known: readonly Candle[], arrived: readonly Candle[]): Merged {
  const first = arrived[0];
  if (first === undefined) return { candles: known, changedFrom: known.length };
  const changedFrom = placeOf(known, first.open_ms);
  const tail = known.slice(changedFrom);
  const merged = new Map([...tail, ...arrived].map((candle) => [candle.open_ms, candle]));
  const sorted = [...merged.values()].sort((a, b) => a.open_ms - b.open_ms);
  return { candles: [...known.slice(0, changedFrom), ...sorted], changedFrom };
}

/** Of the first that does not begin before then. What changes is nearly always at the end. */
function placeOf(candles: readonly Candle[], open_ms: number): number {
  let place = candles.length;
  while (place > 0 && candles[place - 1]!.open_ms >= open_ms) place -= 1;
  return place;
}

export interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** What lies between the known candles and those that have arrived after a break; undefined where nothing does. */
export function missingBetween(
  known: readonly Candle[],
  arrived: readonly Candle[],
  interval: FapiInterval,
): Range | undefined {
  const [last, first] = [known.at(-1), arrived[0]];
  if (last === undefined || first === undefined || first.open_ms <= last.open_ms + INTERVAL_MS[interval]) return;
  // The last known one was still open when the break came.
  return { startTime: last.open_ms, endTime: first.open_ms - 1 };
}
