import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { Migrations } from "../../kernel/database/migrations.ts";
import type { KernelTables } from "../../kernel/database/tables.ts";

/** What is stored about a market besides its prices, which the engine has. */
export interface KeptMarket {
  readonly symbol: string;
  /** The price around which simulated prices move. */
  readonly home_e8: number | undefined;
  readonly pinned_e8: number | undefined;
  /** Whether the guard, not an admin, has made the market reduce-only. */
  readonly isGuarded: boolean;
}

export interface PriceStore {
  load(): Promise<KeptMarket[]>;
  keepHome(symbol: string, home_e8: number): Promise<void>;
  keepPin(symbol: string, pinned_e8: number | undefined): Promise<void>;
  keepGuarded(symbol: string, isGuarded: boolean): Promise<void>;
}

interface PriceMarketTable {
  symbol: string;
  home_e8: bigint | null;
  pinned_e8: bigint | null;
  is_guarded: boolean;
}

interface PriceTables extends KernelTables {
  price_market: PriceMarketTable;
}

type KeptFields = Partial<Omit<PriceMarketTable, "symbol">>;

async function createPriceMarket(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table price_market (
      symbol text primary key,
      home_e8 bigint check (home_e8 > 0),
      pinned_e8 bigint check (pinned_e8 > 0),
      is_guarded boolean not null
    )`.execute(db);
}

export const priceMigrations: Migrations = { "0120_price_market": { up: createPriceMarket } };

const numberOf = (value: bigint | null) => (value === null ? undefined : Number(value));

export function createPriceStore(database: Pick<Database, "db">): PriceStore {
  const db = database.db as unknown as Kysely<PriceTables>;
  const keep = async (symbol: string, fields: KeptFields) => {
    await db
      .insertInto("price_market")
      .values({ symbol, home_e8: null, pinned_e8: null, is_guarded: false, ...fields })
      .onConflict((conflict) => conflict.column("symbol").doUpdateSet(fields))
      .execute();
  };
  return {
    async load() {
      const rows = await db.selectFrom("price_market").selectAll().orderBy("symbol").execute();
      return rows.map((row) => ({
        symbol: row.symbol,
        home_e8: numberOf(row.home_e8),
        pinned_e8: numberOf(row.pinned_e8),
        isGuarded: row.is_guarded,
      }));
    },
    keepHome: (symbol, home_e8) => keep(symbol, { home_e8: BigInt(home_e8) }),
    keepPin: (symbol, pinned_e8) => keep(symbol, { pinned_e8: pinned_e8 === undefined ? null : BigInt(pinned_e8) }),
    keepGuarded: (symbol, is_guarded) => keep(symbol, { is_guarded }),
  };
}

/** In memory only, for tests and previews. */
export class MemoryPriceStore implements PriceStore {
  readonly #markets = new Map<string, KeptMarket>();

  load(): Promise<KeptMarket[]> {
    return Promise.resolve([...this.#markets.values()]);
  }

  keepHome(symbol: string, home_e8: number): Promise<void> {
    return this.#keep(symbol, { home_e8 });
  }

  keepPin(symbol: string, pinned_e8: number | undefined): Promise<void> {
    return this.#keep(symbol, { pinned_e8 });
  }

  keepGuarded(symbol: string, isGuarded: boolean): Promise<void> {
    return this.#keep(symbol, { isGuarded });
  }

  #keep(symbol: string, fields: Partial<KeptMarket>): Promise<void> {
    const kept = this.#markets.get(symbol) ?? { symbol, home_e8: undefined, pinned_e8: undefined, isGuarded: false };
    this.#markets.set(symbol, { ...kept, ...fields });
    return Promise.resolve();
  }
}
