import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { type Bench, createBench, testAddress } from "../account/testing.ts";

const usdt = (amount: number) => amount * 1_000_000;
const doge = { symbol: "DOGEUSDT", tick_size: "0.0001", lot_size: "1", start_price: "0.15" };

describe("the exchange's administration", () => {
  let bench: Bench;
  let admin: string;
  let trader: string;

  before(async () => {
    bench = await createBench();
    admin = await bench.adminToken();
    await bench.deposits.credit(testAddress(1), usdt(10_000), "admin:1");
    trader = await bench.tokenOf(testAddress(1));
  });
  after(() => bench.close());

  const add = (body: object) => bench.call("POST", "/api/v1/admin/markets", admin, body);
  const setStatus = (symbol: string, status: string, reason?: string) =>
    bench.call("PUT", `/api/v1/admin/markets/${symbol}`, admin, {
      status,
      ...(reason === undefined ? {} : { reason }),
    });
  const buy = (symbol: string, price: string, quantity: string) =>
    bench.call("POST", "/orders", trader, { symbol, side: "BUY", type: "LIMIT", price, quantity });
  const audited = () =>
    bench.database.db.selectFrom("audit_log").selectAll().orderBy("seq", "desc").limit(1).executeTakeFirstOrThrow();

  it("FUT-2: a market that an admin adds can be traded at once", async () => {
    const { status, body } = await add({ ...doge, reason: "listing" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.status, "trading");
    assert.equal(body.tick_size, "0.0001");
    assert.equal(body.mark_price, "0.1500");
    // The parameters of its class `other`.
    assert.equal(body.price_band, "0.08");
    assert.deepEqual(body.brackets[1], {
      notional_cap: "100000.00",
      max_leverage: 10,
      maintenance_rate: "0.05",
      cumulative: "625.00",
    });
    assert.equal(bench.startPrices.get("DOGEUSDT"), 15_000_000);
    assert.equal((await buy("DOGEUSDT", "0.1499", "1000")).body.status, "NEW");
    const entry = await audited();
    assert.deepEqual(
      [entry.action, entry.target, entry.role, entry.reason],
      ["market.add", "DOGEUSDT", "admin", "listing"],
    );
    const listed = (await bench.call("GET", "/api/v1/admin/markets", admin)).body.markets;
    assert.equal(listed.length, 5);
    const again = await add(doge);
    assert.deepEqual([again.status, again.body.code], [409, "DUPLICATE_MARKET"]);
  });

  it("FUT-10: brackets are given by cap, leverage and rate; cumulative amounts follow", async () => {
    const brackets = [
      { notional_cap: "100000", max_leverage: 50, maintenance_rate: "0.01" },
      { notional_cap: "500000", max_leverage: 25, maintenance_rate: "0.02" },
      { notional_cap: "2000000", max_leverage: 20, maintenance_rate: 0.025 },
    ];
    const { body } = await add({ ...doge, symbol: "XRPUSDT", risk_class: "major", brackets, default_leverage: 20 });
    assert.deepEqual(
      body.brackets.map(({ cumulative }: { cumulative: string }) => cumulative),
      ["0.00", "1000.00", "3500.00"],
    );
    assert.equal(body.default_leverage, 20);
  });

  it("FUT-2: a market that makes no sense is refused with everything that is wrong, and is not audited", async () => {
    const before = await audited();
    const bad = [
      [{ tick_size: "0" }, /tick/],
      [{ symbol: "doge" }, /capital letters.*USDT/],
      [{ symbol: "DOGEUSD" }, /USDT/],
      [{ start_price: "0.15005" }, /start price is not on the tick/],
      [{ start_price: "5000" }, /too many ticks/],
      [{ price_band: "0.05", market_order_bound: "0.1" }, /wider than the price band/],
      [{ default_leverage: 100 }, /default leverage/],
      [{ min_order_size_usd: "100", max_order_size_usd: "10" }, /maximum notional/],
      [{ brackets: [{ notional_cap: "1000", max_leverage: 100, maintenance_rate: "0.02" }] }, /maintenance reaches/],
      [{ tick_size: "0.000000001" }, /8 decimals/],
    ] as const;
    for (const [change, problem] of bad) {
      const { status, body } = await add({ ...doge, symbol: "BADUSDT", ...change });
      assert.equal(status, 400, JSON.stringify(change));
      assert.match(body.error, problem);
    }
    assert.equal((await audited()).seq, before.seq);
  });

  it("FUT-2: a halted market refuses orders until it trades again", async () => {
    const { status, body } = await setStatus("btcusdt", "halted", "maintenance");
    assert.deepEqual([status, body.symbol, body.status], [200, "BTCUSDT", "halted"]);
    const refused = await buy("BTCUSDT", "59000", "0.01");
    assert.deepEqual([refused.status, refused.body.code, refused.body.exchange_code], [400, "MARKET_HALTED", -1020]);
    const entry = await audited();
    assert.deepEqual(
      [entry.action, entry.target, entry.before, entry.after, entry.reason],
      ["market.status", "BTCUSDT", { status: "trading" }, { status: "halted" }, "maintenance"],
    );
    assert.equal((await setStatus("BTCUSDT", "reduce_only")).body.status, "reduce_only");
    assert.equal((await buy("BTCUSDT", "59000", "0.01")).body.code, "MARKET_REDUCE_ONLY");
    assert.equal((await setStatus("BTCUSDT", "trading")).status, 200);
    assert.equal((await buy("BTCUSDT", "59000", "0.01")).body.status, "NEW");
    assert.equal((await setStatus("BTCUSDT", "closed")).status, 400);
    assert.equal((await setStatus("NOPEUSDT", "halted")).body.code, "INVALID_SYMBOL");
  });

  it("WIRE-10: the invariants are checked and told one by one", async () => {
    const { status, body } = await bench.call("GET", "/api/v1/admin/invariants", admin);
    assert.equal(status, 200);
    const found = new Map(body.invariants.map((row: { code: string }) => [row.code, row]));
    assert.deepEqual(
      [...found.keys()],
      ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6", "INV-7", "INV-8", "INV-10", "INV-11", "ENGINE"],
    );
    assert.deepEqual(found.get("INV-1"), {
      code: "INV-1",
      name: "Money: what is held is what came in",
      ok: true,
      checked_at: new Date(bench.clock.now()).toISOString(),
      detail: "held 10000.00 USDT = brought in 10000.00 USDT",
    });
    const isOk = (code: string) => (found.get(code) as { ok: boolean | null }).ok;
    for (const code of ["INV-2", "INV-3", "INV-7", "ENGINE"]) assert.equal(isOk(code), true, code);
    // No check was passed in for these.
    for (const code of ["INV-4", "INV-5", "INV-6", "INV-8", "INV-10", "INV-11"]) assert.equal(isOk(code), null, code);
  });

  it("FUT-20: a market is halted and resumed by either path, and each time the audit log has it", async () => {
    const set = (path: string, body: object) => bench.call("PUT", `/api/v1/admin/markets${path}`, admin, body);
    const halted = await set("", { symbol: "ethusdt", status: "halted", reason: "drill" });
    assert.deepEqual([halted.status, halted.body.symbol, halted.body.status], [200, "ETHUSDT", "halted"]);
    const resumed = await set("/ETHUSDT", { status: "trading" });
    assert.deepEqual([resumed.status, resumed.body.status], [200, "trading"]);
    assert.equal((await set("", { status: "halted" })).status, 400);
    assert.equal((await set("", { symbol: "NOPE", status: "halted" })).body.code, "INVALID_SYMBOL");
    const { rows } = await sql<{ after: { status: string }; reason: string | null }>`
      select after, reason from audit_log where action = 'market.status' and target = 'ETHUSDT'
      order by seq desc limit 2`.execute(bench.database.db);
    assert.deepEqual(
      rows.map(({ after: { status }, reason }) => [status, reason]),
      [
        ["trading", null],
        ["halted", "drill"],
      ],
    );
  });

  it("SEC-6: wallets do not administer", async () => {
    for (const [method, path] of [
      ["GET", "/api/v1/admin/markets"],
      ["POST", "/api/v1/admin/markets"],
      ["PUT", "/api/v1/admin/markets/BTCUSDT"],
      ["GET", "/api/v1/admin/invariants"],
      ["GET", "/api/v1/admin/switches"],
    ] as const) {
      assert.equal((await bench.call(method, path, trader)).status, 403, path);
      assert.equal((await bench.call(method, path)).status, 401, path);
    }
  });
});
