import { Decimal } from "../../lib/decimal.ts";
import { type Draft, EMPTY_DRAFT } from "./draft.ts";
import type { MarketRules, Prices } from "./market-rules.ts";
import type { Room } from "./sizing.ts";

/** BTCUSDT as FUT-2 and FUT-10 have it. */
export const BTC: MarketRules = {
  symbol: "BTCUSDT",
  base_asset: "BTC",
  status: "trading",
  tick_size: "0.1",
  lot_size: "0.001",
  min_order_size_usd: "5.00",
  max_order_size_usd: "10000000.00",
  max_leverage: 50,
  price_band: "0.05",
  brackets: [
    { notional_cap: "100000.00", max_leverage: 50, maintenance_rate: "0.01", cumulative: "0.00" },
    { notional_cap: "500000.00", max_leverage: 25, maintenance_rate: "0.02", cumulative: "1000.00" },
    { notional_cap: "2000000.00", max_leverage: 20, maintenance_rate: "0.025", cumulative: "3500.00" },
  ],
};

export const PRICES: Prices = { mark: "60000.0", last: "60000.0", bid: "59999.9", ask: "60000.1" };

const dec = Decimal.parse;

/** 1,000 USDT at 10×, nothing open, no fees. */
export const ROOM: Room = {
  available: dec("1000"),
  positionValue: Decimal.ZERO,
  openBuys: Decimal.ZERO,
  openSells: Decimal.ZERO,
  leverage: 10,
  notionalCap: dec("2000000"),
  orderCap: dec("10000000"),
  feeRate: Decimal.ZERO,
  mark: dec("60000"),
};

export const draftOf = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...change });
