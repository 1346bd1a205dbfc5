import { type Engine, FEE_TIERS, FUND_ACCOUNT } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { MarketData } from "../market-data/market-data.ts";
import type { Prices } from "../prices/prices.ts";
import { GUARD_PHASES } from "../prices/store.ts";

type MarketState = Engine["state"]["markets"][number];

export interface MarketMetricsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly prices: Pick<Prices, "report">;
  readonly marketData: Pick<MarketData, "board">;
}

/** Metrics are floating-point numbers. They are only displayed; no money is computed from them. */
const USDT_micros = 1_000_000;
const ONE_e8 = 100_000_000;
const SOURCE_USES = ["counted", "clamped", "dropped", "stale"] as const;

/** The engine's state, read from memory at each scrape. Labels are the markets' symbols and the VIP tiers. */
export function watchMarkets(metrics: Metrics, { engine, clock, prices, marketData }: MarketMetricsOptions): void {
  const { state } = engine;
  const perMarket = (name: string, help: string, read: (market: MarketState) => number | undefined) =>
    metrics.gauges(name, help, ["symbol"], () =>
      state.markets.flatMap((market) => {
        const value = read(market);
        return value === undefined ? [] : [{ labels: { symbol: market.definition.symbol }, value }];
      }),
    );

  perMarket("bourse_market_status", "0 trading, 1 reduce-only, 2 halted", ({ status }) => status);
  perMarket("bourse_market_open_orders", "Orders in the book", ({ book }) => book.bids.orders + book.asks.orders);
  perMarket("bourse_market_positions", "Accounts that hold a position", (market) => {
    let open = 0;
    for (const position of market.positions) if (state.positions.lots(position) !== 0) open += 1;
    return open;
  });
  perMarket(
    "bourse_market_open_interest",
    "Open interest in units of the base asset",
    ({ openInterestLots, definition }) => {
      return (openInterestLots * definition.lotSize_e8) / ONE_e8;
    },
  );
  metrics.counters("bourse_market_trades_total", "Trades since the market was added", ["symbol"], () =>
    state.markets.map(({ trades, definition }) => ({ labels: { symbol: definition.symbol }, value: trades })),
  );
  metrics.gauges("bourse_market_price_usdt", "Index, mark and last price", ["symbol", "price"], () =>
    state.markets.flatMap(({ definition, indexTicks, markTicks, lastTicks }) =>
      Object.entries({ index: indexTicks, mark: markTicks, last: lastTicks })
        .filter(([, ticks]) => ticks !== 0)
        .map(([price, ticks]) => ({
          labels: { symbol: definition.symbol, price },
          value: (ticks * definition.tickSize_e8) / ONE_e8,
        })),
    ),
  );
  perMarket("bourse_market_price_age_seconds", "Since the engine was last told index and mark", ({ number }) => {
    const { priceSet_ms } = marketData.board(number);
    return priceSet_ms === 0 ? undefined : (clock.now() - priceSet_ms) / 1_000;
  });
  perMarket("bourse_market_price_sources_fresh", "Price sources that count at present", ({ definition }) => {
    return prices.report(definition.symbol).sources.filter(({ use }) => use !== "stale").length;
  });
  metrics.gauges("bourse_market_price_sources", "Price sources, by what becomes of them", ["symbol", "use"], () =>
    state.markets.flatMap(({ definition: { symbol } }) => {
      const { sources } = prices.report(symbol);
      return SOURCE_USES.map((use) => ({
        labels: { symbol, use },
        value: sources.filter((source) => source.use === use).length,
      }));
    }),
  );
  perMarket(
    "bourse_market_guard",
    "For want of an index: 0 untouched, 1 reduce-only, 2 halted, 3 reduce-only for a minute before it trades again",
    ({ definition }) => {
      const phase = prices.report(definition.symbol).guard?.phase;
      return phase === undefined ? 0 : GUARD_PHASES.indexOf(phase) + 1;
    },
  );
}

/** The number of accounts, and the balances of the insurance fund and the fee account. */
export function watchAccounts(metrics: Metrics, { state }: Engine): void {
  const { accounts, totals } = state;
  metrics.gauge("bourse_accounts", "Accounts", () => accounts.count);
  metrics.gauges("bourse_vip_accounts", "Accounts, by VIP tier", ["tier"], () => {
    const counts = FEE_TIERS.map(() => 0);
    for (let account = 1; account <= accounts.count; account += 1) counts[accounts.tier(account)]! += 1;
    return counts.map((value, tier) => ({ labels: { tier: String(tier) }, value }));
  });
  metrics.gauge("bourse_insurance_fund_usdt", "Balance of the insurance fund", () => {
    return accounts.principal(FUND_ACCOUNT) / USDT_micros;
  });
  metrics.gauge("bourse_fee_account_usdt", "Balance of the fee account", () => totals.feeAccount_micros / USDT_micros);
}
