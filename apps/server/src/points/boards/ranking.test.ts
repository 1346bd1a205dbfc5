import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { rankedOrder, ranksOf, type Scores } from "./ranking.ts";

/** A naive implementation of PTS-4. */
function plainOrder({ points_micros, last_ms }: Scores): number[] {
  const places = Array.from(points_micros, (_, place) => place);
  return places.sort((a, b) => {
    if (points_micros[a] !== points_micros[b]) return points_micros[a]! > points_micros[b]! ? -1 : 1;
    if (last_ms[a] !== last_ms[b]) return last_ms[a]! < last_ms[b]! ? -1 : 1;
    return a - b;
  });
}

const scoresOf = (rows: readonly (readonly [number | bigint, number])[]): Scores => ({
  points_micros: BigInt64Array.from(rows, ([points]) => BigInt(points)),
  about_micros: Float64Array.from(rows, ([points]) => Number(points)),
  last_ms: Float64Array.from(rows, ([, last]) => last),
});

describe("PTS-4: the order of the lists", () => {
  it("PTS-4: more points, then the earlier last scoring time, then the lower address", async () => {
    const order = await rankedOrder(
      scoresOf([
        [5, 9],
        [7, 9],
        [5, 8],
        [7, 9],
        [9, 99],
      ]),
    );
    assert.deepEqual([...order], [4, 1, 3, 2, 0]);
    assert.deepEqual([...(await ranksOf(order))], [5, 2, 4, 3, 1]);
  });

  it("PTS-4: nobody, and a single wallet", async () => {
    assert.equal((await rankedOrder(scoresOf([]))).length, 0);
    assert.deepEqual([...(await rankedOrder(scoresOf([[1, 1]])))], [0]);
  });

  it("PTS-4: any scores, with many ties, as a plain sort has them", async () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 200 }), async (rows) => {
        const scores = scoresOf(rows);
        assert.deepEqual([...(await rankedOrder(scores))], plainOrder(scores));
      }),
    );
  });

  it("PTS-4: very many wallets, whatever number of runs they make", async () => {
    for (const count of [8_191, 8_192, 8_193, 16_385, 50_001]) {
      let seed = count;
      const next = (most: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return seed % most;
      };
      const scores = scoresOf(Array.from({ length: count }, () => [next(2_000), next(5)] as const));
      const order = await rankedOrder(scores);
      assert.deepEqual([...order], plainOrder(scores), `${count}`);
      const ranks = await ranksOf(order);
      for (let at = 0; at < count; at += 997) assert.equal(ranks[order[at]!], at + 1);
    }
  });

  it("PTS-4: points that a number cannot tell apart are told apart", async () => {
    const many = 2n ** 60n;
    const rows = [
      [many, 0],
      [many + 2n, 9],
      [many + 1n, 0],
      [many + 2n, 8],
    ] as const;
    assert.equal(Number(many), Number(many + 2n));
    assert.deepEqual([...(await rankedOrder(scoresOf(rows)))], [3, 1, 2, 0]);
  });
});
