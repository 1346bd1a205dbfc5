import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountOrderRequest } from "@bourse/api";
import { Engine, FIRST_MARKETS } from "@bourse/engine";
import { FapiError } from "../../kernel/errors.ts";
import { FapiParameters } from "../../kernel/http/parameters.ts";
import { findMarket } from "../account/markets.ts";
import { readOrder as readJson } from "../account/order-request.ts";
import { asAccountRefusal } from "../account/refusals.ts";
import { Markets } from "../fapi/markets.ts";
import { readOrder as readText } from "../fapi/order-request.ts";

/** An order in the words of the JSON interface; `undefined` takes a field away. */
type Asked = Readonly<Record<string, string | boolean | undefined>>;

const TEXT_NAMES: Readonly<Record<string, string>> = {
  time_in_force: "timeInForce",
  quote_quantity: "quoteOrderQty",
  stop_price: "stopPrice",
  reduce_only: "reduceOnly",
  close_position: "closePosition",
  working_type: "workingType",
  client_order_id: "newClientOrderId",
};

const engine = new Engine();
for (const definition of FIRST_MARKETS) engine.apply({ kind: "add_market", time_ms: 1, definition });
const markets = new Markets(engine);

/** The command, or the code and rule of the refusal: what must not depend on the way an order takes. */
function outcomeOf(read: () => { readonly command: object; readonly isExempt: boolean }): unknown {
  try {
    const { command, isExempt } = read();
    return { command, isExempt };
  } catch (error) {
    if (error instanceof FapiError) return { code: error.code, rule: error.details?.rule, limit: error.details?.limit };
    const refusal = asAccountRefusal(error);
    if (refusal === undefined) throw error;
    return { code: refusal.fields["exchange_code"], rule: refusal.details?.rule, limit: refusal.details?.limit };
  }
}

const present = (asked: Asked) => Object.entries(asked).filter(([, value]) => value !== undefined);

function byText(asked: Asked): unknown {
  const pairs = present(asked).map(
    ([name, value]) => `${TEXT_NAMES[name] ?? name}=${encodeURIComponent(String(value))}`,
  );
  return outcomeOf(() => readText(new FapiParameters(pairs.join("&"), ""), markets));
}

const byJson = (asked: Asked): unknown =>
  outcomeOf(() =>
    readJson(
      Object.fromEntries(present(asked)) as unknown as AccountOrderRequest,
      (symbol) => findMarket({ engine }, symbol),
      engine.state,
    ),
  );

const limit: Asked = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  time_in_force: "GTC",
  quantity: "0.1",
  price: "60000",
};
const market: Asked = { symbol: "BTCUSDT", side: "SELL", type: "MARKET", quantity: "0.1" };
const stop: Asked = {
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP",
  quantity: "0.1",
  price: "58000",
  stop_price: "59000",
};
const stopMarket: Asked = { ...stop, type: "STOP_MARKET", price: undefined };
const byAmount: Asked = { ...market, quantity: undefined };

const PRICES = ["0", "-1", "60000.0", "60000.10", "60000.05", "60000.123", "60000.00000001", "0.1", "1677721.5"];
const LARGE = ["1677721.6", "99999999999999999999"];
const SIZES = ["0", "-0", "-1", "0.001", "0.0019", "0.0009", "0.00000000000001", "8796093022.208", "9000000000000"];
const AMOUNTS = ["0", "-1", "5", "0.0000001", "0.0000019", "1000000000", "1000000001", "99999999999999999999"];
const CLIENT_IDS = ["a", "x".repeat(36), "x".repeat(37), "a b", "ä", "bourse-", "bourse-1", "bourse-123456789012345"];
const OWN_IDS = ["bourse-1234567890123456", "bourse-00000000000000000000000000001", "bourse-1x", "Bourse-1"];

/** Values of one field, in an order that is fine otherwise. */
const ROWS: readonly (readonly [
  field: string,
  values: readonly (string | boolean | undefined)[],
  orders: readonly Asked[],
])[] = [
  ["symbol", ["BTCUSDT", "AVAXUSDT", "NOPEUSDT", "__proto__"], [limit, market, stop]],
  ["side", ["BUY", "SELL", "LONG", "constructor"], [limit, market, stopMarket]],
  [
    "type",
    ["LIMIT", "MARKET", "STOP", "STOP_LIMIT", "TAKE_PROFIT", "ICEBERG", "__proto__"],
    [limit, { ...stop, time_in_force: "GTC" }],
  ],
  ["type", ["MARKET", "STOP_MARKET", "TAKE_PROFIT_MARKET", "TAKE_PROFIT_LIMIT"], [market, stop, stopMarket]],
  ["time_in_force", ["GTC", "IOC", "FOK", "GTX", "DAY"], [limit, stop, stopMarket]],
  ["quantity", [undefined, ...SIZES], [limit, market, stop, stopMarket]],
  ["price", [undefined, ...PRICES, ...LARGE], [limit, market, stop, stopMarket]],
  ["stop_price", [undefined, ...PRICES, ...LARGE], [limit, market, stop, stopMarket]],
  ["quote_quantity", [undefined, ...AMOUNTS], [limit, byAmount, stop, { ...stopMarket, quantity: undefined }]],
  ["reduce_only", [true, false], [limit, market, stop, stopMarket]],
  ["close_position", [true, false], [limit, market, stop, stopMarket, { ...stopMarket, quantity: undefined }]],
  ["reduce_only", [true, false], [{ ...stopMarket, quantity: undefined, close_position: true }]],
  ["working_type", ["CONTRACT_PRICE", "MARK_PRICE"], [limit, stop, stopMarket]],
  ["client_order_id", ["", ...CLIENT_IDS, ...OWN_IDS], [limit, market, stop]],
];

describe("one order, two doors", () => {
  for (const [field, values, orders] of ROWS) {
    it(`FUT-16, WIRE-7: ${field} is read alike as text and as JSON (${values.length * orders.length} orders)`, () => {
      for (const order of orders) {
        for (const value of values) {
          const asked = { ...order, [field]: value };
          assert.deepEqual(byJson(asked), byText(asked), JSON.stringify(asked));
        }
      }
    });
  }

  it("FUT-16: of several faults both find the same one first", () => {
    const faults: Asked = {
      symbol: "NOPE",
      side: "NORTH",
      client_order_id: "a b",
      price: "1.23456",
      quote_quantity: "5",
    };
    const left = { ...limit, ...faults } as Record<string, string | boolean | undefined>;
    const found = new Set<unknown>();
    for (const field of ["side", "client_order_id", "quote_quantity", "symbol", "price"]) {
      assert.deepEqual(byJson(left), byText(left), field);
      found.add((byText(left) as { code: number }).code);
      left[field] = limit[field];
    }
    assert.deepEqual([...found], [-1117, -4015, -1128, -1121, -1111]);
    assert.ok("command" in (byText(left) as object));
  });

  it("FUT-16: a number that is none is -1102 where the order needs it, -1130 where it does not", () => {
    const codes = (asked: Asked) => [byText, byJson].map((read) => (read(asked) as { code?: number }).code);
    for (const value of ["many", "1e3", "0x10", "1,5", "+1", "1.2.3", "NaN"]) {
      assert.deepEqual(codes({ ...limit, quantity: value }), [-1102, -1102], value);
      assert.deepEqual(codes({ ...limit, price: value }), [-1102, -1102], value);
      assert.deepEqual(codes({ ...stop, stop_price: value }), [-1102, -1102], value);
      assert.deepEqual(codes({ ...byAmount, quote_quantity: value }), [-1130, -1130], value);
      assert.deepEqual(codes({ ...limit, stop_price: value }), [-1130, -1130], value);
    }
  });

  it("WIRE-11: one decimal more than the tick has is off the tick (-4014), two are too many (-1111)", () => {
    for (const read of [byText, byJson]) {
      assert.deepEqual(read({ ...limit, price: "59000.01" }), { code: -4014, rule: "tick_size", limit: "0.1" });
      assert.deepEqual(read({ ...limit, price: "59000.001" }), { code: -1111, rule: "precision", limit: 2 });
    }
  });

  it("FUT-3: the form bourse-<number> is the exchange's, however long the number is", () => {
    for (const client_order_id of ["bourse-7", "bourse-1234567890123456", "bourse-00000000000000000000000000001"]) {
      const refused = { code: -4015, rule: "client_id", limit: undefined };
      assert.deepEqual(
        [byText, byJson].map((read) => read({ ...limit, client_order_id })),
        [refused, refused],
      );
    }
  });

  it("WIRE-7: what differs is how a client may say it: case, an absent and a needless time in force", () => {
    const code = (asked: Asked) => (byText(asked) as { code?: number }).code;
    const plain = byJson(limit);
    assert.deepEqual(byJson({ ...limit, symbol: "btcusdt", side: "buy", type: "limit", time_in_force: "gtc" }), plain);
    assert.deepEqual(byJson({ ...limit, time_in_force: undefined }), plain);
    assert.deepEqual(byJson({ ...market, time_in_force: "GTC" }), byJson(market));
    assert.deepEqual(
      [
        { ...limit, side: "buy" },
        { ...limit, time_in_force: undefined },
        { ...market, time_in_force: "GTC" },
      ].map(code),
      [-1117, -1102, -1114],
    );
  });
});
