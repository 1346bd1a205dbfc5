import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { type Acting, liveThroughKill, moveClock, reachTime } from "../support/kills.ts";
import { POINTS_ENV, PointsWorld } from "../support/points-world.ts";
import { startServer } from "../support/server.ts";
import { assertInvariants, pinPrices, postJson } from "../support/traders.ts";

/** More with `POINTS_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["POINTS_CRASH_ROUNDS"] ?? 2);

describe("points under kill -9", () => {
  it("PTS-3, PTS-4, PTS-5: every fill scores once, lists are whole and right, and a season is handed out once", async (t) => {
    const dataDir = await makeTempDir(t);
    const env = { ...POINTS_ENV, ...(await quickDatabase(t)) };
    const start = async () => {
      const server = await startServer({ owner: t, dataDir, env });
      await pinPrices(server.baseUrl);
      return server;
    };
    let server = await start();
    const world = await PointsWorld.open(server);
    const traders = (["kol", "customer", "stranger"] as const).map(
      (role): Acting =>
        (server, isOver) =>
          world.tradeOn(server, role, isOver),
    );
    const refresher: Acting = (...life) => world.refreshOn(...life);
    let lines = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await liveThroughKill(server, [...traders, refresher], 1_000 + Math.random() * 1_000);
      server = await start();
      lines = await world.assertPoints(server);
      await assertInvariants(server.baseUrl);
    }
    const now = world.seasonEnd_ms;
    await liveThroughKill(server, [moveClock(now)], 100 + Math.random() * 1_500);
    server = await start();
    await reachTime(server, now);
    await world.signIn(server);
    assert.equal(await world.assertPoints(server), lines);
    const root = await world.assertAllocated(server);
    await postJson(`${server.baseUrl}/api/v1/dev/jobs/season/run`, {});
    assert.equal(await world.assertAllocated(server), root);
    await assertInvariants(server.baseUrl);
    t.diagnostic(`${ROUNDS + 1} kills, ${lines} lines, ${world.refreshes} refreshes`);
    assert.ok(lines > 0 && world.refreshes > 0);
  });
});
