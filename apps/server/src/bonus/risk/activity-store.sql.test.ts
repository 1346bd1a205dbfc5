import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { bonusDb } from "../tables.ts";
import { readOpenings, readOrders, readRealised } from "./activity-store.ts";
import type { RiskWallet } from "./links.ts";

const GRANTED_ms = 1_000;
const walletOf = (account: number, granted_ms = GRANTED_ms): RiskWallet => ({
  address: `0x${account.toString(16).padStart(40, "0")}`,
  account,
  status: "active",
  granted_ms,
});

describe("what bonus wallets have done", () => {
  let database: TestDatabase;
  let trades = 0;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  beforeEach(async () => {
    await sql`truncate exchange_fill`.execute(database.db);
    trades = 0;
  });
  after(() => database.close());

  interface Fill {
    readonly account: number;
    readonly time_ms: number;
    readonly lots?: number;
    readonly side?: number;
    readonly order_id?: number;
    readonly market?: number;
    readonly cause?: string;
    readonly realised?: number;
    readonly position?: number;
  }

  async function write(...fills: readonly Fill[]): Promise<void> {
    const rows = fills.map(({ account, time_ms, ...fill }) => {
      const { lots = 1, side = BUY, order_id = 1, market = 0, cause = "trade", realised = 0, position = 0 } = fill;
      trades += 1;
      return { account, time_ms, lots, side, order_id, market, cause, realised, position, trade: trades };
    });
    await sql`
      insert into exchange_fill
      select market, trade, side, account, order_id, false, cause, 1, lots, 0, 0, 0, realised, 0, position, 0, 0, false,
        time_ms, trade, 0
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one (market int, trade bigint, side smallint, account int,
        order_id bigint, cause text, lots bigint, realised bigint, position bigint, time_ms bigint)`.execute(
      database.db,
    );
  }

  it("BON-12: fills of an order are one activity, at the first of them, since the grant", async () => {
    await write(
      { account: 5, time_ms: 999, order_id: 1, lots: 50 },
      { account: 5, time_ms: 1_000, order_id: 2, lots: 3 },
      { account: 5, time_ms: 2_000, order_id: 2, lots: 4 },
      { account: 5, time_ms: 3_000, order_id: 3, lots: 9, side: SELL, market: 1 },
      { account: 5, time_ms: 3_000, order_id: 4, lots: 9, cause: "liquidation" },
      { account: 5, time_ms: 3_000, order_id: 0, lots: 9, cause: "adl" },
      { account: 6, time_ms: 4_000, order_id: 7, lots: 2 },
      { account: 9, time_ms: 4_000, order_id: 8, lots: 2 },
    );
    const orders = await readOrders(bonusDb(database), [walletOf(6), walletOf(5)]);
    assert.deepEqual(
      orders.toSorted((a, b) => a.time_ms - b.time_ms),
      [
        { wallet: 1, market: 0, side: BUY, lots: 7, time_ms: 1_000 },
        { wallet: 1, market: 1, side: SELL, lots: 9, time_ms: 3_000 },
        { wallet: 0, market: 0, side: BUY, lots: 2, time_ms: 4_000 },
      ],
    );
  });

  it("BON-12: of a wallet that trades much the newest 100 orders are looked at", async () => {
    await write(
      ...Array.from({ length: 130 }, (_, at) => ({ account: 5, time_ms: 2_000 + at, order_id: at + 1, lots: at + 1 })),
    );
    const orders = await readOrders(bonusDb(database), [walletOf(5)]);
    assert.deepEqual([orders.length, Math.min(...orders.map(({ lots }) => lots))], [100, 31]);
  });

  it("BON-12: realised since the grant, whatever brought it about", async () => {
    await write(
      { account: 5, time_ms: 999, realised: 100 },
      { account: 5, time_ms: 1_000, realised: 20 },
      { account: 5, time_ms: 1_001, realised: -50, cause: "liquidation" },
      { account: 6, time_ms: 1_001, realised: 7 },
    );
    const realised = await readRealised(bonusDb(database), [walletOf(6), walletOf(5), walletOf(7)]);
    assert.deepEqual(realised, [7n, -30n, 0n]);
  });

  it("BON-12: a position begins with the first fill after none, or after one on the other side", async () => {
    await write(
      { account: 5, time_ms: 10, position: 5 },
      { account: 5, time_ms: 20, position: 0 },
      { account: 5, time_ms: 30, position: 2 },
      { account: 5, time_ms: 40, position: 4 },
      { account: 6, time_ms: 50, position: 3 },
      { account: 6, time_ms: 60, position: -1 },
      { account: 6, time_ms: 70, position: -2 },
      { account: 6, time_ms: 80, position: 9, market: 1 },
      { account: 7, time_ms: 90, position: -1 },
    );
    const holding = (wallet: number, account: number, lots: number, market = 0) => ({ wallet, account, market, lots });
    const openings = await readOpenings(bonusDb(database), [
      holding(0, 5, 4),
      holding(1, 6, -2),
      holding(1, 6, 9, 1),
      holding(2, 7, -1),
      holding(3, 8, 1),
    ]);
    assert.deepEqual(openings, [
      { wallet: 0, market: 0, side: BUY, lots: 4, time_ms: 30 },
      { wallet: 1, market: 0, side: SELL, lots: 2, time_ms: 60 },
      { wallet: 1, market: 1, side: BUY, lots: 9, time_ms: 80 },
      { wallet: 2, market: 0, side: SELL, lots: 1, time_ms: 90 },
    ]);
  });
});
