import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { CROWD_wallets, type Deed, findLikenesses } from "./deeds.ts";

const MINUTE_ms = 60_000;
const START_ms = Date.UTC(2026, 5, 1);

/** Wallet, minute, lots, side, market. */
const deed = (wallet: number, minute: number, lots: number, side: number = BUY, market = 0): Deed => ({
  wallet,
  market,
  side,
  lots,
  time_ms: START_ms + minute * MINUTE_ms,
});

/** All pairs, by hand: for each one to one in the order of time. */
function plainly(deeds: readonly Deed[]): string[] {
  const wallets = [...new Set(deeds.map(({ wallet }) => wallet))].sort((a, b) => a - b);
  const found: string[] = [];
  for (const one of wallets) {
    for (const other of wallets.filter((wallet) => wallet > one)) {
      const own = deeds.filter(({ wallet }) => wallet === one).sort((a, b) => a.time_ms - b.time_ms);
      const free = deeds.filter(({ wallet }) => wallet === other).sort((a, b) => a.time_ms - b.time_ms);
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

const shown = async (deeds: readonly Deed[]) =>
  (await findLikenesses(deeds)).map(({ wallets: [one, other], matched }) => `${one}-${other}:${matched}`).sort();

describe("orders and positions that are like each other", () => {
  it("BON-12: the same size within 5 minutes, on the other side or on the same one", async () => {
    const mirrored = await findLikenesses([deed(0, 0, 100), deed(1, 5, 90, SELL)]);
    assert.deepEqual(mirrored, [{ wallets: [0, 1], relation: "mirrored", matched: 1, of: [1, 1] }]);
    const [copied] = await findLikenesses([deed(0, 0, 100), deed(1, 5, 90)]);
    assert.equal(copied?.relation, "copied");
  });

  it("BON-12: not after 5 minutes, not in another market, not in another size, not with oneself", async () => {
    assert.deepEqual(await shown([deed(0, 0, 100), deed(1, 5 + 1 / MINUTE_ms, 100)]), []);
    assert.deepEqual(await shown([deed(0, 0, 100), deed(1, 0, 100, SELL, 1)]), []);
    assert.deepEqual(await shown([deed(0, 0, 100), deed(1, 0, 89)]), []);
    assert.deepEqual(await shown([deed(0, 0, 100), deed(0, 0, 100)]), []);
    assert.deepEqual(await shown([]), []);
  });

  it("BON-12: at least half of what each has done, one to one", async () => {
    const half = [deed(0, 0, 100), deed(0, 60, 500), deed(1, 1, 100)];
    assert.deepEqual(await shown(half), ["0-1:1"]);
    assert.deepEqual(await shown([...half, deed(0, 90, 700)]), [], "one of three");
    const many = Array.from({ length: 10 }, (_, place) => deed(0, place / 10, 100));
    assert.deepEqual(await shown([...many, deed(1, 0, 100)]), [], "one order is like one of ten, not like ten");
  });

  it("BON-12: what a crowd does says nothing of any two of them", async () => {
    const crowd = (wallets: number) => Array.from({ length: wallets }, (_, wallet) => deed(wallet, 0, 100));
    assert.equal((await findLikenesses(crowd(30))).length, (30 * 29) / 2);
    assert.deepEqual(await findLikenesses(crowd(CROWD_wallets + 2)), []);
    // Two that do something of their own beside it are like each other in that alone, which is half of it.
    const own = [deed(0, 60, 7), deed(1, 61, 7, SELL)];
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
      const deeds = Array.from({ length: wallets * 3 }, () =>
        deed(random(wallets), random(30), 20 + random(8), random(2) === 0 ? BUY : SELL, random(2)),
      );
      const expected = plainly(deeds).sort();
      assert.deepEqual(await shown(deeds), expected);
      pairs += expected.length;
    }
    assert.ok(pairs > 100, `${pairs} pairs`);
  });
});
