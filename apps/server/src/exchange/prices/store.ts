import { type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { Migrations } from "../../kernel/database/migrations.ts";
import type { KernelTables } from "../../kernel/database/tables.ts";
import type { KeptHour } from "./premiums.ts";

export const GUARD_PHASES = ["reduce_only", "halted", "resuming"] as const;
/** FUT-13: reduce-only or halted for want of an index, or reduce-only for a minute because the sources agree again. */
export type GuardPhase = (typeof GUARD_PHASES)[number];

/** FUT-13: what the guard, not an admin, has made of a market. */
export interface GuardRecord {
  readonly phase: GuardPhase;
  /** Since when the market has or had no index; undefined where a release before rules version 5 has written it. */
  readonly since_ms: number | undefined;
  /** The status that it returns to. */
  readonly resumes: MarketStatus;
}

/** What is stored about a market besides its prices, which the engine has. */
export interface KeptMarket {
  readonly symbol: string;
  /** The price around which simulated prices move. */
  readonly home_e8: number | undefined;
  readonly pinned_e8: number | undefined;
  readonly guard: GuardRecord | undefined;
  /** FUT-14: the premiums of the last hours. */
  readonly premiums: readonly KeptHour[];
}

export type KeptPremiums = Pick<KeptMarket, "symbol" | "premiums">;

export interface PriceStore {
  load(): Promise<KeptMarket[]>;
  keepHome(symbol: string, home_e8: number): Promise<void>;
  keepPin(symbol: string, pinned_e8: number | undefined): Promise<void>;
  keepGuard(symbol: string, guard: GuardRecord | undefined): Promise<void>;
  keepPremiums(markets: readonly KeptPremiums[]): Promise<void>;
}

interface PriceMarketTable {
  symbol: string;
  home_e8: bigint | null;
  pinned_e8: bigint | null;
  is_guarded: boolean;
  guard_phase: GuardPhase | null;
  guarded_since: bigint | null;
  resumes_trading: boolean | null;
  premiums: KeptHour[] | null;
}

interface PriceTables extends KernelTables {
  price_market: PriceMarketTable;
}

type KeptFields = Partial<Omit<PriceMarketTable, "symbol" | "premiums">>;

async function createPriceMarket(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table price_market (
      symbol text primary key,
      home_e8 bigint check (home_e8 > 0),
      pinned_e8 bigint check (pinned_e8 > 0),
      is_guarded boolean not null
    )`.execute(db);
}

/** Null where a release before this one has written the row. */
async function addGuardAndPremiums(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table price_market
      add column guard_phase text check (guard_phase in ('reduce_only', 'halted', 'resuming')),
      add column guarded_since bigint,
      add column resumes_trading boolean,
      add column premiums jsonb`.execute(db);
}

export const priceMigrations: Migrations = {
  "0120_price_market": { up: createPriceMarket },
  "0121_price_guard": { up: addGuardAndPremiums },
};

const numberOf = (value: bigint | null) => (value === null ? undefined : Number(value));

/** A release before rules version 5 only knows that a market is guarded. */
function guardOf({
  is_guarded,
  guard_phase,
  guarded_since,
  resumes_trading,
}: PriceMarketTable): GuardRecord | undefined {
  if (!is_guarded) return undefined;
  return {
    phase: guard_phase ?? "reduce_only",
    since_ms: numberOf(guarded_since),
    resumes: resumes_trading === false ? REDUCE_ONLY : TRADING,
  };
}

export function createPriceStore(database: Pick<Database, "db">): PriceStore {
  const db = database.db as unknown as Kysely<PriceTables>;
  const keep = async (symbol: string, fields: KeptFields) => {
    await db
      .insertInto("price_market")
      .values({ symbol, ...NOTHING_KEPT, ...fields })
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
        guard: guardOf(row),
        premiums: row.premiums ?? [],
      }));
    },
    keepHome: (symbol, home_e8) => keep(symbol, { home_e8: BigInt(home_e8) }),
    keepPin: (symbol, pinned_e8) => keep(symbol, { pinned_e8: pinned_e8 === undefined ? null : BigInt(pinned_e8) }),
    keepGuard: (symbol, guard) =>
      keep(symbol, {
        is_guarded: guard !== undefined,
        guard_phase: guard?.phase ?? null,
        guarded_since: guard?.since_ms === undefined ? null : BigInt(guard.since_ms),
        resumes_trading: guard === undefined ? null : guard.resumes === TRADING,
      }),
    async keepPremiums(markets) {
      const rows = JSON.stringify(markets);
      await sql`
        insert into price_market (symbol, is_guarded, premiums)
        select symbol, false, premiums from jsonb_to_recordset(${rows}::jsonb) as kept (symbol text, premiums jsonb)
        on conflict (symbol) do update set premiums = excluded.premiums`.execute(db);
    },
  };
}

const NOTHING_KEPT = {
  home_e8: null,
  pinned_e8: null,
  is_guarded: false,
  guard_phase: null,
  guarded_since: null,
  resumes_trading: null,
} as const;

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

  keepGuard(symbol: string, guard: GuardRecord | undefined): Promise<void> {
    return this.#keep(symbol, { guard });
  }

  async keepPremiums(markets: readonly KeptPremiums[]): Promise<void> {
    for (const { symbol, premiums } of markets) await this.#keep(symbol, { premiums });
  }

  #keep(symbol: string, fields: Partial<KeptMarket>): Promise<void> {
    const none = { symbol, home_e8: undefined, pinned_e8: undefined, guard: undefined, premiums: [] };
    this.#markets.set(symbol, { ...(this.#markets.get(symbol) ?? none), ...fields });
    return Promise.resolve();
  }
}
