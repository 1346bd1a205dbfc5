import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { pino } from "pino";
import { waitFor } from "../../../../tests/support/waiting.ts";
import { BonusScene, type Trader } from "../bonus/accounts/testing/bonus-scene.ts";
import { ManualClock, MovableClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { logOf } from "../rebuild/index.ts";
import { rowDigests } from "../rebuild/testing/row-digests.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { createTestPlatform, TEST_EPOCH_MS } from "../testing/test-platform.ts";
import { migrations } from "./migrations.ts";
import { rebuildFrom } from "./rebuild.ts";

const WITHDRAWAL = { amount: "75.5", request_id: "rent-of-june" };

describe("a platform whose database is lost", () => {
  const folder = makeTestFolder();
  const clock = new MovableClock(0, new ManualClock(TEST_EPOCH_MS));
  const databases: Database[] = [];
  after(async () => {
    for (const database of databases) await database.close();
    folder.remove();
  });

  async function newDatabase(): Promise<Database> {
    const database = await openTestDatabase(migrations);
    databases.push(database);
    return database;
  }

  let starts = 0;
  const start = async (database: Database) => {
    starts += 1;
    const kept = {
      path: folder.path,
      database: { ...database, close: async () => {} },
      clock,
      seed: `start ${starts}`,
    };
    return BonusScene.on(await createTestPlatform({}, kept));
  };

  const principalOf = async (scene: BonusScene, who: Trader) =>
    (await scene.call(who, "GET", "/unified/account")).body.principal;
  const withdrawalOf = async (scene: BonusScene, who: Trader) =>
    (await scene.call(who, "GET", "/withdraw/list")).body.withdrawals[0];

  it("LOG-3: is refused with its line, rebuilt from log and chain, and goes on with every balance; what was paid is paid", async () => {
    const first = await (await start(await newDatabase())).begun();
    await first.price("60000");
    const holder = await first.trader("500", "100", 10);
    const recalled = await first.trader("200", "50", 10);
    await first.take(holder, "BUY", "0.01", "60000");
    assert.equal((await first.control("recall", recalled)).status, 200);
    await first.newCampaign();
    await first.grant(recalled, "30", 10);
    const asked = await first.call(recalled, "POST", "/withdraw/request", WITHDRAWAL);
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    const confirmed = (scene: BonusScene) =>
      waitFor(async () => ((await withdrawalOf(scene, recalled)).status === "confirmed" ? true : undefined), {
        what: "the withdrawal to be paid",
      });
    await confirmed(first);
    const accounts = [holder, recalled];
    const before = await Promise.all(accounts.map((who) => principalOf(first, who)));
    const paid = await withdrawalOf(first, recalled);
    const { settings } = first.platform;
    await first.close();
    const whole = await rowDigests(databases[0]!.db);

    const database = await newDatabase();
    await assert.rejects(start(database), /The database is older than the log: .*"npm run rebuild"/);
    const lines: string[] = [];
    const opened = { settings, log: pino({ level: "silent" }), say: (line: string) => void lines.push(line) };
    const nothing = await rowDigests(database.db);
    const rebuild = (acceptsLoss: boolean, isDry = false) =>
      rebuildFrom(logOf(folder.path, opened.say), database, opened, { acceptsLoss, isDry });
    assert.equal(await rebuild(true, true), true);
    assert.equal(await rebuild(false), false);
    assert.deepEqual(await rowDigests(database.db), nothing);
    assert.match(lines.join("\n"), /It lacks \d+ accounts .*[\s\S]*API keys[\s\S]*Nothing was written/);
    assert.equal(await rebuild(true), true);
    assert.deepEqual(await rowDigests(database.db), whole);
    lines.length = 0;
    assert.equal(await rebuild(true), true);
    assert.match(lines.join("\n"), /^The database has everything of the log, .* nothing to write\.$/);

    const second = await start(database);
    await confirmed(second);
    await second.price("60000");
    assert.deepEqual(await Promise.all(accounts.map((who) => principalOf(second, who))), before);
    const { tx_hash, amount } = await withdrawalOf(second, recalled);
    assert.deepEqual([tx_hash, amount], [paid.tx_hash, paid.amount]);
    const again = await second.call(recalled, "POST", "/withdraw/request", WITHDRAWAL);
    assert.deepEqual([again.status, again.body.replayed, again.body.withdrawal_id], [200, true, paid.withdrawal_id]);
    await second.end();
  });
});
