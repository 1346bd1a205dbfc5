import { definitionOf, FIRST_MARKETS } from "@bourse/engine";
import type { Db } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Exchange } from "./host/exchange.ts";

/** FUT-12: what the insurance fund starts with. */
export const FUND_SEED_micros = 100_000 * 1_000_000;

export interface GenesisOptions {
  readonly db: Db;
  readonly exchange: Exchange;
  readonly engineRequests: Pick<EngineRequests, "tell">;
  readonly dispatcher: Pick<OutboxDispatcher, "idle">;
}

/**
 * What a new exchange begins with: the first markets (FUT-2) and the fund's seed. Repeated at every start, so that one
 * that died half-way is completed; what is there already is left alone.
 */
export async function beginExchange({ db, exchange, engineRequests, dispatcher }: GenesisOptions): Promise<void> {
  const known = new Set(exchange.engine.state.markets.map(({ definition }) => definition.symbol));
  for (const market of FIRST_MARKETS) {
    if (known.has(market.symbol)) continue;
    // Exempt, so that an exchange can also begin where all other commands are refused (WIRE-11).
    await exchange.submit({ kind: "add_market", definition: definitionOf(market) }, true);
  }
  const seed = { kind: "seed_fund", amount_micros: FUND_SEED_micros } as const;
  const isNew = await db.transaction().execute((tx) => engineRequests.tell(tx, "genesis:fund", seed));
  if (isNew) await dispatcher.idle();
}
