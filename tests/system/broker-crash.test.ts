import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { BrokerWorld, DAY_STEPS, type DayStep, expectedRecords } from "../support/partners.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, pinPrices, TRADING_ENV } from "../support/traders.ts";

/** More with `BROKER_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["BROKER_CRASH_ROUNDS"] ?? 5);
/** How long after the beginning of a step the server may be killed: paying takes several transactions. */
const LATEST_ms = { clock: 400, calculate: 60, batch: 60, pay: 700 } as const satisfies Record<DayStep, number>;

/** Trades, then ends, settles and pays a day, while the server is killed during one of the steps. */
async function liveThroughKill(world: BrokerWorld, server: RunningServer, fatal: DayStep): Promise<void> {
  await world.trade(server, 3);
  let isOver = false;
  const begun = Promise.withResolvers<void>();
  const acting = world
    .endDay(server, (step) => {
      if (step === fatal) begun.resolve();
    })
    .catch((error: unknown) => {
      if (!isOver) throw error;
    });
  await Promise.race([begun.promise, acting]);
  await sleep(Math.random() * LATEST_ms[fatal]);
  isOver = true;
  server.kill("SIGKILL");
  await acting;
  await server.exited;
}

describe("settlement and payouts under kill -9", () => {
  it("BRK-9, BRK-14, INV-4: every fee is settled once, every line paid once, and a rerun gives the same roots", async (t) => {
    const dataDir = await makeTempDir(t);
    const env = { ...TRADING_ENV, ...(await quickDatabase(t)) };
    const start = async () => {
      const server = await startServer({ owner: t, dataDir, env });
      await pinPrices(server.baseUrl);
      return server;
    };
    let server = await start();
    const world = await BrokerWorld.open(server);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Most often while it is paid.
      await liveThroughKill(world, server, DAY_STEPS[round] ?? "pay");
      server = await start();
    }
    await world.trade(server, 2);
    await world.endDay(server);
    await world.payEverything(server);

    const fills = await world.fills(server);
    const expected = expectedRecords(fills);
    assert.deepEqual(await world.records(server), expected);
    assert.deepEqual(
      await world.credited(server),
      await world.owed(server),
      "each payee was credited what is owed, once",
    );
    const roots = await world.roots(server, expected);
    assert.deepEqual(await world.recalculate(server, expected), roots);
    await assertInvariants(server.baseUrl);
    t.diagnostic(`${ROUNDS} kills, ${fills.length} fills, ${expected.length} records, ${world.batches} batches paid`);
  });
});
