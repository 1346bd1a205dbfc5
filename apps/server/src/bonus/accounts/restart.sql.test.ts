import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { ManualClock, MovableClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { createTestPlatform, TEST_EPOCH_MS } from "../../testing/test-platform.ts";
import { BonusScene } from "./testing/bonus-scene.ts";

describe("a platform that is started again", () => {
  const folder = makeTestFolder();
  const clock = new MovableClock(0, new ManualClock(TEST_EPOCH_MS));
  let database: TestDatabase;
  let running: BonusScene | undefined;
  let starts = 0;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(async () => {
    await running?.close();
    await database.close();
    folder.remove();
  });

  /** Stops the previous platform and starts another on the same database and log. */
  async function start(): Promise<BonusScene> {
    await running?.close();
    running = undefined;
    starts += 1;
    const kept = {
      path: folder.path,
      database: { ...database, close: async () => {} },
      clock,
      seed: `start ${starts}`,
    };
    running = BonusScene.on(await createTestPlatform({}, kept));
    return running;
  }

  it("BON-9, BON-4: bonuses, their clocks and answers are there, and what fell due meanwhile is made up for in order", async () => {
    const first = await (await start()).begun();
    await first.price("60000");
    const flat = await first.trader("100", "100", 10);
    const holder = await first.trader("500", "100", 10);
    const frozen = await first.trader("100", "100", 10);
    await first.take(holder, "BUY", "0.01", "60000");
    const request_id = "freeze-before-the-restart";
    const answer = await first.control("freeze", frozen, { request_id });
    assert.equal(answer.status, 200);
    const before_ = await first.me(holder);

    const second = await start();
    await second.price("60000");
    assert.deepEqual(await second.me(holder), before_);
    const replay = await second.control("freeze", frozen, { request_id });
    assert.deepEqual(replay.body, { ...answer.body, replayed: true });
    assert.equal((await second.me(frozen)).status, "frozen");
    await second.assertInvariants();
    await second.advance(6 * DAY_ms);
    await second.close();
    running = undefined;

    // The platform is down from day 7 on while time continues.
    clock.advanceTo(clock.now() + 9 * DAY_ms);
    const third = await start();
    await third.price("60000");
    await third.placed(third.maker, { side: "BUY", quantity: "0.01", price: "60000" });
    const result = await third.run("bonus-expiry");
    assert.equal(result["expired"], 0, "the scheduler has been there first");
    assert.deepEqual(
      [await third.me(flat), await third.me(frozen), await third.me(holder)].map(({ status }) => status),
      ["recalled", "recalled", "recalled"],
    );
    const kinds = (await third.lines(holder)).map(([kind]) => kind);
    assert.equal(kinds.filter((kind) => kind === "EXPIRE").length, 1, "first it expired, then it was closed");
    assert.equal(kinds.at(-1), "RECALL");
    await third.assertInvariants();
  });
});
