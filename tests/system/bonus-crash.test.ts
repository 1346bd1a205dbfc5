import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BONUS_ENV, BonusWorld } from "../support/bonus-world.ts";
import { makeTempDir } from "../support/files.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, pinPrices, postJson } from "../support/traders.ts";

/** More with `BONUS_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["BONUS_CRASH_ROUNDS"] ?? 2);
const REDEEMERS = 25;
const DAY_ms = 86_400_000;

type Acting = (server: RunningServer, isOver: () => boolean) => Promise<void>;

/** Lets them act and kills the server in the midst of it. */
async function liveThroughKill(server: RunningServer, acting: readonly Acting[], life_ms: number): Promise<void> {
  let isOver = false;
  const acts = acting.map((act) => act(server, () => isOver));
  await sleep(life_ms);
  isOver = true;
  server.kill("SIGKILL");
  await Promise.all(acts);
  await server.exited;
}

const timeOf = async ({ baseUrl }: RunningServer): Promise<number> =>
  ((await (await fetch(`${baseUrl}/fapi/v1/time`)).json()) as { serverTime: number }).serverTime;

describe("bonuses under kill -9", () => {
  it("BON-4, BON-9, BON-11: each grant, redemption, recall and expiry has happened once, and the books agree", async (t) => {
    const dataDir = await makeTempDir(t);
    const start = async () => {
      const server = await startServer({ owner: t, dataDir, env: BONUS_ENV });
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
    await liveThroughKill(server, [recalling, trading[3]!], 300 + Math.random() * 700);
    server = await start();
    await check();
    const recalled = await world.assertRecalled(server);

    // The seventh day ends all that is flat; the fourteenth closes what is not.
    const begun_ms = await timeOf(server);
    for (const days of [7, 14]) {
      const now = begun_ms + days * DAY_ms + 60_000;
      const move: Acting = async ({ baseUrl }) => {
        await postJson(`${baseUrl}/api/v1/dev/clock`, { now }).catch((error: unknown) => {
          if (!(error instanceof TypeError)) throw error;
        });
      };
      await liveThroughKill(server, [move], 100 + Math.random() * 900);
      server = await start();
      await postJson(`${server.baseUrl}/api/v1/dev/clock`, { now });
      const { counts_by_status: statuses } = await world.assertBooks(server);
      assert.deepEqual([statuses["active"] ?? 0, statuses["frozen"] ?? 0], [0, 0], JSON.stringify(statuses));
      if (days === 14) assert.deepEqual(Object.keys(statuses), ["recalled"], JSON.stringify(statuses));
      await assertInvariants(server.baseUrl, ["INV-3"]);
    }
    await world.signInAgain(server);
    const { net_outflow, backing } = await check();
    assert.equal(backing?.consumed, net_outflow, "what is not back was consumed");
    const counts = [`${world.requests} requests`, `${world.redeemers} codes`, `${world.trades} trades`, `${world.cutOff} cut off`];
    t.diagnostic(`${ROUNDS + 3} kills, ${counts.join(", ")}, ${recalled} recalled`);
    assert.ok(world.redeemers > 0 && world.trades > 0 && recalled > 0);
  });
});
