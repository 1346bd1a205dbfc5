import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DAY_ms } from "../../kernel/dates.ts";
import { type Bench, createBench, testAddress } from "./testing.ts";

const MIDNIGHT_ms = Date.UTC(2026, 5, 2);

describe("VIP tiers over days", () => {
  let bench: Bench;
  const tokens: string[] = [];
  let fees: string[] = [];

  before(async () => {
    bench = await createBench();
    for (const number of [1, 2]) {
      await bench.deposits.credit(testAddress(number), 1e13, `vip:${number}`);
      tokens.push(await bench.tokenOf(testAddress(number)));
    }
  });
  after(() => bench.close());

  /** The first wallet trades 180,000 USDT with the second, as taker; returns the fee it paid. */
  async function trade(side: "BUY" | "SELL"): Promise<string> {
    const order = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "3" };
    const made = { ...order, side: side === "BUY" ? "SELL" : "BUY" };
    assert.equal((await bench.call("POST", "/orders", tokens[1], made)).status, 200);
    const { body } = await bench.call("POST", "/orders", tokens[0], { ...order, side });
    assert.equal(body.status, "FILLED");
    return body.fee;
  }

  /** Issues a token per call, because tokens expire after an hour and the test moves the clock by days. */
  const feeInfo = async () =>
    (await bench.call("GET", "/account/fee-info", await bench.tokenOf(testAddress(1)))).body as {
      tier: number;
      volume_14d: string;
      volume_30d: string;
      pending_downgrade: { tier: number; effective_time: number } | null;
      effective: { maker_rate: string; taker_rate: string };
    };

  /** Moves the clock to an hour of a later UTC day and runs what the job `vip` does at midnight. */
  async function moveTo(day: number, hour = 1): Promise<void> {
    bench.clock.advance(MIDNIGHT_ms + (day - 1) * DAY_ms + hour * 3_600_000 - bench.clock.now());
    for (const [place, number] of [1, 2].entries()) tokens[place] = await bench.tokenOf(testAddress(number));
    await bench.submit({ kind: "advance_time" });
  }

  it("FUT-15: up with the very fill that crosses, whose fee is still the old one", async () => {
    fees = [];
    for (let count = 0; count < 6; count += 1) fees.push(await trade(count % 2 === 0 ? "SELL" : "BUY"));
    assert.deepEqual(fees, Array(6).fill("90.00"));
    const info = await feeInfo();
    assert.deepEqual([info.tier, info.volume_14d, info.volume_30d], [1, "1080000.00", "1080000.00"]);
    assert.deepEqual(info.effective, { maker_rate: "0.00018", taker_rate: "0.00045" });
    assert.equal(await trade("SELL"), "81.00");
    assert.equal((await feeInfo()).volume_14d, "1260000.00");
  });

  it("FUT-15: the day counts for fourteen days, then a downgrade is announced", async () => {
    await moveTo(13, 23);
    assert.deepEqual([(await feeInfo()).tier, (await feeInfo()).pending_downgrade], [1, null]);
    await moveTo(14);
    const info = await feeInfo();
    assert.deepEqual([info.tier, info.volume_14d, info.volume_30d], [1, "0.00", "1260000.00"]);
    assert.deepEqual(info.pending_downgrade, { tier: 0, effective_time: MIDNIGHT_ms + 14 * DAY_ms });
    assert.equal(info.effective.taker_rate, "0.00045", "until then the old terms hold");
  });

  it("FUT-15: regained before midnight, it falls away", async () => {
    for (let count = 0; count < 6; count += 1) {
      assert.equal(await trade(count % 2 === 0 ? "BUY" : "SELL"), "81.00");
    }
    assert.deepEqual([(await feeInfo()).tier, (await feeInfo()).pending_downgrade], [1, null]);
    await moveTo(15);
    assert.deepEqual([(await feeInfo()).tier, (await feeInfo()).pending_downgrade], [1, null]);
  });

  it("FUT-15: announced again and not regained, it is applied at the next midnight", async () => {
    await moveTo(28);
    assert.deepEqual((await feeInfo()).pending_downgrade, { tier: 0, effective_time: MIDNIGHT_ms + 28 * DAY_ms });
    await moveTo(28, 23);
    assert.equal((await feeInfo()).tier, 1);
    await moveTo(29, 0);
    const info = await feeInfo();
    assert.deepEqual([info.tier, info.pending_downgrade], [0, null]);
    assert.deepEqual(info.effective, { maker_rate: "0.0002", taker_rate: "0.0005" });
    assert.equal(info.volume_30d, "2340000.00", "thirty days reach back to the first of them");
  });

  it("FUT-15: a discount comes off the tier's rates, in fee-info and in the fee", async () => {
    await bench.submit({ kind: "set_discount", account: 1, discount_bps: 1_000, number: 1_000 });
    const info = (await feeInfo()) as unknown as { discounts: unknown; effective: unknown };
    assert.deepEqual(info.effective, { maker_rate: "0.00018", taker_rate: "0.00045" });
    assert.deepEqual(info.discounts, [{ kind: "referral", discount: "0.1" }]);
    assert.equal(await trade("SELL"), "81.00");
  });
});

describe("orders of an account are counted", () => {
  it("SEC-10: beyond the limit 429 with -1015 and Retry-After; reducing ones have a reserve, cancels are free", async (t) => {
    const bench = await createBench({ environment: { RATE_LIMIT_ORDERS_10S: "5" } });
    t.after(() => bench.close());
    await bench.deposits.credit(testAddress(1), 1e11, "count");
    const token = await bench.tokenOf(testAddress(1));
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "59000", quantity: "0.01" };
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await bench.call("POST", "/orders", token, order)).body.id);
    }
    const refused = await bench.call("POST", "/orders", token, order);
    assert.deepEqual([refused.status, refused.body.code, refused.body.exchange_code], [429, "TOO_MANY_ORDERS", -1015]);
    const reply = await bench.app.inject({
      method: "POST",
      url: "/api/v1/orders",
      headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
      payload: order,
    });
    assert.match(String(reply.headers["retry-after"]), /^([1-9]|10)$/);
    const reducing = await bench.call("POST", "/orders", token, {
      ...order,
      side: "SELL",
      price: "61000",
      reduce_only: true,
    });
    assert.equal(reducing.body.code, "REDUCE_ONLY_REJECTED", "it was counted, and looked at by the engine");
    assert.equal((await bench.call("DELETE", `/orders/${ids[0]}`, token)).status, 200);
  });
});
