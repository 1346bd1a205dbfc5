import type { Clock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { History } from "../history/history.ts";
import { readCursor, readUnits } from "../projector/cursor.ts";
import { marketHistoryFrom } from "./from-history.ts";
import { INTERVAL_NAMES, type Interval, KLINES_KEPT, type Kline } from "./kline-series.ts";
import { TRADES_KEPT, type Trade } from "./market-board.ts";
import type { MarketHistory } from "./market-data.ts";

interface MarketSeed {
  readonly trades: readonly Trade[];
  readonly klines: ReadonlyMap<Interval, readonly Kline[]>;
  readonly lastFunding: Awaited<ReturnType<MarketHistory["lastFunding"]>>;
}

/** Market data from the tables as of one command. */
export interface Seeds {
  readonly commandNumber: number;
  readonly markets: ReadonlyMap<number, MarketSeed>;
}

/** Reads do not wait for the projector; they use the tables as they are. */
const noWaiting = {
  waitForAccount: () => Promise.resolve(),
  waitForAll: () => Promise.resolve(),
  pendingOrder: () => undefined,
  isSpilled: false,
};

/**
 * For a process that follows the log while another one writes the tables: reads everything as of one command, from
 * which the process then follows.
 */
export async function readSeeds(database: Pick<Database, "db">, clock: Clock, cursorKey: Uint8Array): Promise<Seeds> {
  return await database.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx: Tx) => {
      const { command_number } = await readCursor(tx);
      const { markets } = new History({ database: { db: tx }, projector: noWaiting, clock, cursorKey });
      const history = marketHistoryFrom(markets);
      const seeds = new Map<number, MarketSeed>();
      for (const market of (await readUnits(tx)).keys()) seeds.set(market, await readSeed(history, market));
      return { commandNumber: command_number, markets: seeds };
    });
}

async function readSeed(history: MarketHistory, market: number): Promise<MarketSeed> {
  const klines = new Map<Interval, readonly Kline[]>();
  for (const interval of INTERVAL_NAMES) {
    klines.set(interval, await history.klines(market, interval, KLINES_KEPT));
  }
  const trades = await history.trades(market, TRADES_KEPT);
  return { trades, klines, lastFunding: await history.lastFunding(market) };
}

/** The same as the history that market data loads. */
export const seedHistory = ({ markets }: Seeds): MarketHistory => ({
  trades: async (market) => markets.get(market)?.trades ?? [],
  klines: async (market, interval) => markets.get(market)?.klines.get(interval) ?? [],
  lastFunding: async (market) => markets.get(market)?.lastFunding,
});
