import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NewApiKey } from "@bourse/api";
import { sql } from "kysely";
import { DAY_ms } from "../kernel/dates.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "../testing/test-platform.ts";

interface ShownOrder {
  readonly orderId: number;
  readonly status: string;
}

describe("orders that ended without a fill, on the whole platform", () => {
  let platform: TestPlatform;
  let maker: NewApiKey;
  let taker: NewApiKey;

  const call = (method: "GET" | "POST" | "DELETE", path: string, key: NewApiKey, text: string) =>
    platform.signedCall(method, path, key, `symbol=BTCUSDT&${text}`);

  async function place(key: NewApiKey, text: string): Promise<number> {
    const reply = await call("POST", "/fapi/v1/order", key, text);
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json().orderId;
  }
  const limit = (side: string, quantity: string, price: string) =>
    `side=${side}&type=LIMIT&timeInForce=GTC&quantity=${quantity}&price=${price}`;

  async function cancel(orderId: number): Promise<void> {
    const reply = await call("DELETE", "/fapi/v1/order", maker, `orderId=${orderId}`);
    assert.equal(reply.json().status, "CANCELED", reply.body);
  }

  /** The orders as the owner sees them, and the rows of the table. */
  async function shown(): Promise<string[]> {
    const reply = await call("GET", "/fapi/v1/allOrders", maker, "limit=100");
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json().map(({ orderId, status }: ShownOrder) => `${orderId} ${status}`);
  }
  async function stored(): Promise<number[]> {
    const { rows } = await sql<{ order_id: bigint }>`
      select order_id from exchange_order order by order_id`.execute(platform.database.db);
    return rows.map(({ order_id }) => Number(order_id));
  }
  async function move(advance_ms: number): Promise<unknown[]> {
    const reply = await platform.post("/api/v1/dev/clock", { advance_ms });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json().jobs_run.filter(({ name }: { name: string }) => name === "order-prune");
  }

  before(async () => {
    platform = await createTestPlatform();
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
    const keys = [1, 2].map(async (number) => {
      const wallet = testWallet(number);
      await platform.post("/api/v1/dev/faucet", { address: wallet.address, amount: "10000" });
      return platform.makeApiKey(wallet);
    });
    [maker, taker] = (await Promise.all(keys)) as [NewApiKey, NewApiKey];
  });
  after(() => platform.close());

  it("FUT-20: leave three days after they were placed; filled, partly filled and open ones stay", async () => {
    const unfilled = await place(maker, limit("BUY", "0.001", "59000"));
    await cancel(unfilled);
    const partly = await place(maker, limit("SELL", "0.002", "60000"));
    const taken = await place(taker, "side=BUY&type=MARKET&quantity=0.001");
    await cancel(partly);
    const filled = await place(maker, limit("SELL", "0.001", "60000"));
    const alsoTaken = await place(taker, "side=BUY&type=MARKET&quantity=0.001");
    const open = await place(maker, limit("BUY", "0.001", "58000"));
    assert.deepEqual(await shown(), [`${unfilled} CANCELED`, `${partly} CANCELED`, `${filled} FILLED`, `${open} NEW`]);
    assert.deepEqual(await stored(), [unfilled, partly, taken, filled, alsoTaken, open]);

    // The clock starts at noon, the job runs at 03:20: the third run comes 8 hours and 40 minutes too early.
    const early = await move(3 * DAY_ms - 3_600_000);
    assert.equal(early.length > 0, true);
    assert.deepEqual(await stored(), [unfilled, partly, taken, filled, alsoTaken, open]);

    const [run, ...more] = await move(DAY_ms);
    assert.deepEqual(more, []);
    assert.deepEqual((run as { result: unknown }).result, { orders: 1, algo_orders: 0, amendments: 0 });
    assert.deepEqual(await stored(), [partly, taken, filled, alsoTaken, open]);
    assert.deepEqual(await shown(), [`${partly} CANCELED`, `${filled} FILLED`, `${open} NEW`]);
    const gone = await call("GET", "/fapi/v1/order", maker, `orderId=${unfilled}`);
    assert.deepEqual([gone.statusCode, gone.json().code, gone.json().msg], [400, -2013, "Order does not exist."]);
    const kept = await call("GET", "/fapi/v1/order", maker, `orderId=${partly}`);
    assert.deepEqual([kept.json().status, kept.json().executedQty], ["CANCELED", "0.001"]);
  });
});
