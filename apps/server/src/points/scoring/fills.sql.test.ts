import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms, dayNumberOf } from "../../kernel/dates.ts";
import { scoreFills } from "./fills.ts";
import {
  commandWith,
  EPOCHS,
  type FillEvent,
  fillEvent,
  GENESIS_ms,
  INVITERS,
  ScoringBooks,
  UNITS_micros,
  walletOfAccount,
} from "./testing/scoring-books.ts";

const NOON_ms = Date.parse("2026-06-01T12:00:00Z");
const FEE = 1_234_567;
const me = walletOfAccount(1);

describe("PTS-3: points of fills", () => {
  let database: TestDatabase;
  let books: ScoringBooks;
  before(async () => {
    database = await openTestDatabase(migrations);
    books = await new ScoringBooks(database).open();
  });
  after(() => database.close());
  beforeEach(() => books.clear());

  const score = async (...fills: Partial<FillEvent>[]) => {
    await books.fill(NOON_ms, ...fills);
    return await books.shortLines();
  };

  it("taker, maker and boost come to the documented points, and each line says what it comes from", async () => {
    const version = await books.rule({ boosts: { ETHUSDT: 137 } });
    await books.fill(
      NOON_ms,
      { account: 1, trade: 5, fee_micros: FEE },
      { account: 2, trade: 5, side: 1, isMaker: 1, fee_micros: FEE },
      { account: 3, trade: 6, market: 1, fee_micros: FEE },
      { account: 4, trade: 6, market: 1, side: 1, isMaker: 1, fee_micros: FEE },
    );
    const lines = await books.lines();
    assert.deepEqual(
      lines.map(({ points_micros }) => points_micros),
      [12_345_670n, 18_518_505n, 16_913_567n, 25_370_351n],
    );
    const { id: _id, ...last } = lines[3]!;
    assert.deepEqual(last, {
      address: walletOfAccount(4),
      source: "trade",
      points_micros: 25_370_351n,
      rule_version: version,
      time_ms: BigInt(NOON_ms),
      day: dayNumberOf(NOON_ms),
      market: 1,
      trade: 6n,
      side: 1,
      subscription_id: null,
      invitee: null,
      base_micros: BigInt(FEE),
    });
  });

  const without: [string, Partial<FillEvent>][] = [
    ["self-trades", { isSelfTrade: 1 }],
    ["liquidations", { cause: "liquidation" }],
    ["takeovers", { cause: "takeover" }],
    ["auto-deleveraging", { cause: "adl" }],
    ["trades at unfair prices (FUT-15)", { isOffMarket: 1, markTicks: 500_000 }],
    ["fees that a bonus paid", { feeFromBonus_micros: FEE }],
    ["fills without a fee", { fee_micros: 0 }],
  ];
  for (const [what, fields] of without) {
    it(`nothing for ${what}`, async () => {
      assert.deepEqual(await score({ account: 1, fee_micros: FEE, ...fields }), []);
      assert.deepEqual(await books.totals(), new Map());
    });
  }

  it("of a fee that a bonus paid in part, the rest counts", async () => {
    await score({ account: 1, fee_micros: FEE, feeFromBonus_micros: 1_000_000 });
    const [line] = await books.lines();
    assert.deepEqual([line!.points_micros, line!.base_micros], [2_345_670n, 234_567n]);
  });

  it("whoever is closed out because a bonus ran out has paid the fee like anybody else", async () => {
    assert.deepEqual(await score({ account: 1, fee_micros: 10, cause: "bonus_expiry" }), [[me, "trade", 100n]]);
  });

  it("points that come to nothing leave no line", async () => {
    await books.db
      .insertInto("points_rule")
      .values({
        ...{ points_per_fee: 0, maker_e2: 150, usdt_per_earn_point: 100, referral_e2: 10 },
        ...{ boosts: "{}", created_by: "test", created_at: new Date(NOON_ms) },
      })
      .execute();
    assert.deepEqual(await score({ account: 1, fee_micros: FEE }), []);
  });

  it("a batch without fills that matter asks the database nothing", async () => {
    const program = scoreFills({ epochs: EPOCHS, inviters: INVITERS });
    const fills = [fillEvent({ fee_micros: 0 }), fillEvent({ fee_micros: 5, isSelfTrade: 1, isMaker: 1 })];
    const applied = [
      commandWith(1, NOON_ms, fills),
      commandWith(2, NOON_ms, []),
      commandWith(3, GENESIS_ms - 1, [fillEvent({ fee_micros: 5 })]),
    ];
    await program(undefined as never, { applied, first: 1, last: 3, units_micros: UNITS_micros });
  });

  it("a fill of an account without a wallet, or in an unknown market, is a fault and scores nothing", async () => {
    await assert.rejects(score({ account: 999, fee_micros: FEE }), /account 999, which has no wallet/);
    await books.makers(me);
    await assert.rejects(score({ account: 1, isMaker: 1, market: 77 }), /market 77, which is unknown/);
    assert.deepEqual(await books.lines(), []);
  });

  it("the newest rule is the rule, and lines keep the version they were scored by", async () => {
    await score({ account: 1, trade: 1, fee_micros: 100 });
    const second = await books.rule({ boosts: { BTCUSDT: 200 }, maker_e2: 300 });
    await score({ account: 1, trade: 2, fee_micros: 100 });
    await score({ account: 1, trade: 3, fee_micros: 100, isMaker: 1 });
    const third = await books.rule({ boosts: {} });
    await score({ account: 1, trade: 4, fee_micros: 100 });
    assert.deepEqual(
      (await books.lines()).map(({ rule_version, points_micros }) => [rule_version, points_micros]),
      [
        [1, 1_000n],
        [second, 2_000n],
        [second, 6_000n],
        [third, 1_000n],
      ],
    );
  });

  it("PTS-5: market makers score nothing; what their resting orders trade is kept by epoch", async () => {
    const maker = walletOfAccount(2);
    await books.makers(maker);
    const value = 60_000_000n;
    await books.fill(
      NOON_ms,
      { account: 1, trade: 1, fee_micros: 100 },
      { account: 2, trade: 1, side: 1, isMaker: 1, fee_micros: 40 },
      // Without a fee, as in the highest tier.
      { account: 2, trade: 2, side: 1, isMaker: 1, fee_micros: 0, lots: 2 },
      // FUT-15: at an unfair price.
      { account: 2, trade: 90, side: 1, isMaker: 1, fee_micros: 40, lots: 7, isOffMarket: 1 },
      // As taker; and as maker of a self-trade.
      { account: 2, trade: 3, fee_micros: 40 },
      { account: 2, trade: 4, side: 1, isMaker: 1, isSelfTrade: 1 },
      // Another account's resting order.
      { account: 3, trade: 5, side: 1, isMaker: 1, fee_micros: 0 },
    );
    await books.fill(NOON_ms + 7 * DAY_ms, { account: 2, trade: 6, isMaker: 1, fee_micros: 1 });
    assert.deepEqual(await books.shortLines(), [[me, "trade", 1_000n]]);
    assert.deepEqual(
      await books.volumes(),
      new Map([
        [`22 ${maker}`, 3n * value],
        [`23 ${maker}`, value],
      ]),
    );
    await books.fill(NOON_ms, { account: 2, trade: 7, isMaker: 1, fee_micros: 1 });
    assert.equal((await books.volumes()).get(`22 ${maker}`), 4n * value);
  });

  it("nothing before the genesis, no volume either", async () => {
    await books.makers(walletOfAccount(2));
    const both = [
      { account: 1, trade: 1, fee_micros: 100 },
      { account: 2, trade: 1, side: 1, isMaker: 1 },
    ];
    await books.fill(GENESIS_ms - 1, ...both);
    assert.deepEqual([await books.lines(), await books.volumes()], [[], new Map()]);
    await books.fill(GENESIS_ms, ...both);
    assert.deepEqual([...(await books.totals()).keys()].sort(), [
      `day ${dayNumberOf(GENESIS_ms)} ${me}`,
      `epoch 1 ${me}`,
    ]);
    assert.deepEqual([...(await books.volumes()).keys()], [`1 ${walletOfAccount(2)}`]);
  });

  it("totals are of the day, the epoch and the season; the last scoring time is the latest", async () => {
    const season = await books.season(22, 23);
    await books.fill(NOON_ms, { account: 1, trade: 1, fee_micros: 100 });
    await books.fill(NOON_ms + DAY_ms, { account: 1, trade: 2, fee_micros: 1 });
    // Written late with an earlier time.
    await books.fill(NOON_ms - 5, { account: 1, trade: 3, fee_micros: 1 });
    const [day, last_ms] = [dayNumberOf(NOON_ms), BigInt(NOON_ms + DAY_ms)];
    assert.deepEqual(
      await books.totals(),
      new Map([
        [`day ${day} ${me}`, [1_010n, BigInt(NOON_ms)]],
        [`day ${day + 1} ${me}`, [10n, last_ms]],
        [`epoch 22 ${me}`, [1_020n, last_ms]],
        [`season ${season} ${me}`, [1_020n, last_ms]],
      ]),
    );
  });

  it("PTS-1: a millisecond before Monday 00:00 UTC is the old epoch and season, Monday itself the new ones", async () => {
    const [first, second] = [await books.season(20, 21), await books.season(22, 25)];
    const monday_ms = EPOCHS.start_ms(22);
    const fill = { account: 1, fee_micros: 1 };
    await books.project([
      commandWith(1, monday_ms - 1, [fillEvent({ ...fill, trade: 1 })]),
      commandWith(2, monday_ms, [fillEvent({ ...fill, trade: 2 })]),
      commandWith(3, monday_ms + 1, [fillEvent({ ...fill, trade: 3 })]),
    ]);
    const points = new Map([...(await books.totals())].map(([key, [micros]]) => [key, micros]));
    assert.deepEqual(
      points,
      new Map([
        [`day ${dayNumberOf(monday_ms) - 1} ${me}`, 10n],
        [`epoch 21 ${me}`, 10n],
        [`season ${first} ${me}`, 10n],
        [`day ${dayNumberOf(monday_ms)} ${me}`, 20n],
        [`epoch 22 ${me}`, 20n],
        [`season ${second} ${me}`, 20n],
      ]),
    );
  });

  it("PTS-2: after its snapshot a season stays as it is; day and epoch go on", async () => {
    const season = await books.season(22, 22);
    await books.fill(NOON_ms, { account: 1, trade: 1, fee_micros: 1 });
    await books.closeSeason(season);
    await books.fill(NOON_ms + 1, { account: 1, trade: 2, fee_micros: 1 });
    const totals = await books.totals();
    assert.deepEqual(totals.get(`season ${season} ${me}`), [10n, BigInt(NOON_ms)]);
    assert.deepEqual(totals.get(`epoch 22 ${me}`), [20n, BigInt(NOON_ms + 1)]);
    assert.deepEqual(totals.get(`day ${dayNumberOf(NOON_ms)} ${me}`), [20n, BigInt(NOON_ms + 1)]);
  });

  it("a fill is scored once: a batch that holds it again is refused as a whole", async () => {
    await score({ account: 1, trade: 1, fee_micros: 100 });
    const before_ = [await books.lines(), await books.totals()];
    const again = { account: 1, trade: 1, fee_micros: 100 };
    await assert.rejects(score({ account: 1, trade: 2, fee_micros: 100 }, again), /points_line_of_fill/);
    assert.deepEqual([await books.lines(), await books.totals()], before_);
  });
});
