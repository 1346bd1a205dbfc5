import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { seededRandom } from "../../kernel/random.ts";
import { createListenKeyStore } from "./listen-key-store.ts";
import { LISTEN_KEY_LIFE_ms, ListenKeys } from "./listen-keys.ts";
import { streamMigrations } from "./migrations.ts";

const walletOf = (digit: string) => `0x${digit.repeat(40)}`;

describe("listenKeys", () => {
  let database: Database;
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  const random = seededRandom("listen keys");

  before(async () => {
    database = await openTestDatabase(streamMigrations);
  });

  after(() => database.close());

  async function started(secret = "a secret"): Promise<ListenKeys> {
    const keys = new ListenKeys({ store: createListenKeyStore(database), clock, random, secret });
    await keys.load();
    return keys;
  }

  it("one per wallet, 64 characters; asking again gives the same one, also after a restart", async () => {
    const keys = await started();
    const [first, again, other] = await Promise.all([
      keys.issue(walletOf("1")),
      keys.issue(walletOf("1")),
      keys.issue(walletOf("2")),
    ]);
    assert.match(first, /^[0-9a-f]{64}$/);
    assert.equal(again, first);
    assert.notEqual(other, first);
    const restarted = await started();
    assert.equal(restarted.resolve(first), walletOf("1"));
    assert.equal(await restarted.issue(walletOf("1")), first);
    assert.equal((await started("another secret")).resolve(first), undefined);
  });

  it("WSA-1: two processes that are asked at the same time give the same key, and both know it", async () => {
    const [here, there] = [await started(), await started()];
    const [one, other] = await Promise.all([here.issue(walletOf("9")), there.issue(walletOf("9"))]);
    assert.equal(one, other);
    assert.deepEqual([here.resolve(one), there.resolve(one)], [walletOf("9"), walletOf("9")]);
  });

  it("the table does not hold the keys", async () => {
    const keys = await started();
    const key = await keys.issue(walletOf("3"));
    const rows = await createListenKeyStore(database).load(clock.now());
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(key));
  });

  it("lives an hour from its last extension, on the platform's clock", async () => {
    const keys = await started();
    const ended: string[] = [];
    keys.onEnded((key) => ended.push(key));
    const key = await keys.issue(walletOf("4"));
    const quiet = await keys.issue(walletOf("5"));
    clock.advance(LISTEN_KEY_LIFE_ms - 1);
    assert.equal(await keys.extend(walletOf("4")), key);
    clock.advance(1);
    keys.sweep();
    assert.ok(ended.includes(quiet) && !ended.includes(key));
    assert.equal(keys.resolve(key), walletOf("4"));
    clock.advance(LISTEN_KEY_LIFE_ms - 1);
    assert.equal(keys.resolve(key), undefined);
    assert.equal(await keys.extend(walletOf("4")), undefined);
    assert.equal((await started()).resolve(key), undefined);
  });

  it("revoked, it is gone at once and for good; the next one is another", async () => {
    const keys = await started();
    const key = await keys.issue(walletOf("6"));
    assert.equal(await keys.revoke(walletOf("6")), true);
    assert.equal(keys.resolve(key), undefined);
    assert.equal(await keys.revoke(walletOf("6")), false);
    assert.equal((await started()).resolve(key), undefined);
    assert.notEqual(await keys.issue(walletOf("6")), key);
  });
});
