/** The markets as in the public exchange information, in 1e-8. */
export interface MarketInfo {
  readonly symbol: string;
  readonly home: number;
  readonly tick: number;
  readonly priceDigits: number;
  readonly lot: number;
  readonly quantityDigits: number;
}

export const MARKETS: readonly MarketInfo[] = [
  { symbol: "BTCUSDT", home: 60_000, tick: 0.1, priceDigits: 1, lot: 0.001, quantityDigits: 3 },
  { symbol: "ETHUSDT", home: 3_000, tick: 0.01, priceDigits: 2, lot: 0.001, quantityDigits: 3 },
  { symbol: "SOLUSDT", home: 150, tick: 0.01, priceDigits: 2, lot: 0.1, quantityDigits: 1 },
  { symbol: "AVAXUSDT", home: 30, tick: 0.001, priceDigits: 3, lot: 1, quantityDigits: 0 },
];

export const marketOf = (symbol: string): MarketInfo => {
  const market = MARKETS.find((each) => each.symbol === symbol);
  if (market === undefined) throw new Error(`there is no market ${symbol}`);
  return market;
};

/** Rounded to the tick, as text. */
export const priceText = ({ tick, priceDigits }: MarketInfo, price: number) =>
  (Math.max(1, Math.round(price / tick)) * tick).toFixed(priceDigits);

export const quantityText = ({ lot, quantityDigits }: MarketInfo, quantity: number) =>
  (Math.max(1, Math.round(quantity / lot)) * lot).toFixed(quantityDigits);
