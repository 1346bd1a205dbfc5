import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BONUS_ENV } from "../support/bonus-admin.ts";
import { BonusWorld } from "../support/bonus-world.ts";
import { quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { type Acting, liveThroughKill, moveClock, reachTime, timeOf } from "../support/kills.ts";
import { startServer } from "../support/server.ts";
import { assertInvariants, pinPrices } from "../support/traders.ts";

/** More with `BONUS_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["BONUS_CRASH_ROUNDS"] ?? 2);
const REDEEMERS = 25;
const DAY_ms = 86_400_000;

describe("bonuses under kill -9", () => {
  it("BON-4, BON-9, BON-11: each grant, redemption, recall and expiry has happened once, and the books agree", async (t) => {
    const dataDir = await makeTempDir(t);
    const env = { ...BONUS_ENV, ...(await quickDatabase(t)) };
    const start = async () => {
      const server = await startServer({ owner: t, dataDir, env });
      await pinPrices(server.baseUrl);
      return server;
    };
    let server = await start();
    const world = await BonusWorld.open(server);
    const trading: readonly Acting[] = [
      (...life) => world.grantOn(...life),
      (...life) => world.grantOn(...life),
      (...life) => world.redeemOn(...life),
      (...life) => world.tradeOn(...life),
    ];
    const recalling: Acting = (...life) => world.recallOn(...life);
    const check = async () => {
      await world.settle(server);
      const report = await world.assertBooks(server);
      await assertInvariants(server.baseUrl, ["INV-3"]);
      return report;
    };

    for (let round = 0; round < ROUNDS; round += 1) {
      await world.prepareRedeemers(server, REDEEMERS);
      await liveThroughKill(server, trading, 1_000 + Math.random() * 1_000);
      server = await start();
      await check();
    }
    await liveThroughKill(server, [recalling, trading[3]!], 600 + Math.random() * 700);
    server = await start();
    await check();
    const recalled = await world.assertControlled(server);

    // The seventh day ends the flat ones; the fourteenth closes the others.
    const begun_ms = await timeOf(server);
    for (const days of [7, 14]) {
      const now = begun_ms + days * DAY_ms + 60_000;
      await liveThroughKill(server, [moveClock(now)], 100 + Math.random() * 1_500);
      server = await start();
      await reachTime(server, now);
      const { counts_by_status: statuses } = await world.assertBooks(server);
      assert.deepEqual([statuses["active"] ?? 0, statuses["frozen"] ?? 0], [0, 0], JSON.stringify(statuses));
      if (days === 14) assert.deepEqual(Object.keys(statuses), ["recalled"], JSON.stringify(statuses));
      await assertInvariants(server.baseUrl, ["INV-3"]);
    }
    await world.signInAgain(server);
    const { net_outflow, backing } = await check();
    assert.equal(backing?.consumed, net_outflow, "what is not back was consumed");
    const counts = [
      `${world.requests} requests`,
      `${world.redeemers} codes`,
      `${world.trades} trades`,
      `${world.cutOff} cut off`,
    ];
    t.diagnostic(`${ROUNDS + 3} kills, ${counts.join(", ")}, ${recalled} recalled`);
    assert.ok(world.redeemers > 0 && world.trades > 0 && recalled > 0);
  });
});
