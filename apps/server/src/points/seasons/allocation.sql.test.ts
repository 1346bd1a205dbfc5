import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { splitByLargestRemainder } from "@bourse/money";
import fc from "fast-check";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { Epochs } from "../epochs.ts";
import { pointsTx } from "../tables.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { type AllocatedTokens, allocate } from "./allocation.ts";
import { AllocationProofs } from "./allocation-proofs.ts";
import type { Season } from "./season-store.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));
const LEVELS = [
  [500_000n, 120n],
  [200_000n, 60n],
  [50_000n, 25n],
  [10_000n, 12n],
  [1_000n, 8n],
  [0n, 4n],
] as const;

const sha256 = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** A naive implementation of PTS-5. */
function expected(season: Season, wallets: readonly { points_micros: bigint; volume_micros: bigint }[]) {
  const claims = wallets.map(({ points_micros }) => {
    const [, weight] = LEVELS.find(([points]) => points_micros / POINT_micros >= points)!;
    return points_micros * weight;
  });
  const volumes = wallets.map(({ volume_micros }) => volume_micros);
  const split = (pool: bigint, weights: readonly bigint[]) =>
    weights.some((weight) => weight > 0n) ? splitByLargestRemainder(pool, weights) : weights.map(() => 0n);
  return { users: split(season.user_pool_tokens, claims), makers: split(season.mm_pool_tokens, volumes) };
}

describe("PTS-5: what everybody gets of a season", () => {
  let database: TestDatabase;
  let books: PointsBooks;
  let lastEpoch = 0;
  let season: Season;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(() => database.close());
  beforeEach(async () => {
    await books.db.deleteFrom("points_maker").execute();
    season = await newSeason({});
  });

  const newSeason = (draft: Partial<Season>) => {
    lastEpoch += 3;
    return books.season({ start_epoch: lastEpoch - 2, end_epoch: lastEpoch, ...draft });
  };
  const score = (number: number, points_micros: bigint) =>
    books.total("season", season.season_no, walletOf(number), points_micros);
  const run = (): Promise<AllocatedTokens> => database.db.transaction().execute((tx) => allocate(pointsTx(tx), season));
  const tokensOf = async () => {
    const rows = await books.db
      .selectFrom("points_allocation")
      .selectAll()
      .where("season_no", "=", season.season_no)
      .orderBy("address")
      .execute();
    return rows.map(({ address, user_tokens, maker_tokens, level, weight }) => ({
      wallet: Number(address),
      user_tokens,
      maker_tokens,
      level,
      weight,
    }));
  };

  it("PTS-5: the documented example", async () => {
    await score(1, 900n * POINT_micros);
    await score(2, 1_000n * POINT_micros);
    await score(3, 60_000n * POINT_micros);
    const allocated = await run();
    assert.deepEqual(
      (await tokensOf()).map(({ user_tokens, level, weight }) => [user_tokens, level, weight]),
      [
        [2_382n, 0, 4],
        [5_292n, 1, 8],
        [992_326n, 3, 25],
      ],
    );
    assert.deepEqual([allocated.user_tokens, allocated.maker_tokens, allocated.leaf_count], [1_000_000n, 0n, 3]);
  });

  it("T10: the level is that of the whole points, at the very edge", async () => {
    const edges = [
      [999_999_999n, 0],
      [1_000_000_000n, 1],
      [9_999_999_999n, 1],
      [10_000_000_000n, 2],
      [499_999_999_999n, 4],
      [500_000_000_000n, 5],
    ] as const;
    for (const [number, [points_micros]] of edges.entries()) await score(number + 1, points_micros);
    await run();
    assert.deepEqual(
      (await tokensOf()).map(({ level }) => level),
      edges.map(([, level]) => level),
    );
  });

  it("PTS-5: of equal remainders the lower address gets the token", async () => {
    season = await newSeason({ user_pool_tokens: 11n });
    for (const number of [30, 10, 20]) await score(number, 5n * POINT_micros);
    await run();
    assert.deepEqual(
      (await tokensOf()).map(({ wallet, user_tokens }) => [wallet, user_tokens]),
      [
        [10, 4n],
        [20, 4n],
        [30, 3n],
      ],
    );
  });

  it("PTS-5: where nobody scored, all tokens stay where they are, and the root is that of an empty tree", async () => {
    season = await newSeason({ mm_pool_tokens: 500n });
    const allocated = await run();
    assert.deepEqual([allocated.user_tokens, allocated.maker_tokens, allocated.leaf_count], [0n, 0n, 0]);
    assert.deepEqual(allocated.root, sha256(Buffer.from([2]), Buffer.from(season.id)));
  });

  it("PTS-5: a weight of zero gets nothing, and nobody else's tokens are lost", async () => {
    await books.db.updateTable("points_level").set({ weight: 0 }).where("level", "=", 0).execute();
    try {
      await score(1, 10n * POINT_micros);
      await score(2, 2_000n * POINT_micros);
      await run();
      assert.deepEqual(
        (await tokensOf()).map(({ user_tokens }) => user_tokens),
        [0n, 1_000_000n],
      );
      season = await newSeason({});
      await score(1, 10n * POINT_micros);
      assert.equal((await run()).user_tokens, 0n);
    } finally {
      await books.db.updateTable("points_level").set({ weight: 4 }).where("level", "=", 0).execute();
    }
  });

  it("PTS-5: the market makers' pool goes to listed wallets by the volume of the season's epochs", async () => {
    season = await newSeason({ mm_pool_tokens: 1_000n });
    const { start_epoch, end_epoch } = season;
    await books.maker(walletOf(1), { [start_epoch]: 100n, [end_epoch]: 200n, [end_epoch + 1]: 10n ** 9n });
    await books.maker(walletOf(2), { [start_epoch + 1]: 600n, [start_epoch - 1]: 10n ** 9n });
    await books.maker(walletOf(3), { [start_epoch]: 10n ** 12n }, false);
    await books.maker(walletOf(4), { [start_epoch]: 0n });
    await score(2, 7n * POINT_micros);
    await score(5, 7n * POINT_micros);
    const allocated = await run();
    assert.deepEqual(
      (await tokensOf()).map(({ wallet, user_tokens, maker_tokens }) => [wallet, user_tokens, maker_tokens]),
      [
        [1, 0n, 333n],
        [2, 500_000n, 667n],
        [5, 500_000n, 0n],
      ],
    );
    assert.deepEqual([allocated.user_tokens, allocated.maker_tokens], [1_000_000n, 1_000n]);
    await books.db.deleteFrom("points_maker_volume").execute();
  });

  it("PTS-5: any points and volumes are split to the last token as the plain rule says", async () => {
    const micros = fc.oneof(
      fc.bigInt({ min: 1n, max: 50n }),
      fc.bigInt({ min: 1n, max: 2_000_000n * POINT_micros }),
      fc.bigInt({ min: 1n, max: 9n * 10n ** 17n }),
    );
    const pool = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 15n }));
    const wallet = fc.record({ points_micros: micros, volume_micros: fc.oneof(fc.constant(0n), micros) });
    const wallets = fc.array(wallet, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(wallets, pool, pool, async (all, user_pool_tokens, mm_pool_tokens) => {
        await books.db.deleteFrom("points_maker").execute();
        season = await newSeason({ user_pool_tokens, mm_pool_tokens });
        for (const [number, { points_micros, volume_micros }] of all.entries()) {
          await score(number, points_micros);
          await books.maker(walletOf(number), volume_micros === 0n ? {} : { [season.end_epoch]: volume_micros });
        }
        const allocated = await run();
        const { users, makers } = expected(season, all);
        const given = await tokensOf();
        assert.deepEqual(
          given.map(({ user_tokens, maker_tokens }) => [user_tokens, maker_tokens]),
          users.map((tokens, number) => [tokens, makers[number]]),
        );
        assert.equal(allocated.user_tokens, user_pool_tokens);
        assert.equal(
          allocated.maker_tokens,
          makers.reduce((sum, tokens) => sum + tokens, 0n),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("PTS-6: every wallet's proof leads to the root, checked with nothing but a hash", async () => {
    for (let number = 1; number <= 13; number += 1) await score(number, BigInt(number) * 1_234_567n);
    const allocated = await run();
    await books.db
      .updateTable("points_season")
      .set({
        status: "snapshot",
        root: allocated.root,
        leaf_count: allocated.leaf_count,
        snapshot_taken_at: season.snapshot_at,
      })
      .where("id", "=", season.id)
      .execute();
    const proofs = new AllocationProofs(books.db);
    const all = await Promise.all(Array.from({ length: 13 }, (_, at) => proofs.proof(season.id, walletOf(at + 1))));
    for (const [at, proof] of all.entries()) {
      assert.equal(proof.index, at);
      const text = [
        "bourse-allocation-v1",
        season.id,
        proof.address,
        proof.points,
        proof.level,
        proof.weight,
        proof.user_tokens,
        proof.maker_volume,
        proof.mm_tokens,
      ].join("\n");
      assert.equal(proof.leaf_text, text);
      let node = sha256(Buffer.from([0]), Buffer.from(text));
      assert.equal(proof.leaf, `0x${node.toString("hex")}`);
      for (const { position, hash } of proof.siblings) {
        const sibling = Buffer.from(hash.slice(2), "hex");
        node = sha256(Buffer.from([1]), ...(position === "left" ? [sibling, node] : [node, sibling]));
      }
      assert.equal(`0x${node.toString("hex")}`, proof.root);
      assert.equal(proof.root, `0x${allocated.root.toString("hex")}`);
    }
    assert.equal(all[1]!.points, "2.469134");
    assert.equal(
      all.reduce((sum, { tokens }) => sum + tokens, 0),
      1_000_000,
    );
    await assert.rejects(proofs.proof(season.id, walletOf(99)), { status: 404, code: "ALLOCATION_NOT_FOUND" });
  });
});
