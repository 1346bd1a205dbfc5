import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { createPriceStore, MemoryPriceStore, type PriceStore, priceMigrations } from "./store.ts";
import { sizeOf } from "./testing.ts";

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
      await store.keepGuarded("BTCUSDT", true);
      await store.keepPin("BTCUSDT", sizeOf("58500"));
      await store.keepPin("ETHUSDT", sizeOf("3000"));
      await store.keepPin("ETHUSDT", undefined);
      assert.deepEqual(await store.load(), [
        { symbol: "BTCUSDT", home_e8: 6_000_010_000_000, pinned_e8: 5_850_000_000_000, isGuarded: true },
        { symbol: "ETHUSDT", home_e8: undefined, pinned_e8: undefined, isGuarded: false },
      ]);
      await store.keepGuarded("BTCUSDT", false);
      assert.equal((await store.load())[0]?.isGuarded, false);
    });
  }
});
