import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BUY, definitionOf, FIRST_MARKETS, PLAIN_ORDER, SELL, type Side } from "@bourse/engine";
import { sql } from "kysely";
import { migrations } from "../compose/migrations.ts";
import { connectTables, createMemoryExchange } from "../exchange/testing/memory-exchange.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { ManualClock } from "../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { DAY_ms, dayNumberOf } from "../kernel/dates.ts";
import { WITHOUT_NOTES } from "../kernel/engine-requests/testing.ts";
import { MAX_RECORD_bytes, MemoryLog } from "../kernel/journal/command-log.ts";
import { seededRandom } from "../kernel/random.ts";
import { rebuild, survey } from "../rebuild/index.ts";
import { memoryLogOf } from "../rebuild/testing/memory-log.ts";
import { projectWallet, walletPart } from "../wallet/index.ts";
import { directDeposits } from "../wallet/testing.ts";
import type { HeldPrincipal } from "./options.ts";
import { createPointsPart } from "./rebuild.ts";
import { EarnScoring } from "./scoring/earn.ts";
import { scoreFills } from "./scoring/fills.ts";
import { LevelAdmin } from "./scoring/level-admin.ts";
import { Makers } from "./scoring/makers.ts";
import { Rules } from "./scoring/rules.ts";
import { EPOCHS } from "./scoring/testing/scoring-books.ts";
import { SeasonAdmin } from "./seasons/season-admin.ts";
import { SeasonMoments } from "./seasons/season-moments.ts";
import { SeasonMoves } from "./seasons/season-moves.ts";
import { pointsDb } from "./tables.ts";
import { walletOf } from "./testing/points-books.ts";

const ACTOR = { actor: "admin-1", role: "admin" };
const EPOCH = 10;
const LINES = ["points_line", "points_total", "points_maker_volume"];
const TABLES = [...LINES, "points_rule", "points_maker", "points_level", "points_season", "points_allocation"];
/** More than one note holds. */
const POSITIONS = 310;
const idOf = (number: number) => `00000000-0000-8000-a000-${number.toString().padStart(12, "0")}`;
const LEVELS = [0, 1, 2, 3, 4, 5].map((level) => ({
  level,
  points_min: level * 10,
  points_max: level === 5 ? null : level * 10 + 9,
  weight: level + 1,
}));

async function rowsOf({ db }: TestDatabase): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    // Lines are numbered as they are written, and the first rule is as old as the database.
    const except = table === "points_line" ? ["id"] : table === "points_rule" ? ["created_at"] : [];
    const { rows } = await sql<{ row: unknown }>`
      select row from (select to_jsonb(one) - ${except}::text[] as row from ${sql.table(table)} as one) as rows
      order by row::text`.execute(db);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

describe("LOG-3: points from the log", () => {
  const clock = new ManualClock(EPOCHS.start_ms(EPOCH));
  const log = new MemoryLog();
  const exchange = createMemoryExchange({ clock, log });
  const inviters = {
    ofFills: async () => new Map<string, string>(),
    ofWallets: async (_tx: unknown, addresses: readonly string[]) =>
      new Map(addresses.filter((_, place) => place % 2 === 0).map((address) => [address, walletOf(2)])),
  };
  const projections = [projectWallet, scoreFills({ epochs: EPOCHS, inviters })];
  let database: TestDatabase;
  let connected: Awaited<ReturnType<typeof connectTables>>;
  let held: HeldPrincipal[] = [];

  before(async () => {
    database = await openTestDatabase(migrations);
    connected = await connectTables({ database, clock, exchange }, projections);
    await exchange.submit({ kind: "add_market", definition: definitionOf(FIRST_MARKETS[0]!) }, true);
    await exchange.submit({ kind: "set_price", market: 0, indexTicks: 600_000, markTicks: 600_000 }, true);
    const deposits = directDeposits({ database, clock, ...connected });
    for (const number of [1, 2]) await deposits.credit(walletOf(number), 10 ** 12, `deposit ${number}`);
  });
  after(async () => {
    await connected.dispatcher.stop();
    await exchange.close();
    await connected.projector.stop();
    await database.close();
  });

  const options = () => {
    const db = pointsDb(database);
    const moments = new SeasonMoments(db, EPOCHS);
    const audit = createAuditLog({ clock });
    return { database, clock, audit, epochs: EPOCHS, moments, exchange, random: seededRandom("seasons"), ...connected };
  };
  async function trade(): Promise<void> {
    const order = (account: number, side: Side) => ({
      ...PLAIN_ORDER,
      account,
      market: 0,
      side,
      ticks: 600_000,
      lots: 100,
    });
    await exchange.submit(order(1, SELL), true);
    await exchange.submit(order(2, BUY), true);
  }
  const earn = (day: number) => {
    const more = { inviters, follower: { isPast: async () => true }, principalsAt: async () => held };
    return new EarnScoring({ ...options(), ...more }).score(day, async () => undefined);
  };

  it("PTS-3: rules and market makers count from their place in the log on, however late fills are written", async () => {
    const release = connected.projector.hold();
    const [rules, makers] = [new Rules(options()), new Makers(options())];
    await trade();
    await rules.change({ boosts: { BTCUSDT: "2" } }, ACTOR);
    await trade();
    await makers.replace({ wallets: [{ address: walletOf(1) }] }, ACTOR);
    await trade();
    await makers.replace({ wallets: [] }, ACTOR);
    await rules.change({ boosts: {} }, ACTOR);
    await trade();
    const inTables = connected.projector.cursor;
    release();
    await connected.projector.waitForAll(10_000);
    assert.ok(connected.projector.cursor - inTables >= 8, "all of it was written after the last change");
    const { rows } = await sql<{ address: string; rule_version: number; points: bigint }>`
      select address, rule_version, points_micros as points from points_line order by id`.execute(database.db);
    const [first, ...others] = rows.filter(({ address }) => address === walletOf(2));
    assert.deepEqual(
      others.map(({ rule_version, points }) => [rule_version, points]),
      [
        [2, first!.points * 2n],
        [2, first!.points * 2n],
        [3, first!.points],
      ],
    );
    const resting = rows.filter(({ address }) => address === walletOf(1));
    assert.deepEqual(
      resting.map(({ rule_version }) => rule_version),
      [1, 2, 3],
      "as a market maker it scores nothing",
    );
    assert.deepEqual((await pointsDb(database).selectFrom("points_maker").selectAll().execute()).length, 0);
  });

  it("PTS-3: by rules without references settings are not noted and count at once", async () => {
    const earlier = { ...options(), engineRequests: WITHOUT_NOTES };
    const before_ = log.records.length;
    const { version } = await new Rules(earlier).change({ boosts: {} }, ACTOR);
    const makers = new Makers(earlier);
    await makers.replace({ wallets: [{ address: walletOf(1) }, { address: walletOf(2) }] }, ACTOR);
    await makers.replace({ wallets: [{ address: walletOf(1) }] }, ACTOR);
    const db = pointsDb(database);
    const rule = db.selectFrom("points_rule").select("from_command").where("version", "=", version);
    assert.deepEqual(await rule.execute(), [{ from_command: 0n }]);
    const inForce = await db.selectFrom("points_maker").select(["address", "is_listed", "is_in_force"]).execute();
    assert.deepEqual(inForce, [{ address: walletOf(1), is_listed: true, is_in_force: true }]);
    assert.equal(log.records.length, before_);
    await makers.replace({ wallets: [] }, ACTOR);
    await db.deleteFrom("points_rule").where("version", "=", version).execute();
  });

  it("LOG-3: a database without them gets the same lines, totals, seasons and allocations", async () => {
    const { moments: _moments, ...rest } = options();
    const season = { label: "Ω".repeat(80), start_epoch: EPOCH, end_epoch: EPOCH };
    await new LevelAdmin(options()).set({ levels: LEVELS }, ACTOR);
    await new SeasonAdmin(options()).create({ ...season, user_pool_tokens: 1_000, mm_pool_tokens: 100 }, ACTOR);
    await new Makers(options()).replace({ wallets: [{ address: walletOf(1), label: "desk" }] }, ACTOR);
    await trade();
    held = Array.from({ length: POSITIONS }, (_, number) => {
      return {
        subscription_id: idOf(number),
        address: walletOf(number + 1),
        principal_micros: BigInt(number) * 10n ** 9n,
      };
    });
    await earn(dayNumberOf(clock.now()) + 1);
    clock.advance(DAY_ms);
    await trade();
    clock.advanceTo(EPOCHS.end_ms(EPOCH) + 1);
    await exchange.submit({ kind: "advance_time" }, true);
    await sql`insert into job_state (name, watermark) values ('points-earn', now() + interval '10 years')`.execute(
      database.db,
    );
    await new SeasonMoves({ ...options(), ...rest }).runDue();
    await new LevelAdmin(options()).set({ levels: LEVELS.map((level) => ({ ...level, weight: 1 })) }, ACTOR);
    await connected.dispatcher.idle();
    await connected.projector.waitForAll(10_000);
    const kept = await rowsOf(database);
    assert.ok(kept["points_allocation"]!.length > 0 && kept["points_line"]!.length > POSITIONS);

    const empty = await openTestDatabase(migrations);
    try {
      const parts = [walletPart, createPointsPart(EPOCHS)];
      // As if a copy of the database had been kept at these places: what is older is continued.
      for (const share of [0.3, 0.6, 0.8, 1]) {
        const cut = memoryLogOf(log.records.slice(0, Math.ceil(log.records.length * share)));
        const rebuilding = { database: empty, clock, log: cut, parts, projections, say: () => {} };
        await rebuild(rebuilding, await survey(empty, cut, () => {}));
      }
      assert.deepEqual(await rowsOf(empty), kept);
    } finally {
      await empty.close();
    }
  });

  it("LOG-3: no note is larger than a command may be", async () => {
    const wallets = Array.from({ length: 500 }, (_, number) => ({
      address: walletOf(number + 1),
      label: "Ω".repeat(64),
    }));
    await new Makers(options()).replace({ wallets }, ACTOR);
    await connected.dispatcher.idle();
    const largest = Math.max(...log.records.map(({ length }) => length));
    assert.ok(largest > 30_000 && largest < MAX_RECORD_bytes, `${largest} bytes`);
  });
});
