import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { stateHash } from "@bourse/engine";
import { sql } from "kysely";
import { policyOf } from "../../kernel/http/routes.ts";
import { type Bench, createBench, testAddress } from "./testing.ts";

type Values = Readonly<Record<string, unknown>>;

/** A valid request. The tests replace one parameter at a time by an invalid value. */
interface Good {
  readonly as?: "wallet" | "admin";
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: Values;
  /** Parameters that exclude some of those above, each with the valid values it goes with. */
  readonly apart?: Readonly<Record<string, Values>>;
  /** Text fields without a format: only a value that is not text, or is too long, is refused. */
  readonly free?: readonly string[];
}

const page = { limit: 5, order: "asc", start_time: 0, end_time: 4_000_000_000_000 };
const cursor = { cursor: { limit: 5 } };
const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", quantity: "0.01", price: "59000" };
const fullOrder = {
  ...order,
  time_in_force: "GTC",
  reduce_only: false,
  working_type: "MARK_PRICE",
  client_order_id: "hostile",
  take_profit: { trigger_price: "66000" },
  stop_loss: { trigger_price: "55000" },
};
const { quantity, price, ...unsized } = order;
const stop = { ...unsized, type: "STOP_MARKET", side: "SELL", stop_price: "55000" };
const orderApart = {
  quote_quantity: { ...unsized, price, quote_quantity: "600" },
  max_slippage: { ...unsized, quantity, type: "MARKET", max_slippage: "0.9" },
};
const stopApart = { stop_price: { ...stop, quantity }, close_position: { ...stop, close_position: true } };
const market = {
  symbol: "NEWUSDT",
  tick_size: "0.01",
  lot_size: "0.1",
  start_price: "100",
  risk_class: "other",
  min_order_size_usd: "5",
  max_order_size_usd: "1000000",
  price_band: "0.15",
  market_order_bound: "0.1",
  liquidation_fee: "0.01",
  default_leverage: 5,
  max_open_orders: 200,
  max_conditional_orders: 100,
  brackets: [{ notional_cap: "25000", max_leverage: 20, maintenance_rate: "0.025" }],
};
const OTHER = testAddress(77);

/** One row for every route of these areas. A route without a row fails the test below. */
const NO_WITHDRAWAL = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

const GOOD: Readonly<Record<string, Good>> = {
  "POST /orders": { body: fullOrder, apart: { ...orderApart, ...stopApart } },
  "POST /orders/preview": { body: fullOrder, apart: { ...orderApart, ...stopApart } },
  "GET /orders": { query: { ...page, symbol: "BTCUSDT", status: "NEW", offset: 0 }, apart: cursor },
  "GET /account/orders": { query: { ...page, symbol: "BTCUSDT", status: "NEW", offset: 0 }, apart: cursor },
  "GET /orders/open": { query: { symbol: "BTCUSDT" } },
  "DELETE /orders/:id": { path: { id: 1 } },
  "GET /positions/active": {},
  "GET /unified/account": {},
  "GET /account/trades": { query: { ...page, symbol: "BTCUSDT", offset: 0 }, apart: cursor },
  "GET /account/income": { query: { ...page, symbol: "BTCUSDT", type: "TRANSFER" }, apart: cursor },
  "GET /account/equity-history": { query: page, apart: cursor },
  "GET /account/events": { query: { after: 0, limit: 5 }, apart: cursor },
  "GET /account/margin-mode": { query: { symbol: "BTCUSDT" } },
  "POST /account/margin-mode": { body: { symbol: "BTCUSDT", margin_mode: "isolated", mode: "isolated" } },
  "GET /account/fee-info": {},
  "GET /funding-rates/:symbol": { path: { symbol: "BTCUSDT" }, query: page, apart: cursor },
  "GET /external/markets/:symbol/ticker": { path: { symbol: "BTCUSDT" } },
  "POST /withdraw/request": { body: { amount: "1", to: OTHER, request_id: "hostile" } },
  "GET /deposit/list": { query: { limit: 5, order: "asc" }, apart: cursor },
  "GET /withdraw/list": { query: { limit: 5, order: "asc" }, apart: cursor },
  "GET /withdraw/holds": {},
  "GET /withdraw/addresses": {},
  "POST /withdraw/addresses": { body: { address: OTHER, label: "cold" }, free: ["label"] },
  "DELETE /withdraw/addresses/:address": { path: { address: OTHER } },
  "GET /markets": {},
  "GET /markets/:symbol/risk-events": {
    path: { symbol: "BTCUSDT" },
    query: { after: "1-1", limit: 5, order: "asc" },
    apart: cursor,
  },
  "GET /admin/markets": { as: "admin" },
  "POST /admin/markets": { as: "admin", body: { ...market, reason: "new" }, free: ["reason"] },
  "PUT /admin/markets": {
    as: "admin",
    body: { symbol: "ETHUSDT", status: "halted", reason: "new" },
    free: ["reason"],
  },
  "PUT /admin/markets/:symbol": {
    as: "admin",
    path: { symbol: "ETHUSDT" },
    body: { status: "halted", reason: "new" },
    free: ["reason"],
  },
  "GET /admin/markets/:symbol/rules": { as: "admin", path: { symbol: "ETHUSDT" } },
  "PUT /admin/markets/:symbol/rules": {
    as: "admin",
    path: { symbol: "ETHUSDT" },
    body: {
      ...{ mark_clamp: "0.003", price_band: "0.06", market_order_bound: "0.02", triggered_bound: "0.01" },
      ...{ trigger_clamp: "0.004", liquidation_bound: "0.02", unwind_bound: "0.003", stress_bound: "0.02" },
      ...{ fund_inventory: "1", fund_outflow: "0.1", fair_bound: "0.003", impact_notional: "9000" },
      ...{ open_interest_factor: 100, dry_run: true, reason: "new" },
    },
    free: ["reason"],
  },
  "GET /admin/risk/fund": { as: "admin" },
  "GET /admin/risk/transfers": { as: "admin", query: { limit: 5 }, apart: cursor },
  "GET /admin/invariants": { as: "admin" },
  "GET /admin/rules-version": { as: "admin" },
  "POST /admin/rules-version": { as: "admin", body: { version: 4, dry_run: true, reason: "new" }, free: ["reason"] },
  "GET /admin/switches": { as: "admin" },
  "PUT /admin/switches": { as: "admin", body: { withdrawals_paused: true, reason: "new" }, free: ["reason"] },
  "PUT /admin/switches/withdrawals": { as: "admin", body: { paused: true, reason: "new" }, free: ["reason"] },
  "GET /admin/withdrawals/reviews": { as: "admin", query: { limit: 5 }, apart: cursor },
  "POST /admin/withdrawals/:id/release": {
    as: "admin",
    path: { id: NO_WITHDRAWAL },
    body: { reason: "new" },
    free: ["reason"],
  },
  "POST /admin/withdrawals/:id/refuse": {
    as: "admin",
    path: { id: NO_WITHDRAWAL },
    body: { reason: "new" },
    free: ["reason"],
  },
  "GET /admin/prices": { as: "admin" },
  "POST /admin/prices": { as: "admin", body: { symbol: "BTCUSDT", price: "60000", feed: "a" } },
};

/** Values that no parameter of any route accepts. */
const HOSTILE: readonly unknown[] = [
  "💥",
  "__proto__",
  "constructor",
  "1e309",
  "NaN",
  "-1",
  "' or 1=1 --",
  "\u0000",
  "x".repeat(5_000),
  -1,
  1.5e300,
  true,
  null,
  [],
  ["BTCUSDT"],
  {},
  { toString: "x" },
];

const isText = (value: unknown): value is string => typeof value === "string";
/** Accepted values: a switch may be true, and null removes an attached order. */
const HARMLESS: readonly (readonly [parameter: string, value: unknown])[] = [
  ["reduce_only", true],
  ["close_position", true],
  ["withdrawals_paused", true],
  ["paused", true],
  ["dry_run", true],
  ["take_profit", null],
  ["stop_loss", null],
  ["client_order_id", "__proto__"],
  ["client_order_id", "constructor"],
  ["client_order_id", "1e309"],
  ["client_order_id", "NaN"],
  ["client_order_id", "-1"],
  ["request_id", "__proto__"],
  ["request_id", "constructor"],
  ["request_id", "1e309"],
  ["request_id", "NaN"],
  ["request_id", "-1"],
  ["feed", "__proto__"],
  ["feed", "constructor"],
  ["feed", "1e309"],
  ["feed", "NaN"],
  ["feed", "-1"],
];

function isAttack(name: string, value: unknown, { free = [] }: Good): boolean {
  if (HARMLESS.some(([parameter, harmless]) => parameter === name && harmless === value)) return false;
  return !(free.includes(name) && isText(value) && value.length <= 64);
}

describe("hostile input", () => {
  let bench: Bench;
  let tokens: Readonly<Record<"wallet" | "admin", string>>;

  before(async () => {
    bench = await createBench();
    tokens = { wallet: await bench.tokenOf(testAddress(1)), admin: await bench.adminToken() };
    for (const number of [1, 2]) await bench.deposits.credit(testAddress(number), 1e11, `hostile:${number}`);
    const ask = { ...order, side: "SELL", price: "60000", quantity: "1" };
    assert.equal((await bench.call("POST", "/orders", await bench.tokenOf(testAddress(2)), ask)).status, 200);
    assert.equal((await bench.call("POST", "/orders", tokens.wallet, order)).status, 200);
    await bench.projector.waitForAll();
  });
  after(() => bench.close());

  /**
   * Everything a request could have changed: the engine's state without its command number, and the row count of every
   * table.
   */
  async function fingerprint(): Promise<string> {
    const { state } = bench.exchange.engine;
    const { commandNumber, time_ms } = state;
    state.commandNumber = 0;
    state.time_ms = 0;
    const hash = stateHash(state);
    state.commandNumber = commandNumber;
    state.time_ms = time_ms;
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(bench.database.db);
    const counts = await Promise.all(
      rows.map(async ({ name }) => {
        const counted = await sql<{ count: bigint }>`select count(*) as count from ${sql.table(name)}`.execute(
          bench.database.db,
        );
        return `${name} ${counted.rows[0]!.count}`;
      }),
    );
    return JSON.stringify({ hash, counts });
  }

  function send(route: string, { as = "wallet", path = {}, query = {}, body }: Good) {
    const [method = "", pattern = ""] = route.split(" ");
    const filled = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));
    const pairs = Object.entries(query).flatMap(([name, value]) => {
      const texts = Array.isArray(value) ? ["1", "2"] : [isText(value) ? value : JSON.stringify(value)];
      return texts.map((text) => `${name}=${encodeURIComponent(text)}`);
    });
    const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
    return bench.call(method as "GET", `/api/v1${filled}${search}`, tokens[as], body as object | undefined);
  }

  function assertRefused({ status, body }: { status: number; body: Values }, what: string): void {
    assert.ok(status >= 400 && status < 500, `${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    assert.deepEqual([typeof body["error"], typeof body["code"]], ["string", "string"], what);
    assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts:|select |insert /, what);
  }

  it("SEC-9: every route of these areas has a row here", () => {
    const routes = Object.keys(policyOf(bench.app))
      .filter((route) => route.includes(" /api/v1/") && !route.includes("/dev/"))
      .map((route) => route.replace("/api/v1", ""));
    assert.deepEqual(Object.keys(GOOD).toSorted(), routes.toSorted());
  });

  it("SEC-9: every parameter that is described has a value here", () => {
    const { paths = {} } = bench.app.swagger() as unknown as { paths?: Record<string, Record<string, Operation>> };
    for (const [route, { path = {}, query = {}, body = {}, apart = {} }] of Object.entries(GOOD)) {
      const [method = "", pattern = ""] = route.split(" ");
      const operation = paths[`/api/v1${pattern.replace(/:(\w+)/g, "{$1}")}`]?.[method.toLowerCase()];
      const parameters = operation?.parameters?.map(({ name }) => name) ?? [];
      const fields = Object.keys(operation?.requestBody?.content["application/json"]?.schema.properties ?? {});
      const given = [path, query, body, apart].flatMap((values) => Object.keys(values));
      assert.deepEqual(given.toSorted(), [...parameters, ...fields].toSorted(), route);
    }
  });

  it("what is spoilt below is good before", async () => {
    for (const [route, good] of Object.entries(GOOD).filter(([name]) => name.startsWith("GET "))) {
      assert.equal((await send(route, good)).status, 200, route);
    }
    for (const body of [fullOrder, ...Object.values(orderApart), ...Object.values(stopApart)]) {
      const placed = await bench.call("POST", "/orders", tokens.wallet, body);
      assert.equal(placed.status, 200, JSON.stringify([body, placed.body]));
      if (placed.body.status === "NEW") {
        assert.equal((await bench.call("DELETE", `/orders/${placed.body.id}`, tokens.wallet)).status, 200);
      }
    }
    await bench.projector.waitForAll();
  });

  for (const [route, good] of Object.entries(GOOD)) {
    const parts = ["path", "query", "body"] as const;
    const named = parts.flatMap((part) => Object.keys(good[part] ?? {}).map((name) => ({ part, name, with: good })));
    const part = good.body === undefined ? "query" : "body";
    const apart = Object.entries(good.apart ?? {}).map(([name, values]) => ({
      part: part as (typeof parts)[number],
      name,
      with: { ...good, [part]: values },
    }));
    for (const { part, name, with: base } of [...named, ...apart]) {
      it(`SEC-9, WIRE-2: ${route} refuses a ${name} that is none, and nothing changes`, async () => {
        const before_ = await fingerprint();
        for (const value of HOSTILE.filter((hostile) => isAttack(name, hostile, good))) {
          // Paths and queries hold only text.
          if (part !== "body" && (value === null || value === true || typeof value === "object")) continue;
          const reply = await send(route, { ...base, [part]: { ...base[part], [name]: value } });
          const isClamped = name === "limit" && reply.status === 200;
          if (!isClamped) assertRefused(reply, `${route} ${name}=${JSON.stringify(value)?.slice(0, 40)}`);
        }
        assert.equal(await fingerprint(), before_, `${route} changed something`);
      });
    }
  }

  it("WIRE-2: a limit above the maximum is cut, however large; below or malformed is 400", async () => {
    for (const [limit, status] of [
      ["501", 200],
      ["999999999999999", 200],
      ["0", 400],
      ["-5", 400],
      ["", 400],
      ["ten", 400],
      ["1.5", 400],
      ["1e2", 400],
    ] as const) {
      for (const path of ["/account/trades", "/account/income", "/account/events", "/withdraw/list", "/orders"]) {
        const reply = await bench.call("GET", `${path}?limit=${limit}`, tokens.wallet);
        assert.equal(reply.status, status, `${path} limit=${limit}`);
      }
    }
  });

  it("WIRE-7: what is wrong with a request has the code of the bots' interface beside its name", async () => {
    const place = async (change: Values) =>
      (await bench.call("POST", "/orders", tokens.wallet, { ...order, ...change })).body;
    for (const [change, code, exchange_code] of [
      [{ symbol: undefined }, "BAD_REQUEST", -1102],
      [{ quantity: {} }, "BAD_REQUEST", -1102],
      [{ quantity: "many" }, "BAD_REQUEST", -1102],
      [{ stop_price: "high" }, "BAD_REQUEST", -1130],
      [{ price: "-5" }, "PRICE_TICK", -4014],
      [{ price: undefined }, "MISSING_PARAMETER", -1102],
      [{ symbol: "NOPE" }, "INVALID_SYMBOL", -1121],
      [{ side: "UP" }, "INVALID_SIDE", -1117],
    ] as const) {
      const body = await place(change);
      assert.deepEqual([body.code, body.exchange_code], [code, exchange_code], JSON.stringify(change));
      assert.equal(typeof body.details.rule, "string");
    }
  });
});

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>;
  };
}
