import { sql } from "kysely";
import { createInviters } from "../../../broker/partners/inviters.ts";
import { commandWith, type FillEvent, fillEvent, UNITS_micros } from "../../../broker/settlement/testing/fills.ts";
import { BrokerBooks, walletOfAccount } from "../../../broker/testing/books.ts";
import type { Applied } from "../../../exchange/host/exchange.ts";
import type { ProjectionListener } from "../../../exchange/projector/projector.ts";
import type { Database } from "../../../kernel/database/database.ts";
import { randomUuid, seededRandom } from "../../../kernel/random.ts";
import { referrersOf } from "../../../referral/referrers.ts";
import { Epochs } from "../../epochs.ts";
import { type PointsDb, pointsDb, SCOPES } from "../../tables.ts";
import { scoreFills } from "../fills.ts";

export { commandWith, type FillEvent, fillEvent, UNITS_micros, walletOfAccount };

export const GENESIS_ms = Date.UTC(2026, 0, 5);
export const EPOCHS = new Epochs(GENESIS_ms);
export const INVITERS = createInviters({ referrersOf });
export const SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT"] as const;

const SCOPE_NAMES = Object.fromEntries(Object.entries(SCOPES).map(([name, scope]) => [scope, name]));

/** Scoring on a database without an exchange: wallets, markets, rules and seasons are written directly. */
export class ScoringBooks {
  readonly database: Pick<Database, "db">;
  readonly db: PointsDb;
  readonly broker: BrokerBooks;
  readonly #random = seededRandom("scoring books");
  #commands = 0;
  #seasons = 0;

  constructor(database: Pick<Database, "db">) {
    this.database = database;
    this.db = pointsDb(database);
    this.broker = new BrokerBooks(database);
  }

  /** Accounts 1 to `accounts` and the broker books' 1001 to 1100, each with the wallet of its number. */
  async open(accounts = 50): Promise<this> {
    const numbers = [
      ...Array.from({ length: accounts }, (_, place) => place + 1),
      ...Array.from({ length: 100 }, (_, place) => place + 1_001),
    ];
    await sql`
      insert into exchange_account (account, address, opened_at)
      select *, now() from unnest(${numbers}::int[], ${numbers.map(walletOfAccount)}::text[])`.execute(this.db);
    await sql`
      insert into exchange_market (market, symbol, tick_size_e8, lot_size_e8, unit_micros)
      select place - 1, symbol, 10000000, 100000, 100
      from unnest(${[...SYMBOLS]}::text[]) with ordinality as market (symbol, place)`.execute(this.db);
    return this;
  }

  async project(commands: readonly Applied[], program?: ProjectionListener): Promise<void> {
    const score = program ?? scoreFills({ epochs: EPOCHS, inviters: INVITERS });
    const batch = { first: commands[0]!.number, last: commands.at(-1)!.number, units_micros: UNITS_micros };
    await this.database.db.transaction().execute((tx) => score(tx, { applied: commands, ...batch }));
  }

  /** One batch of one command. */
  async fill(time_ms: number, ...fills: Partial<FillEvent>[]): Promise<void> {
    this.#commands += 1;
    await this.project([commandWith(this.#commands, time_ms, fills.map(fillEvent))]);
  }

  async makers(...addresses: string[]): Promise<void> {
    const rows = addresses.map((address) => ({ address, label: null, created_at: new Date(GENESIS_ms) }));
    await this.db.insertInto("points_maker").values(rows).execute();
  }

  async rule(change: { boosts?: Record<string, number>; maker_e2?: number; referral_e2?: number }): Promise<number> {
    const last = await this.db
      .selectFrom("points_rule")
      .selectAll()
      .orderBy("version", "desc")
      .executeTakeFirstOrThrow();
    const { version: _version, boosts, ...kept } = last;
    const row = { ...kept, ...change, boosts: JSON.stringify(change.boosts ?? boosts) };
    const { version } = await this.db
      .insertInto("points_rule")
      .values(row)
      .returning("version")
      .executeTakeFirstOrThrow();
    return version;
  }

  async season(start_epoch: number, end_epoch: number): Promise<number> {
    this.#seasons += 1;
    const times = { snapshot_at: new Date(EPOCHS.end_ms(end_epoch)), distribution_at: new Date("2030-01-01") };
    const made = { created_at: new Date(GENESIS_ms), updated_at: new Date(GENESIS_ms) };
    const pools = { user_pool_tokens: 1_000_000, mm_pool_tokens: 0 };
    const row = { id: randomUuid(this.#random), season_no: this.#seasons, label: `Season ${this.#seasons}` };
    await this.db
      .insertInto("points_season")
      .values({ ...row, start_epoch, end_epoch, status: "active", ...pools, ...times, ...made })
      .execute();
    return this.#seasons;
  }

  /** As the season's snapshot leaves it. */
  async closeSeason(season_no: number): Promise<void> {
    await this.db
      .updateTable("points_season")
      .set({ status: "snapshot", snapshot_taken_at: new Date(), root: Buffer.alloc(32), leaf_count: 0 })
      .where("season_no", "=", season_no)
      .execute();
  }

  lines() {
    return this.db.selectFrom("points_line").selectAll().orderBy("id").execute();
  }

  /** Address, source and points of each line, in the order of writing. */
  async shortLines(): Promise<[string, string, bigint][]> {
    return (await this.lines()).map(({ address, source, points_micros }) => [address, source, points_micros]);
  }

  /** As "scope period address" → points and last time. */
  async totals(): Promise<Map<string, readonly [points_micros: bigint, last_ms: bigint]>> {
    const rows = await this.db.selectFrom("points_total").selectAll().execute();
    return new Map(
      rows.map((row) => [
        `${SCOPE_NAMES[row.scope]} ${row.period} ${row.address}`,
        [row.points_micros, row.last_ms] as const,
      ]),
    );
  }

  async volumes(): Promise<Map<string, bigint>> {
    const rows = await this.db.selectFrom("points_maker_volume").selectAll().execute();
    return new Map(rows.map(({ epoch, address, volume_micros }) => [`${epoch} ${address}`, volume_micros]));
  }

  /** Clears everything that scoring writes and its configuration, except wallets and brokers. */
  async clear(): Promise<void> {
    await sql`truncate points_line, points_total, points_maker_volume, points_maker, points_allocation, points_season`.execute(
      this.db,
    );
    await sql`delete from points_rule where version > 1`.execute(this.db);
    this.#seasons = 0;
  }
}
