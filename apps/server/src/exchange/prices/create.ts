import type { Clock } from "../../kernel/clock.ts";
import type { Random } from "../../kernel/random.ts";
import type { PriceSourcesChoice } from "../../settings/price-sources.ts";
import type { Exchange } from "../host/exchange.ts";
import { Prices } from "./prices.ts";
import { type CcxtModule, CcxtSource } from "./sources/ccxt.ts";
import type { PriceSource } from "./sources/price-source.ts";
import { SimulatedPrices } from "./sources/simulated.ts";
import type { PriceStore } from "./store.ts";
import { systemTimers, type Timers } from "./timers.ts";

const ONE_E8 = 100_000_000;

/** The first simulated prices; an admin states those of other markets. */
const START_PRICES_e8: Readonly<Record<string, number>> = {
  BTCUSDT: 60_000 * ONE_E8,
  ETHUSDT: 3_000 * ONE_E8,
  SOLUSDT: 150 * ONE_E8,
  AVAXUSDT: 30 * ONE_E8,
};

export interface CreatePricesOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: PriceStore;
  readonly choice: PriceSourcesChoice;
  readonly timers?: Timers;
  readonly onAlarm: (message: string) => void;
  readonly onError: (message: string, error: unknown) => void;
  /** Replaces the library in tests. */
  readonly loadCcxt?: () => Promise<CcxtModule>;
}

/** Creates the prices with the sources that the settings name. */
export function createPrices(options: CreatePricesOptions): Prices {
  const { exchange, clock, random, store, choice, onAlarm, onError, loadCcxt } = options;
  const timers = options.timers ?? systemTimers;
  const { markets } = exchange.engine.state;
  const last_e8 = (symbol: string) => {
    const market = markets.find(({ definition }) => definition.symbol === symbol);
    return market === undefined || market.indexTicks === 0
      ? undefined
      : market.indexTicks * market.definition.tickSize_e8;
  };
  const home_e8 = (symbol: string) => prices.startPrice_e8(symbol) ?? START_PRICES_e8[symbol];
  const simulated = choice.isSimulated ? new SimulatedPrices({ clock, random, home_e8, last_e8 }) : undefined;
  const symbols = () => markets.map(({ definition }) => definition.symbol);
  const sources: PriceSource[] = [
    ...(simulated?.sources ?? []),
    ...choice.ccxt.map(
      (id) =>
        new CcxtSource(id, { clock, timers, symbols, onError, ...(loadCcxt === undefined ? {} : { load: loadCcxt }) }),
    ),
  ];
  const { isPushed, feeds } = choice;
  const shared = { exchange, clock, timers, store, onAlarm, onError };
  const prices = new Prices({ ...shared, sources, simulated, isPushed, feeds });
  return prices;
}
