import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { type Activity, CROWD_wallets, findSimilarities } from "./activity.ts";

const START_ms = Date.UTC(2026, 5, 1);

/** Wallet, minute, lots, side, market. */
const activity = (wallet: number, minute: number, lots: number, side: number = BUY, market = 0): Activity => ({
  wallet,
  market,
  side,
  lots,
  time_ms: START_ms + minute * MINUTE_ms,
});

/** All pairs by brute force: activities matched one to one in the order of time. */
function plainly(activities: readonly Activity[]): string[] {
  const wallets = [...new Set(activities.map(({ wallet }) => wallet))].sort((a, b) => a - b);
  const found: string[] = [];
  for (const one of wallets) {
    for (const other of wallets.filter((wallet) => wallet > one)) {
      const own = activities.filter(({ wallet }) => wallet === one).sort((a, b) => a.time_ms - b.time_ms);
      const free = activities.filter(({ wallet }) => wallet === other).sort((a, b) => a.time_ms - b.time_ms);
      const count = free.length;
      let matched = 0;
      for (const { market, lots, time_ms } of own) {
        const at = free.findIndex(
          (mine) =>
            mine.market === market &&
            Math.abs(mine.time_ms - time_ms) <= 5 * MINUTE_ms &&
            10 * Math.abs(mine.lots - lots) <= Math.max(mine.lots, lots),
        );
        if (at < 0) continue;
        free.splice(at, 1);
        matched += 1;
      }
      if (matched > 0 && matched * 2 >= own.length && matched * 2 >= count) found.push(`${one}-${other}:${matched}`);
    }
  }
  return found;
}

const shown = async (activities: readonly Activity[]) =>
  (await findSimilarities(activities)).map(({ wallets: [one, other], matched }) => `${one}-${other}:${matched}`).sort();

describe("orders and positions that are like each other", () => {
  it("BON-12: the same size within 5 minutes, on the other side or on the same one", async () => {
    const mirrored = await findSimilarities([activity(0, 0, 100), activity(1, 5, 90, SELL)]);
    assert.deepEqual(mirrored, [{ wallets: [0, 1], relation: "mirrored", matched: 1, of: [1, 1] }]);
    const [copied] = await findSimilarities([activity(0, 0, 100), activity(1, 5, 90)]);
    assert.equal(copied?.relation, "copied");
  });

  it("BON-12: not after 5 minutes, not in another market, not in another size, not with oneself", async () => {
    assert.deepEqual(await shown([activity(0, 0, 100), activity(1, 5 + 1 / MINUTE_ms, 100)]), []);
    assert.deepEqual(await shown([activity(0, 0, 100), activity(1, 0, 100, SELL, 1)]), []);
    assert.deepEqual(await shown([activity(0, 0, 100), activity(1, 0, 89)]), []);
    assert.deepEqual(await shown([activity(0, 0, 100), activity(0, 0, 100)]), []);
    assert.deepEqual(await shown([]), []);
  });

  it("BON-12: at least half of what each has done, one to one", async () => {
    const half = [activity(0, 0, 100), activity(0, 60, 500), activity(1, 1, 100)];
    assert.deepEqual(await shown(half), ["0-1:1"]);
    assert.deepEqual(await shown([...half, activity(0, 90, 700)]), [], "one of three");
    const many = Array.from({ length: 10 }, (_, place) => activity(0, place / 10, 100));
    assert.deepEqual(await shown([...many, activity(1, 0, 100)]), [], "one order is like one of ten, not like ten");
  });

  it("BON-12: what a crowd does says nothing of any two of them", async () => {
    const crowd = (wallets: number) => Array.from({ length: wallets }, (_, wallet) => activity(wallet, 0, 100));
    assert.equal((await findSimilarities(crowd(30))).length, (30 * 29) / 2);
    assert.deepEqual(await findSimilarities(crowd(CROWD_wallets + 2)), []);
    // Two wallets that also trade on their own match in half of their activities only.
    const own = [activity(0, 60, 7), activity(1, 61, 7, SELL)];
    assert.deepEqual(await shown([...crowd(CROWD_wallets + 2), ...own]), ["0-1:1"]);
  });

  it("BON-12: finds what looking at all pairs finds", async () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let pairs = 0;
    for (let round = 0; round < 60; round += 1) {
      const wallets = 2 + random(12);
      const activities = Array.from({ length: wallets * 3 }, () =>
        activity(random(wallets), random(30), 20 + random(8), random(2) === 0 ? BUY : SELL, random(2)),
      );
      const expected = plainly(activities).sort();
      assert.deepEqual(await shown(activities), expected);
      pairs += expected.length;
    }
    assert.ok(pairs > 100, `${pairs} pairs`);
  });
});
