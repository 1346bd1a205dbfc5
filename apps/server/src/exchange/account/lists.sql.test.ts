import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { HOUR_ms } from "../../kernel/dates.ts";
import { policyOf } from "../../kernel/http/routes.ts";
import { type Bench, createBench, START_MS, testAddress } from "./testing.ts";

const usdt = (amount: number) => amount * 1_000_000;

describe("lists of the account area", () => {
  let bench: Bench;
  let maker: string;
  let taker: string;

  before(async () => {
    bench = await createBench();
    [maker, taker] = [await bench.tokenOf(testAddress(1)), await bench.tokenOf(testAddress(2))];
    for (const number of [1, 2]) await bench.deposits.credit(testAddress(number), usdt(100_000), `list:${number}`);
    const ask = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", price: "60000", quantity: "1" };
    assert.equal((await bench.call("POST", "/orders", maker, ask)).status, 200);
    for (let count = 0; count < 5; count += 1) {
      bench.clock.advance(1_000);
      const buy = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" };
      assert.equal((await bench.call("POST", "/orders", taker, buy)).body.status, "FILLED");
    }
  });
  after(() => bench.close());

  const get = (path: string, token: string | undefined = taker) => bench.call("GET", path, token);

  for (const [path, name] of [
    ["/account/trades", "trades"],
    ["/api/v1/account/orders", "orders"],
  ] as const) {
    it(`WIRE-8: ${path} goes on by cursor, with a total on the first page alone`, async () => {
      const ids: number[] = [];
      let cursor: string | null = null;
      const totals: number[] = [];
      do {
        const { status, body } = await get(`${path}?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
        assert.equal(status, 200);
        totals.push(body.total);
        ids.push(...body[name].map(({ id }: { id: number }) => id));
        cursor = body.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(totals, [5, -1, -1]);
      assert.equal(ids.length, 5);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
      const turned = await get(`${path}?order=desc`);
      assert.deepEqual(
        turned.body[name].map(({ id }: { id: number }) => id),
        ids.toReversed(),
      );
      const passed = await get(`${path}?limit=1&offset=3`);
      assert.deepEqual(
        passed.body[name].map(({ id }: { id: number }) => id),
        [ids[3]],
      );
    });

    it(`WIRE-8: a cursor of ${path} that was changed, or of another query, is 400`, async () => {
      const { body } = await get(`${path}?limit=2`);
      const cursor: string = body.next_cursor;
      const at = Math.floor(cursor.length / 2);
      const changed = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
      for (const bad of [
        changed,
        `${cursor}AA`,
        cursor.slice(0, -2),
        "x",
        "!!!",
        Buffer.from("1.2").toString("base64url"),
      ]) {
        const reply = await get(`${path}?limit=2&cursor=${encodeURIComponent(bad)}`);
        assert.deepEqual([reply.status, reply.body.code], [400, "BAD_CURSOR"], bad);
      }
      for (const other of ["order=desc", "symbol=BTCUSDT", `start_time=${START_MS}`]) {
        assert.equal((await get(`${path}?limit=2&${other}&cursor=${cursor}`)).status, 400, other);
      }
      assert.equal((await get(`${path}?limit=2&cursor=${cursor}`, maker)).status, 400);
      assert.equal((await get(`${path}?limit=2&offset=1&cursor=${cursor}`)).status, 400);
    });
  }

  it("WIRE-2: a limit above 500 is cut, below one or malformed it is 400", async () => {
    assert.equal((await get("/account/trades?limit=100000")).body.trades.length, 5);
    for (const limit of ["0", "-1", "1.5", "ten", ""]) {
      assert.equal((await get(`/account/trades?limit=${limit}`)).status, 400, limit);
    }
    assert.equal((await get("/account/trades?order=up")).status, 400);
    assert.equal((await get("/account/trades?symbol=NOPE")).body.code, "INVALID_SYMBOL");
    assert.equal((await get("/account/trades?start_time=5&end_time=4")).status, 400);
  });

  it("FUT-18: a trade is told in full", async () => {
    const { trades } = (await get("/account/trades?limit=1")).body;
    assert.deepEqual(trades, [
      {
        id: 1,
        order_id: trades[0].order_id,
        symbol: "BTCUSDT",
        side: "BUY",
        price: "60000.0",
        quantity: "0.010",
        value: "600.00",
        fee: "0.30",
        fee_from_bonus: "0.00",
        realized_pnl: "0.00",
        is_maker: false,
        cause: "trade",
        mark_price: "60000.0",
        is_off_market: false,
        time: START_MS + 1_000,
      },
    ]);
  });

  it("FUT-18: income ascends by time, is turned by order=desc and filtered by type", async () => {
    const { income } = (await get("/account/income")).body;
    assert.deepEqual(
      income.map(({ type, amount, symbol }: Record<string, unknown>) => [type, amount, symbol]),
      [["TRANSFER", "100000.00", null], ...Array(5).fill(["COMMISSION", "-0.30", "BTCUSDT"])],
    );
    const turned = (await get("/account/income?order=desc&limit=2")).body.income;
    assert.deepEqual(turned, income.slice(-2).reverse());
    for (const order of ["asc", "desc"]) {
      const found: unknown[] = [];
      const totals: number[] = [];
      let cursor = "";
      for (;;) {
        const page = (await get(`/account/income?order=${order}&limit=4${cursor}`)).body;
        found.push(...page.income);
        totals.push(page.total);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      assert.deepEqual(found, order === "asc" ? income : income.toReversed());
      assert.deepEqual(totals, [6, -1]);
    }
    assert.equal((await get("/account/income?type=TRANSFER")).body.income.length, 1);
    assert.equal((await get("/account/income?type=LOTTERY")).status, 400);
  });

  it("FUT-20: equity history is a list, empty before the first full hour", async () => {
    assert.deepEqual((await get("/account/equity-history")).body, {
      history: [],
      items: [],
      total: 0,
      next_cursor: null,
    });
  });

  it("WIRE-10: the fee schedule is open to anyone, own terms to whoever is signed in", async () => {
    const { status, body } = await bench.call("GET", "/account/fee-info");
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["tiers", "baseline"]);
    assert.equal(body.tiers.length, 6);
    assert.deepEqual(body.baseline, body.tiers[0]);
    assert.deepEqual(body.tiers[5], {
      tier: 5,
      name: "VIP 5",
      min_volume_14d: "500000000.00",
      maker_rate: "0",
      taker_rate: "0.00025",
    });
    const { tiers: _, baseline: __, ...own } = (await get("/api/v1/account/fee-info")).body;
    assert.deepEqual(own, {
      tier: 0,
      volume_14d: "3000.00",
      volume_30d: "3000.00",
      pending_downgrade: null,
      discounts: [],
      effective: { maker_rate: "0.0002", taker_rate: "0.0005" },
    });
    assert.equal((await bench.call("GET", "/account/fee-info", "forged")).status, 401);
    assert.deepEqual(Object.keys((await get("/account/fee-info", await bench.adminToken())).body), [
      "tiers",
      "baseline",
    ]);
    assert.equal((await get("/account/fee-info", await bench.tokenOf(testAddress(99)))).body.volume_14d, "0.00");
  });

  it("FUT-14: funding rates of a market in either case, the next time at the top of the hour", async () => {
    const hour = Math.floor(bench.clock.now() / HOUR_ms) + 1;
    await bench.submit({ kind: "apply_funding", market: 0, rate_e8: 1_250, hour: hour - 1 });
    await bench.projector.waitForAll();
    const { status, body } = await bench.call("GET", "/funding-rates/btcusdt");
    assert.equal(status, 200);
    const settled = [{ time: (hour - 1) * HOUR_ms, rate: "0.0000125", mark_price: "60000.0" }];
    assert.deepEqual(body, {
      symbol: "BTCUSDT",
      estimated_rate: "0.0000125",
      next_funding_time: Date.UTC(2026, 5, 1, 13),
      interval_hours: 1,
      mark_price: "60000.0",
      index_price: "60000.0",
      history: settled,
      items: settled,
      total: 1,
      next_cursor: null,
    });
    assert.equal((await bench.call("GET", "/funding-rates/nope")).body.code, "INVALID_SYMBOL");
  });

  it("FUT-18: the ticker shows the book, the prices and the day", async () => {
    bench.clock.advance(60_000);
    const { body } = await bench.call("GET", "/external/markets/BtcUsdt/ticker");
    assert.deepEqual(body, {
      symbol: "BTCUSDT",
      last_price: "60000.0",
      mark_price: "60000.0",
      index_price: "60000.0",
      best_bid: null,
      best_ask: "60000.0",
      open_price: "60000.0",
      high_price: "60000.0",
      low_price: "60000.0",
      price_change: "0.0",
      price_change_percent: "0.00",
      volume: "0.050",
      quote_volume: "3000.00",
      trades: 5,
      open_interest: "0.050",
      next_funding_time: Date.UTC(2026, 5, 1, 13),
      time: bench.clock.now(),
    });
    const untraded = await bench.call("GET", "/external/markets/SOLUSDT/ticker");
    assert.equal(untraded.body.last_price, "0.00");
  });

  it("FUT-2: markets tell their terms", async () => {
    const { markets } = (await bench.call("GET", "/api/v1/markets")).body;
    assert.equal(markets.length, 4);
    const { min_order_size_usd, lot_size, tick_size, status, max_leverage, mark_price } = markets[0];
    assert.deepEqual(
      { min_order_size_usd, lot_size, tick_size, status, max_leverage, mark_price },
      {
        min_order_size_usd: "5.00",
        lot_size: "0.001",
        tick_size: "0.1",
        status: "trading",
        max_leverage: 50,
        mark_price: "60000.0",
      },
    );
    assert.equal(markets[1].mark_price, null);
  });

  it("FUT-18: private events begin where the client stopped", async () => {
    const { next_cursor, ...body } = (await get("/account/events?after=7")).body;
    const events = [{ seq: 8, channel: "orders", time: START_MS, data: { account: 2, limit: 100 } }];
    assert.equal(typeof next_cursor, "string");
    assert.deepEqual(body, {
      events,
      items: events,
      next_after: 8,
      last_seq: 9,
      has_more: true,
      is_complete: true,
    });
    assert.equal((await get("/account/events?after=-1")).status, 400);
  });

  it("RUN-7: the description shows every path once, under /api/v1", () => {
    const { paths = {} } = bench.app.swagger() as unknown as { paths?: Record<string, Record<string, object>> };
    const shown = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    assert.deepEqual(
      shown.sort(),
      Object.keys(policyOf(bench.app))
        .filter((row) => row.includes(" /api/v1"))
        .sort(),
    );
  });

  it("SEC-6: nothing private is open without a wallet's token, under either path", async () => {
    const admin = await bench.adminToken();
    for (const prefix of ["", "/api/v1"]) {
      for (const path of ["/orders", "/orders/open", "/positions/active", "/unified/account", "/account/trades"]) {
        assert.equal((await bench.call("GET", `${prefix}${path}`)).status, 401, path);
        assert.equal((await bench.call("GET", `${prefix}${path}`, admin)).status, 403, path);
      }
    }
  });
});
