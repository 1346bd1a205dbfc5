import { definitionOf, FIRST_MARKETS } from "@bourse/engine";
import type { Db } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import { readEdge } from "../kernel/outbox/edge.ts";
import type { Exchange } from "./host/exchange.ts";

/** FUT-12: the initial money of the insurance fund. */
export const FUND_SEED_micros = 100_000 * 1_000_000;

export interface GenesisOptions {
  readonly db: Db;
  readonly exchange: Exchange;
  readonly engineRequests: Pick<EngineRequests, "tell">;
  readonly dispatcher: Pick<OutboxDispatcher, "idle">;
}

/**
 * Creates the first markets (FUT-2) and the fund's initial money. Runs at every start, so that a start that was
 * interrupted is completed; existing markets and an existing seed are not changed.
 */
export async function beginExchange({ db, exchange, engineRequests, dispatcher }: GenesisOptions): Promise<void> {
  const known = new Set(exchange.engine.state.markets.map(({ definition }) => definition.symbol));
  for (const market of FIRST_MARKETS) {
    if (known.has(market.symbol)) continue;
    // Exempt from the limit of waiting commands, so that a new exchange also starts when that limit is 0 (WIRE-11).
    await exchange.submit({ kind: "add_market", definition: definitionOf(market) }, true);
  }
  // LOG-8: the message itself is pruned after a day. It was the first one, so whatever was pruned included it.
  if (exchange.engine.state.totals.seeds_micros > 0n || (await readEdge(db)).number > 0) return;
  const seed = { kind: "seed_fund", amount_micros: FUND_SEED_micros } as const;
  const isNew = await db.transaction().execute((tx) => engineRequests.tell(tx, "genesis:fund", seed));
  if (isNew) await dispatcher.idle();
}
