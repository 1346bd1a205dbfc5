import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { REDUCE_ONLY, TRADING } from "@bourse/engine";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { createPriceStore, MemoryPriceStore, type PriceStore, priceMigrations } from "./store.ts";
import { sizeOf, TEST_NOON_MS } from "./testing.ts";

describe("what is kept of a market", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(priceMigrations);
  });
  after(() => database.close());

  const stores: [string, () => PriceStore][] = [
    ["in the database", () => createPriceStore(database)],
    ["in memory", () => new MemoryPriceStore()],
  ];
  for (const [where, open] of stores) {
    it(`each of its parts changes by itself, ${where}`, async () => {
      const store = open();
      await store.keepHome("BTCUSDT", sizeOf("60000.1"));
      const guard = { phase: "halted", since_ms: TEST_NOON_MS, resumes: REDUCE_ONLY } as const;
      await store.keepGuard("BTCUSDT", guard);
      await store.keepPin("BTCUSDT", sizeOf("58500"));
      await store.keepPin("ETHUSDT", sizeOf("3000"));
      await store.keepPin("ETHUSDT", undefined);
      const premiums = [
        { hour: 494_413, sum_e8: 720_000_000, slot: 719 },
        { hour: 494_414, sum_e8: -1, slot: 0 },
      ];
      await store.keepPremiums([
        { symbol: "BTCUSDT", premiums },
        { symbol: "SOLUSDT", premiums: [] },
      ]);
      assert.deepEqual(await store.load(), [
        { symbol: "BTCUSDT", home_e8: 6_000_010_000_000, pinned_e8: 5_850_000_000_000, guard, premiums },
        { symbol: "ETHUSDT", home_e8: undefined, pinned_e8: undefined, guard: undefined, premiums: [] },
        { symbol: "SOLUSDT", home_e8: undefined, pinned_e8: undefined, guard: undefined, premiums: [] },
      ]);
      await store.keepGuard("BTCUSDT", { phase: "resuming", since_ms: 5, resumes: TRADING });
      assert.deepEqual((await store.load())[0]?.guard, { phase: "resuming", since_ms: 5, resumes: TRADING });
      await store.keepGuard("BTCUSDT", undefined);
      assert.equal((await store.load())[0]?.guard, undefined);
    });
  }

  it("FUT-13: a row of the release before says that a market is reduce-only, not since when", async () => {
    await sql`insert into price_market (symbol, is_guarded) values ('OLDUSDT', true)`.execute(database.db);
    const kept = (await createPriceStore(database).load()).find(({ symbol }) => symbol === "OLDUSDT");
    assert.deepEqual(kept?.guard, { phase: "reduce_only", since_ms: undefined, resumes: TRADING });
  });
});
