import { systemTimers, type Timers } from "../../exchange/index.ts";
import type { Random } from "../../kernel/random.ts";
import { type Bot, Pace } from "./bot.ts";
import { clockTimers } from "./clock-timers.ts";
import { MarketMaker } from "./market-maker.ts";
import { Trader } from "./trader.ts";
import { DemoWallet, type DemoWalletOptions } from "./wallet.ts";

/** Enough for everything that the maker quotes and may hold, at its leverage. */
const MAKER_USDT = 2_000_000;
const TRADER_USDT = 50_000;
const TRADERS = 4;
const MAKER_PERIOD_MS = 1_000;
/** Not quite a second each, so that the traders do not act at the same moments. */
const TRADER_PERIODS_MS = [1_030, 1_170, 1_310, 1_490];

export interface DemoOptions extends DemoWalletOptions {
  readonly random: Random;
  readonly timers?: Timers;
  readonly onError: (message: string, error: unknown) => void;
}

export interface Demo {
  /** The addresses of the demo's trading wallets, lower case. */
  readonly addresses: readonly string[];
  /** Resolves when no bot is in the middle of a step. */
  settled(): Promise<void>;
  /** Finishes the current steps and cancels resting orders: the exchange must still answer. */
  stop(): Promise<void>;
}

/** RUN-2: a market maker and a few traders, so that a new exchange has a book and trades. Starts by itself. */
export function startDemo(options: DemoOptions): Demo {
  const { random, onError } = options;
  const timers = options.timers ?? clockTimers(options.clock, systemTimers);
  const pace = (bot: Bot, period_ms: number) => new Pace({ bot, timers, period_ms, onError });
  const maker = new DemoWallet("demo market maker", MAKER_USDT, options);
  const traders = Array.from(
    { length: TRADERS },
    (_, place) => new DemoWallet(`demo trader ${place + 1}`, TRADER_USDT, options),
  );
  const paces = [
    pace(new MarketMaker(maker, random), MAKER_PERIOD_MS),
    ...traders.map((wallet, place) => pace(new Trader(wallet, random), TRADER_PERIODS_MS[place]!)),
  ];
  return {
    addresses: [maker, ...traders].map(({ address }) => address),
    async settled() {
      await Promise.all(paces.map((each) => each.settled()));
    },
    async stop() {
      await Promise.all(paces.map((each) => each.stop()));
    },
  };
}
