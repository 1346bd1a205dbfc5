import { FIRST_MARKETS, type MarketDefinition } from "@bourse/engine";
import type { Db } from "../kernel/database/database.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { Exchange } from "./host/exchange.ts";
import { COMMAND_TOPIC } from "./host/outbox-delivery.ts";

/** FUT-12: what the insurance fund starts with. */
export const FUND_SEED_micros = 100_000 * 1_000_000;

export interface GenesisOptions {
  readonly db: Db;
  readonly exchange: Exchange;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify" | "idle">;
}

/**
 * What a new exchange begins with: the first markets (FUT-2) and the fund's seed. Repeated at every start, so that one
 * that died half-way is completed; what is there already is left alone.
 */
export async function beginExchange({ db, exchange, outbox, dispatcher }: GenesisOptions): Promise<void> {
  const known = new Set(exchange.engine.state.markets.map(({ terms }) => terms.symbol));
  for (const market of FIRST_MARKETS) {
    if (known.has(market.symbol)) continue;
    // Exempt, so that an exchange can also begin where all other commands are refused (WIRE-11).
    await exchange.submit({ kind: "add_market", definition: definitionOf(market) }, true);
  }
  const enqueued = await db.transaction().execute((tx) =>
    outbox.enqueue(tx, {
      topic: COMMAND_TOPIC,
      ref: "genesis:fund",
      payload: { kind: "seed_fund", amount_micros: FUND_SEED_micros },
    }),
  );
  if (enqueued.duplicate) return;
  dispatcher.notify();
  await dispatcher.idle();
}

/** A market without what the engine works out from its definition. */
export function definitionOf(market: MarketDefinition): MarketDefinition {
  return {
    symbol: market.symbol,
    tickSize_e8: market.tickSize_e8,
    lotSize_e8: market.lotSize_e8,
    minNotional_micros: market.minNotional_micros,
    maxNotional_micros: market.maxNotional_micros,
    percentPrice_e8: market.percentPrice_e8,
    marketBound_e8: market.marketBound_e8,
    liquidationFee_e8: market.liquidationFee_e8,
    defaultLeverage: market.defaultLeverage,
    maxOpenOrders: market.maxOpenOrders,
    maxConditionalOrders: market.maxConditionalOrders,
    brackets: market.brackets.map(({ cap_micros, maxLeverage, maintenanceRate_e8, cumulative_micros }) => ({
      cap_micros,
      maxLeverage,
      maintenanceRate_e8,
      cumulative_micros,
    })),
  };
}
