import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { type Body, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

describe("histories of all markets", () => {
  const past = useHistory();
  const { alice, bob } = past;
  const dave = "0xdave";
  const call = (name: string, parameters: Parameters = {}, who?: string) =>
    past.bench.call("GET", `/fapi/v1/${name}`, parameters, who);
  const list = async (name: string, parameters: Parameters = {}, who?: string) =>
    ok<Body[]>(await call(name, parameters, who));
  const namesOf = (rows: readonly Body[], field: string) => rows.map((row) => `${row["symbol"]} ${row[field]}`);
  const trade = async (symbol: string, quantity: string, price: string) => {
    await past.order(bob, "SELL", quantity, price, { symbol });
    const bought = await past.order(alice, "BUY", quantity, price, { symbol });
    past.bench.clock.advance(1_000);
    return Number(bought["orderId"]);
  };
  let orders: number[];

  before(async () => {
    await past.bench.price("ETHUSDT", 3_000);
    await past.bench.seedFund();
    orders = [
      await trade("BTCUSDT", "0.1", "60000"),
      await trade("ETHUSDT", "1", "3000"),
      await trade("BTCUSDT", "0.2", "60000"),
    ];
  });

  it("FUT-20: allOrders without a symbol are those of all, oldest first", async () => {
    const wanted = [`BTCUSDT ${orders[0]}`, `ETHUSDT ${orders[1]}`, `BTCUSDT ${orders[2]}`];
    assert.deepEqual(namesOf(await list("allOrders", {}, alice), "orderId"), wanted);
    assert.deepEqual(namesOf(await list("allOrders", { orderId: orders[1] }, alice), "orderId"), wanted.slice(1));
    assert.deepEqual(namesOf(await list("allOrders", { limit: 2 }, alice), "orderId"), wanted.slice(1));
    const first = { startTime: EPOCH_MS, limit: 2 };
    assert.deepEqual(namesOf(await list("allOrders", first, alice), "orderId"), wanted.slice(0, 2));
    assert.equal((await list("allOrders", { symbol: "ETHUSDT" }, alice)).length, 1);
  });

  it("FUT-20: userTrades without a symbol are those of all; ids need their symbol", async () => {
    // Ids count within their market.
    const wanted = ["BTCUSDT 1", "ETHUSDT 1", "BTCUSDT 2"];
    assert.deepEqual(namesOf(await list("userTrades", {}, alice), "id"), wanted);
    assert.deepEqual(
      namesOf(await list("userTrades", { startTime: EPOCH_MS, limit: 2 }, alice), "id"),
      wanted.slice(0, 2),
    );
    assert.deepEqual(namesOf(await list("userTrades", { orderId: orders[1] }, alice), "id"), ["ETHUSDT 1"]);
    assert.deepEqual(await list("userTrades", { orderId: orders[1] }, bob), []);
    assert.deepEqual(namesOf(await list("userTrades", { fromId: 2, symbol: "BTCUSDT" }, alice), "id"), ["BTCUSDT 2"]);
    refused(await call("userTrades", { fromId: 2 }, alice), -1102, /'symbol'/);
  });

  it("FUT-24, FUT-20: allForceOrders is the public record of liquidations, without their owners", async () => {
    assert.deepEqual(await list("allForceOrders"), []);
    await past.bench.trader("dave", 40);
    await past.order(bob, "SELL", "0.006", "60000");
    await past.order(dave, "BUY", "0.006", "60000");
    await past.order(alice, "BUY", "0.01", "53400");
    past.bench.clock.advance(MINUTE_ms);
    const time = past.bench.clock.now();
    await past.bench.price("BTCUSDT", 53_500);
    const [forced, ...others] = await list("allForceOrders");
    assert.deepEqual(others, []);
    assert.deepEqual(forced, {
      symbol: "BTCUSDT",
      price: "53400.0",
      origQty: "0.006",
      executedQty: "0.006",
      averagePrice: "53400.0",
      status: "FILLED",
      timeInForce: "IOC",
      type: "LIMIT",
      side: "SELL",
      time,
    });
    assert.deepEqual(await list("allForceOrders", { symbol: "BTCUSDT", startTime: time, endTime: time }), [forced]);
    assert.deepEqual(await list("allForceOrders", { symbol: "ETHUSDT" }), []);
    assert.deepEqual(await list("allForceOrders", { startTime: time + 1 }), []);
    assert.deepEqual(await list("allForceOrders", { endTime: time - 1 }), []);
  });

  it("FUT-24: liquidations are read by an index, of one market and of all", async () => {
    for (const condition of [sql`true`, sql`market = 0`]) {
      const { rows } = await past.database.db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        await sql`set local enable_sort = off`.execute(tx);
        return await sql<Record<string, string>>`
          explain select market, side, lots, ticks, time_ms from exchange_risk_event
          where kind in ('liquidation', 'takeover') and ${condition} and time_ms between 0 and 8640000000000000
          order by time_ms desc, command_number desc, event_index desc limit 100`.execute(tx);
      });
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      assert.match(plan, /Index Scan Backward using exchange_risk_event_forced/);
      assert.doesNotMatch(plan, /Sort/);
    }
  });
});
