import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { Epochs } from "../epochs.ts";
import { readLevels } from "../testing/levels.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { OwnPointsReader } from "./own-points.ts";
import { Standings } from "./standings.ts";
import { createWalletWait } from "./written.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));
const NOON_ms = epochs.start_ms(10) + 43_200_000;

describe("PTS-6: where a wallet stands", () => {
  let database: TestDatabase;
  let books: PointsBooks;
  let clock: ManualClock;
  let standings: Standings;
  let own: OwnPointsReader;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(() => database.close());
  beforeEach(async () => {
    await sql`truncate points_total, points_season, points_allocation`.execute(books.db);
    clock = new ManualClock(NOON_ms);
    const log = { error: () => assert.fail("a list could not be made") };
    const options = { db: books.db, clock, epochs, levels: () => readLevels(books.db) };
    standings = new Standings({ ...options, log });
    own = new OwnPointsReader({ ...options, standings, written: async () => {} });
  });

  it("PTS-6: all epochs together, the present and the past ones", async () => {
    for (const [epoch, points] of [
      [1, 100n],
      [9, 20n],
      [10, 3n],
    ] as const) {
      await books.scored(walletOf(1), points * POINT_micros + 1n, epochs.start_ms(epoch) + 1);
    }
    const { points_today, points_epoch, points_total, points_season, season_id } = await own.read(walletOf(1));
    assert.deepEqual(
      [points_today, points_epoch, points_total, points_season, season_id],
      ["3.000001", "3.000001", "123.000003", "0", null],
    );
  });

  it("PTS-6: the way to the next level, to the last millionth, and none beyond the highest", async () => {
    const season = await books.season({ start_epoch: 9, end_epoch: 11 });
    const levelWith = async (points_micros: bigint) => {
      await sql`truncate points_total`.execute(books.db);
      await books.total("season", season.season_no, walletOf(1), points_micros);
      const { level, tier, next_level } = await own.read(walletOf(1));
      return [level, tier, next_level?.level, next_level?.points_missing];
    };
    assert.deepEqual(await levelWith(999_999_999n), [0, "L0", 1, "0.000001"]);
    assert.deepEqual(await levelWith(1_000_000_000n), [1, "L1", 2, "9000"]);
    assert.deepEqual(await levelWith(500_000_000_000n), [5, "L5", undefined, undefined]);
  });

  it("PTS-5, PTS-6: the projection is the wallet's share of what all had at the last refresh, never more than the pool", async () => {
    const season = await books.season({ start_epoch: 9, end_epoch: 11, user_pool_tokens: 1_000_000n });
    const score = (number: number, points: bigint) =>
      books.scored(walletOf(number), points * POINT_micros, NOON_ms, season);
    const projected = async (number: number) => (await own.read(walletOf(number))).projected_tokens;
    await standings.refresh();
    assert.equal(await projected(1), 0, "nobody has scored");
    await score(1, 10n);
    assert.equal(await projected(1), 1_000_000, "alone, and the refresh knows nothing of it yet");
    await score(2, 30n);
    await standings.refresh();
    assert.deepEqual([await projected(1), await projected(2), await projected(3)], [250_000, 750_000, 0]);
    await score(2, 10n ** 6n);
    assert.equal(await projected(2), 1_000_000);
    clock.advanceTo(epochs.end_ms(11));
    await standings.refresh();
    assert.equal(await projected(2), null, "no season is running");
  });

  it("PTS-4: right after midnight nobody has the rank of the day before", async () => {
    await books.scored(walletOf(1), POINT_micros, NOON_ms);
    clock.advanceTo(epochs.start_ms(10) + 86_400_000 - 1);
    await standings.refresh();
    assert.deepEqual([(await own.read(walletOf(1))).rank_today, (await own.read(walletOf(1))).rank_epoch], [1, 1]);
    clock.advance(1);
    const { rank_today, rank_epoch, points_today } = await own.read(walletOf(1));
    assert.deepEqual([rank_today, rank_epoch, points_today], [null, 1, "0"]);
  });

  it("PTS-6: whoever has something under way that is not written in time is told to come again", async () => {
    const directory = { numberOf: (address: string) => (address === walletOf(1) ? 7 : undefined) } as never;
    const waiting = (error: Error) =>
      createWalletWait({ directory, projector: { waitForAccount: () => Promise.reject(error) } as never });
    await assert.rejects(waiting(new ProjectionTimeout(1, 1))(walletOf(1)), { status: 503, code: "NOT_READY" });
    await assert.rejects(waiting(new Error("broken"))(walletOf(1)), /broken/);
    await waiting(new Error("not asked"))(walletOf(2));
  });
});
