import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { Epochs } from "../epochs.ts";
import { levelOf } from "../scoring/levels.ts";
import { SCOPES } from "../tables.ts";
import { readLevels } from "../testing/levels.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { Board } from "./board.ts";
import { SeasonLevels } from "./season-levels.ts";
import { readTotals } from "./totals.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));

describe("PTS-4: a list made of the tables", () => {
  let database: TestDatabase;
  let books: PointsBooks;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(() => database.close());

  const read = async (scope: "day" | "epoch", period: number, season_no?: number) => {
    const season = await SeasonLevels.read(books.db, season_no, await readLevels(books.db));
    return { board: await Board.build(readTotals(books.db, scope, period), season), claims: season.claims };
  };

  /** The same computed by the database, row by row. */
  async function plain(scope: "day" | "epoch", period: number, season_no = -1) {
    const { rows } = await sql<{ address: string; points_micros: bigint }>`
      select address, points_micros from points_total
      where scope = ${SCOPES[scope]}::smallint and period = ${period}::int
      order by points_micros desc, last_ms, address`.execute(books.db);
    const ofSeason = await books.db
      .selectFrom("points_total")
      .select(["address", "points_micros"])
      .where("scope", "=", SCOPES.season)
      .where("period", "=", season_no)
      .execute();
    const seasonPoints = new Map(ofSeason.map(({ address, points_micros }) => [address, points_micros]));
    const levels = await readLevels(books.db);
    const levelIn = (points_micros: bigint | undefined) =>
      points_micros === undefined ? undefined : levelOf(levels, points_micros).level;
    return rows.map(({ address, points_micros }, at) => ({
      rank: at + 1,
      address,
      points_micros,
      level: levelIn(seasonPoints.get(address)),
    }));
  }

  it("PTS-4: tens of thousands of wallets, over several pages, as the database would order them", async () => {
    const insert = (scope: number, period: number, part: number) => sql`
      insert into points_total (scope, period, address, points_micros, last_ms)
      select ${scope}::smallint, ${period}::int, '0x' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40),
        1 + (n::bigint * 7919 * ${part}::int) % (40000 * 1000000::bigint), (n::bigint * 31) % 50
      from generate_series(1, 45000) n where n % ${part}::int = 0`;
    await insert(0, 700, 1).execute(books.db);
    await insert(1, 100, 1).execute(books.db);
    await insert(2, 3, 2).execute(books.db);
    for (const [scope, period, season_no] of [
      ["day", 700, 3],
      ["epoch", 100, undefined],
    ] as const) {
      const [{ board }, wanted] = [await read(scope, period, season_no), await plain(scope, period, season_no)];
      assert.equal(board.total, 45_000);
      assert.deepEqual(board.page(0, board.total), wanted);
      for (const { rank, address } of wanted.filter((_, at) => at % 111 === 0)) {
        assert.equal(board.rankOf(address), rank);
      }
    }
  });

  it("PTS-4: pages begin and end where they are asked to, beyond the end there is nothing", async () => {
    await books.totals(
      "day",
      701,
      [4, 2, 3, 1].map((number) => ({
        address: walletOf(number),
        points_micros: BigInt(number) * POINT_micros,
        last_ms: 0,
      })),
    );
    const { board } = await read("day", 701);
    const wallets = (offset: number, limit: number) => board.page(offset, limit).map(({ address }) => Number(address));
    assert.deepEqual(wallets(0, 500), [4, 3, 2, 1]);
    assert.deepEqual(wallets(1, 2), [3, 2]);
    assert.deepEqual(wallets(4, 1), []);
    assert.deepEqual(wallets(1e15, 500), []);
    for (const absent of [walletOf(0), walletOf(5), `0x${"f".repeat(40)}`])
      assert.equal(board.rankOf(absent), undefined);
    assert.equal(Board.empty.total, 0);
    assert.equal(Board.empty.rankOf(walletOf(1)), undefined);
  });

  it("T10: the tier is that of the season's whole points, none without any", async () => {
    const seasonPoints = [0n, 1n, 999_999_999n, 1_000_000_000n, 50_000_000_000n, 500_000_000_000n];
    for (const [number, season_micros] of seasonPoints.entries()) {
      await books.total("day", 702, walletOf(number), BigInt(100 - number));
      if (season_micros > 0n) await books.total("season", 9, walletOf(number), season_micros);
    }
    const { board, claims } = await read("day", 702, 9);
    assert.deepEqual(
      board.page(0, 10).map(({ level }) => level),
      [undefined, 0, 0, 1, 3, 5],
    );
    const expected =
      4n * 1n + 4n * 999_999_999n + 8n * 1_000_000_000n + 25n * 50_000_000_000n + 120n * 500_000_000_000n;
    assert.equal(claims, expected);
    assert.equal((await read("day", 702, 77)).claims, 0n);
  });

  it("PTS-4: points are exact, however many", async () => {
    const many = BigInt(Number.MAX_SAFE_INTEGER);
    const all = [many, many + 2n, many + 1n, 2n ** 63n - 1n, 2n ** 63n - 2n];
    for (const [number, points_micros] of all.entries()) await books.total("day", 703, walletOf(number), points_micros);
    const { board } = await read("day", 703);
    assert.deepEqual(
      board.page(0, 10).map(({ points_micros }) => points_micros),
      all.toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });
});
