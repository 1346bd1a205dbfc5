import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BUY, LIMIT, NEWEST_RULES, PLAIN_ORDER, SELL, type Side } from "@bourse/engine";
import { sql } from "kysely";
import { HOUR_ms } from "../../kernel/dates.ts";
import { type Bench, createBench, testAddress } from "../account/testing.ts";
import { RiskWatch } from "./risk-watch.ts";

const USDT_micros = 1_000_000;
const BTC = 0;
/** 60,000.0 in ticks of 0.1; a lot is 0.001 BTC. */
const MARK = 600_000;

/** An exchange with accounts that trade by commands. */
class Traders {
  readonly bench: Bench;
  #credits = 0;

  constructor(bench: Bench) {
    this.bench = bench;
  }

  async open(wallet: number, usdt = 100_000): Promise<number> {
    this.#credits += 1;
    await this.bench.deposits.credit(testAddress(wallet), usdt * USDT_micros, `risk:${this.#credits}`);
    await this.bench.dispatcher.idle();
    return this.bench.directory.numberOf(testAddress(wallet))!;
  }

  order(account: number, side: Side, lots: number, ticks: number) {
    return this.bench.submit({ ...PLAIN_ORDER, account, market: BTC, side, type: LIMIT, ticks, lots });
  }

  /** The buyer takes the seller's order. */
  async trade(buyer: number, seller: number, lots: number, ticks: number): Promise<void> {
    await this.order(seller, SELL, lots, ticks);
    await this.order(buyer, BUY, lots, ticks);
  }

  price(ticks: number) {
    return this.bench.submit({ kind: "set_price", market: BTC, indexTicks: ticks, markTicks: ticks });
  }
}

describe("FUT-24: the public record of risk", () => {
  let bench: Bench;
  const url = "/api/v1/markets/btcusdt/risk-events";
  type Row = Record<string, unknown>;

  before(async () => {
    bench = await createBench();
    const traders = new Traders(bench);
    const seed = { kind: "seed_fund", amount_micros: 2_000 * USDT_micros } as const;
    await bench.database.db.transaction().execute((tx) => bench.engineRequests.tell(tx, "seed:1", seed));
    const [winner, loser, maker] = [await traders.open(1), await traders.open(2, 1_000), await traders.open(3)];
    await bench.submit({ kind: "set_leverage", account: loser, market: BTC, leverage: 50 });
    await traders.trade(loser, winner, 500, MARK);
    // Something is bid for near the index: that is liquidated, the fund takes what it may, the rest is deleveraged.
    await traders.order(maker, BUY, 20, 581_900);
    await traders.price(582_000);
  });
  after(() => bench.close());

  it("FUT-24: anybody reads liquidations, take-overs and deleveraging with their prices, accounts by number", async () => {
    const { status, body } = await bench.call("GET", url);
    assert.equal(status, 200, JSON.stringify(body));
    const kinds = body.items.map(({ kind }: Row) => kind);
    assert.deepEqual([...new Set(kinds)], ["liquidation", "takeover", "adl"]);
    const { id, time, ...first } = body.items[0];
    assert.deepEqual(first, {
      kind: "liquidation",
      account: 2,
      counterparty: 3,
      side: "SELL",
      quantity: "0.020",
      price: "58190.0",
      mark_price: "58200.0",
      index_price: "58200.0",
      reason: null,
      outflow: null,
      cap: null,
      equity: null,
      until: null,
    });
    assert.match(id, /^\d+-\d+$/);
    assert.equal(time, bench.clock.now());
    const adl = body.items.find(({ kind }: Row) => kind === "adl");
    assert.deepEqual([adl.account, adl.counterparty, adl.side, adl.reason], [1, 2, "BUY", "fund_full"]);
    assert.equal(JSON.stringify(body).includes("0x"), false, "no wallet is named");
    assert.deepEqual([body.symbol, body.capped, body.capped_until], ["BTCUSDT", false, null]);
    assert.ok(Number(body.inventory) > 0 && Number(body.inventory) <= Number(body.inventory_limit));
    assert.equal(body.inventory_since, bench.clock.now());
    assert.ok(Number(body.equity) > 2_000 && Number(body.cap) > 0);
  });

  it("FUT-24, WIRE-8: `after` and the cursor lead through all of it, each event once", async () => {
    const all = (await bench.call("GET", url)).body.items as Row[];
    assert.ok(all.length >= 3);
    const byId: Row[] = [];
    for (let after = ""; ; ) {
      const { body } = await bench.call("GET", `${url}?limit=1${after}`);
      if (body.items.length === 0) break;
      byId.push(...body.items);
      after = `&after=${body.items[0].id}`;
    }
    assert.deepEqual(byId, all);
    const first = (await bench.call("GET", `${url}?limit=2`)).body;
    const rest = (await bench.call("GET", `${url}?cursor=${first.next_cursor}`)).body;
    assert.deepEqual([...first.items, ...rest.items], all);
    assert.deepEqual([first.total, rest.total], [all.length, -1]);
  });

  it("FUT-24, WIRE-8: the newest first, page by page", async () => {
    const all = (await bench.call("GET", url)).body.items as Row[];
    const first = (await bench.call("GET", `${url}?order=desc&limit=2`)).body;
    const rest = (await bench.call("GET", `${url}?order=desc&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([...first.items, ...rest.items], all.toReversed());
    assert.equal((await bench.call("GET", `${url}?cursor=${first.next_cursor}`)).status, 400, "a cursor has its order");
  });

  it("FUT-24: what is malformed is refused", async () => {
    const { next_cursor } = (await bench.call("GET", `${url}?limit=1`)).body;
    for (const query of [
      "after=1",
      "after=-1-2",
      "after=1-",
      "after=1e3-1",
      "after=9999999999999999-1",
      "after=1-9999999999",
      "after=x%27;drop",
      "limit=0",
      "limit=x",
      "cursor=zzz",
      `after=1-1&cursor=${next_cursor}`,
      "order=newest",
      "order=desc&after=1-1",
    ]) {
      assert.equal((await bench.call("GET", `${url}?${query}`)).status, 400, query);
    }
    const { body } = await bench.call("GET", "/api/v1/markets/nope/risk-events");
    assert.equal(body.code, "INVALID_SYMBOL");
    assert.deepEqual((await bench.call("GET", `${url}?after=999999999999999-999999999`)).body.items, []);
  });

  it("FUT-22, INV-10: the cap is in the record, and the check is red until the market is resumed", async () => {
    const invariant = async () => bench.risk.judgeFund();
    assert.equal((await invariant()).ok, true);
    // The fund is long; the index falls.
    bench.clock.advance(1_000);
    await new Traders(bench).price(500_000);
    const { body } = await bench.call("GET", url);
    const capped = body.items.filter(({ kind }: Row) => kind === "fund_capped");
    assert.ok(capped.length >= 1);
    assert.ok(Number(capped[0].outflow) >= Number(capped[0].cap) && Number(capped[0].cap) > 0);
    assert.equal(capped[0].account, null);
    assert.equal(body.capped, true);
    const red = await invariant();
    assert.equal(red.ok, false);
    assert.match(red.detail, /BTCUSDT: .* USDT lost in this hour, capped/);
    const admin = await bench.adminToken();
    const report = (await bench.call("GET", "/api/v1/admin/risk/fund", admin)).body;
    const [btc] = report.items;
    assert.deepEqual(
      [btc.symbol, btc.status, btc.capped, btc.capped_since],
      ["BTCUSDT", "reduce_only", true, new Date(bench.clock.now()).toISOString()],
    );
    assert.deepEqual([report.rules_version, report.items.length], [NEWEST_RULES, 4]);
    const resumed = await bench.call("PUT", "/api/v1/admin/markets/BTCUSDT", admin, { status: "trading" });
    assert.equal(resumed.status, 200);
    assert.equal((await bench.call("GET", url)).body.capped, false);
  });
});

describe("INV-11: transfers far from the mark", () => {
  let bench: Bench;
  let traders: Traders;
  let admin: string;
  const accounts: number[] = [];
  const transfers = async (query = "") => (await bench.call("GET", `/api/v1/admin/risk/transfers${query}`, admin)).body;

  before(async () => {
    bench = await createBench();
    traders = new Traders(bench);
    admin = await bench.adminToken();
    for (let wallet = 1; wallet <= 6; wallet += 1) accounts.push(await traders.open(wallet, 1_000_000));
  });
  after(() => bench.close());

  it("INV-11: money moved by a pair is listed from 100 USDT and 1 % of its volume on", async () => {
    const [a, b, c, d] = accounts as [number, number, number, number];
    // 0.2 % is not far, however much is traded there.
    await traders.trade(a, b, 10, MARK + 1_200);
    assert.deepEqual((await transfers()).items, []);
    // 2 % of 0.1 BTC: 120 USDT from the buyer to the seller.
    await traders.trade(a, b, 100, MARK + 12_000);
    // As much, but less than 1 % of what the two traded.
    await traders.trade(c, d, 300, MARK);
    await traders.trade(c, d, 100, MARK + 12_000);
    const { items, since, total } = await transfers();
    assert.deepEqual(items, [
      {
        from_account: a,
        from_wallet: testAddress(1),
        to_account: b,
        to_wallet: testAddress(2),
        moved: "120.00",
        moved_back: "0.00",
        volume: "6721.20",
        share: "0.0178",
        alarm: false,
      },
    ]);
    assert.equal(total, 1);
    assert.equal(since, new Date((Math.floor(bench.clock.now() / HOUR_ms) - 24) * HOUR_ms).toISOString());
    assert.equal((await bench.risk.judgeTransfers()).ok, true, "listed is no alarm yet");
  });

  it("INV-11: rows of earlier versions, which count volume near the mark too, list nobody else", async () => {
    const [a, b, c] = accounts as [number, number, number];
    const hour = Math.floor(bench.clock.now() / HOUR_ms);
    const listed = (await transfers()).items;
    await sql`
      update exchange_pair_hour set quote_micros = 6721200000 where account = ${a} and counterparty = ${b}`.execute(
      bench.database.db,
    );
    await sql`insert into exchange_pair_hour values (${a}, ${c}, ${hour}, 50000000000, 0, 0)`.execute(
      bench.database.db,
    );
    assert.deepEqual((await transfers()).items, listed);
  });

  it("INV-11: 1,000 USDT are an alarm, told once when it begins and once when it ends; never a repair", async () => {
    const [, , , , e, f] = accounts as [number, number, number, number, number, number];
    const told: string[] = [];
    const log = {
      error: (_: object, text: string) => void told.push(text),
      info: (_: object, text: string) => void told.push(text),
    };
    const { database, clock, exchange, history } = bench;
    const options = { database, clock, engine: exchange.engine, history: history.risk, addressOf: () => undefined };
    const watch = new RiskWatch({ ...options, log: log as never });
    const run = () => watch.job().run({ due_ms: clock.now() } as never);
    await run();
    assert.deepEqual(told, []);
    // The seller gives: 0.5 BTC at 4 % below the mark.
    await traders.order(f, BUY, 500, MARK - 24_000);
    await traders.order(e, SELL, 500, MARK - 24_000);
    await traders.trade(e, f, 10, MARK - 12_000);
    const first = await transfers("?limit=1");
    assert.deepEqual(
      [first.items[0].from_account, first.items[0].to_account, first.items[0].moved, first.items[0].moved_back],
      [e, f, "1200.00", "12.00"],
    );
    assert.deepEqual([first.items[0].alarm, first.total], [true, 2]);
    const second = await transfers(`?limit=1&cursor=${first.next_cursor}`);
    assert.deepEqual([second.items[0].moved, second.next_cursor], ["120.00", null]);
    await run();
    await run();
    assert.equal(told.length, 1);
    assert.match(
      told[0]!,
      /^INV-11 is violated: 2 pairs are listed, 1 alarm; most: accounts 5 and 6 with 1200.00 USDT$/,
    );
    // A day later nothing of it counts, and a week later nothing of it is kept.
    clock.advance(26 * HOUR_ms);
    admin = await bench.adminToken();
    await run();
    assert.match(told[1]!, /^INV-11 holds again/);
    assert.deepEqual((await transfers()).items, []);
    clock.advance(8 * 24 * HOUR_ms);
    await run();
    assert.deepEqual(
      await database.db
        .selectFrom("exchange_pair_hour" as never)
        .selectAll()
        .execute(),
      [],
    );
  });

  it("INV-11: what is malformed is refused, and wallets see nothing of it", async () => {
    admin = await bench.adminToken();
    for (const query of ["limit=0", "limit=x", "cursor=zzz"]) {
      assert.equal((await bench.call("GET", `/api/v1/admin/risk/transfers?${query}`, admin)).status, 400, query);
    }
    const wallet = await bench.tokenOf(testAddress(1));
    for (const path of ["risk/transfers", "risk/fund", "markets/BTCUSDT/rules"]) {
      assert.equal((await bench.call("GET", `/api/v1/admin/${path}`, wallet)).status, 403, path);
      assert.equal((await bench.call("GET", `/api/v1/admin/${path}`)).status, 401, path);
    }
  });
});

describe("FUT-2: the rules of a market", () => {
  let bench: Bench;
  let admin: string;
  const url = "/api/v1/admin/markets/btcusdt/rules";
  const put = (body: object) => bench.call("PUT", url, admin, body);
  const audited = async () =>
    await bench.database.db.selectFrom("audit_log").selectAll().where("action", "=", "market.rules").execute();

  before(async () => {
    bench = await createBench();
    admin = await bench.adminToken();
  });
  after(() => bench.close());

  it("FUT-2: are shown as decimals, those of its class at first", async () => {
    assert.deepEqual((await bench.call("GET", url, admin)).body, {
      symbol: "BTCUSDT",
      mark_clamp: "0.004",
      price_band: "0.05",
      market_order_bound: "0.02",
      triggered_bound: "0.01",
      trigger_clamp: "0.004",
      liquidation_bound: "0.02",
      unwind_bound: "0.003",
      stress_bound: "0.02",
      fund_inventory: "1",
      fund_outflow: "0.1",
      fair_bound: "0.003",
      impact_notional: "10000.00",
      open_interest_factor: 200,
    });
  });

  it("FUT-2: a change names what changes; the rest stays, orders are judged by it, clients see it, the audit log has it", async () => {
    const dry = await put({ price_band: "0.03", dry_run: true });
    assert.deepEqual([dry.status, dry.body.price_band, dry.body.dry_run], [200, "0.03", true]);
    assert.deepEqual(await audited(), []);
    const { status, body } = await put({ price_band: "0.03", impact_notional: 20_000, reason: "thin books" });
    assert.equal(status, 200, JSON.stringify(body));
    const { price_band, market_order_bound, impact_notional, dry_run } = body;
    assert.deepEqual([price_band, market_order_bound, impact_notional, dry_run], ["0.03", "0.02", "20000.00", false]);
    const [market] = (await bench.call("GET", "/api/v1/markets")).body.items;
    assert.deepEqual([market.price_band, market.market_order_bound], ["0.03", "0.02"]);
    await bench.deposits.credit(testAddress(1), 10_000 * USDT_micros, "rules:1");
    const wallet = await bench.tokenOf(testAddress(1));
    const buy = (price: string) =>
      bench.call("POST", "/orders", wallet, { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price, quantity: "0.01" });
    assert.equal((await buy("61800")).body.status, "NEW");
    assert.equal((await buy("61800.1")).status, 400);
    const repeated = await put({ price_band: "0.03", impact_notional: "20000" });
    assert.equal(repeated.status, 200);
    const entries = await audited();
    assert.equal(entries.length, 1, "repeating it changes nothing");
    const { before: was, after: is } = entries[0] as unknown as Record<"before" | "after", Record<string, number>>;
    assert.deepEqual(
      [was["priceBand_e8"], is["priceBand_e8"], entries[0]!.reason],
      [5_000_000, 3_000_000, "thin books"],
    );
  });

  it("FUT-2: rules that make no sense are refused with everything that is wrong, and change nothing", async () => {
    const before_ = (await bench.call("GET", url, admin)).body;
    const { status, body } = await put({ mark_clamp: "0.4", unwind_bound: "0.1" });
    assert.deepEqual([status, body.code, body.details.problems.length], [400, "INVALID_MARKET_RULES", 3]);
    for (const request of [
      { price_band: "-0.1" },
      { priceBand: "0.03" },
      { price_band: "0.03", mark_clmp: "0.003" },
      { price_band: "0" },
      { price_band: "1" },
      { price_band: "0.000000001" },
      { price_band: "5e-2" },
      { price_band: "x" },
      { price_band: null },
      { price_band: [] },
      { fund_inventory: "99999999999999999999" },
      { impact_notional: "0" },
      { impact_notional: "0.0000001" },
      { open_interest_factor: 0 },
      { open_interest_factor: 1.5 },
      { open_interest_factor: "200" },
      { dry_run: "yes" },
      { reason: "x".repeat(501) },
    ]) {
      const refused = await put(request);
      assert.equal(refused.status, 400, JSON.stringify([request, refused.body]));
    }
    assert.equal((await bench.call("PUT", "/api/v1/admin/markets/nope/rules", admin, {})).body.code, "INVALID_SYMBOL");
    assert.deepEqual((await bench.call("GET", url, admin)).body, before_);
  });

  it("FUT-2, LOG-5: by rules before version 5 there are none to change, and clients see those of the definition", async () => {
    const old = await createBench({ rulesVersion: 4 });
    try {
      const token = await old.adminToken();
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { price_band: "0.03" }],
      ] as const) {
        const refused = await old.call(method, url, token, body);
        assert.deepEqual([refused.status, refused.body.code], [409, "RULES_TOO_OLD"]);
      }
      const avax = (await old.call("GET", "/api/v1/markets")).body.items.at(-1);
      assert.deepEqual([avax.price_band, avax.market_order_bound], ["0.15", "0.1"]);
      assert.deepEqual(old.risk.judgeFund(), { ok: null, detail: "rules version 4 caps nothing" });
      assert.equal((await old.risk.judgeTransfers()).ok, null);
      const fund = (await old.call("GET", "/api/v1/markets/BTCUSDT/risk-events")).body;
      assert.deepEqual([fund.cap, fund.outflow, fund.inventory_limit], ["0.00", "0.00", "0.000"]);
    } finally {
      await old.close();
    }
  });
});
