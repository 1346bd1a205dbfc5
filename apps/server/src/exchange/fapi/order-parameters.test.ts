import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Bench, type Body, createBench, ok, type Parameters, refused } from "./testing.ts";

const LIMIT: Parameters = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.1",
  price: "60000",
};
const STOP: Parameters = {
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP",
  quantity: "0.1",
  price: "58000",
  stopPrice: "59000",
};
const MARKET: Parameters = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.1" };

/** Texts that are not numbers. */
const NO_NUMBERS = [
  "abc",
  "1e3",
  "NaN",
  "Infinity",
  "0x10",
  "1,5",
  "+1",
  "--1",
  "1.2.3",
  ".",
  "-",
  "１",
  "1 000",
  "9".repeat(41),
];
const HOSTILE = [
  "'; drop table x; --",
  "__proto__",
  "constructor",
  "<script>",
  "\u0000",
  "../../etc/passwd",
  "{}",
  "x".repeat(5000),
];

/** A parameter, invalid values for it, and the code each gets in an otherwise valid order. */
type Row = readonly [parameter: string, values: readonly (string | undefined)[], code: number, order?: Parameters];

const ROWS: readonly Row[] = [
  ["symbol", [undefined, ""], -1102],
  ["symbol", ["btcusdt", "NOPEUSDT", ...HOSTILE], -1121],
  ["side", [undefined, ""], -1102],
  ["side", ["buy", "LONG", "0", ...HOSTILE], -1117],
  ["type", [undefined, ""], -1102],
  ["type", ["limit", "OCO", "LIMIT_MAKER", ...HOSTILE], -1116],
  ["timeInForce", [undefined, ""], -1102],
  ["timeInForce", ["GTD"], -1102],
  ["timeInForce", ["gtc", "gtd", "DAY", ...HOSTILE], -1115],
  [
    "goodTillDate",
    ["0", "-1", "1.5", "tomorrow", "253402300799000", ...HOSTILE],
    -5040,
    { ...LIMIT, timeInForce: "GTD" },
  ],
  ["quantity", [undefined, "", ...NO_NUMBERS, ...HOSTILE], -1102],
  ["quantity", ["0", "0.000", "-0", "-1", "-0.1"], -4003],
  ["quantity", ["0.0009", "0.00000000000001"], -1013],
  ["quantity", ["99999999999999999999", "9000000000000"], -4005],
  ["price", [undefined, "", ...NO_NUMBERS, ...HOSTILE], -1102],
  ["price", ["0", "-0", "-60000", "60000.05", "60000.15"], -4014],
  ["price", ["60000.123", "60000.00000001", "0.000000000000001"], -1111],
  ["price", ["63000.1", "1677721.6", "99999999999999999999"], -4016],
  ["price", ["56999.9", "1"], -4024, { ...LIMIT, side: "SELL" }],
  ["quoteOrderQty", [...NO_NUMBERS, ...HOSTILE], -1130, { ...MARKET, quantity: undefined }],
  ["quoteOrderQty", ["0", "-1"], -4003, { ...MARKET, quantity: undefined }],
  ["quoteOrderQty", ["0.0000001", "59"], -1013, { ...MARKET, quantity: undefined }],
  ["quoteOrderQty", ["1000000001", "99999999999999999999"], -4005, { ...MARKET, quantity: undefined }],
  ["quoteOrderQty", ["100"], -1128],
  ["quoteOrderQty", ["100"], -1128, { ...STOP, quantity: undefined }],
  ["stopPrice", [undefined, "", ...NO_NUMBERS, ...HOSTILE], -1102, STOP],
  ["stopPrice", ["0", "-1", "59000.05"], -4014, STOP],
  ["stopPrice", ["59000.001"], -1111, STOP],
  ["stopPrice", ["1677721.6"], -4016, STOP],
  ["stopPrice", ["60000", "61000"], -2021, STOP],
  ["stopPrice", ["59000"], -1106],
  ["stopPrice", ["59000"], -1106, MARKET],
  ["stopPrice", [...NO_NUMBERS, ...HOSTILE], -1130],
  ["price", ["60000"], -1106, MARKET],
  ["price", ["60000"], -1106, { ...STOP, type: "STOP_MARKET" }],
  ["timeInForce", ["GTC"], -1114, MARKET],
  ["reduceOnly", ["yes", "1", "0", "null", ...HOSTILE], -1130],
  ["closePosition", ["yes", "1", ...HOSTILE], -1130],
  ["closePosition", ["true"], -4136],
  ["closePosition", ["true"], -4137, { ...STOP, type: "STOP_MARKET", price: undefined }],
  ["priceProtect", ["maybe", ...HOSTILE], -1130, STOP],
  ["workingType", ["LAST_PRICE", "mark_price", ...HOSTILE], -1130, STOP],
  ["positionSide", ["LONG", "SHORT", "both", ...HOSTILE], -4061],
  ["newClientOrderId", ["a b", "x".repeat(37), "bourse-1", "<script>", "\u0000", "{}", "ä"], -4015],
  ["newOrderRespType", ["FULL", "ack", ...HOSTILE], -1136],
  ["selfTradePreventionMode", ["none", "DECREMENT", ...HOSTILE], -1130],
  ["priceMatch", ["QUEUE", "OPPONENT", ...HOSTILE], -5037],
  ["priceMatch", ["QUEUE", "OPPONENT"], -5038, { ...MARKET, price: undefined }],
];

describe("the parameters of a new order", () => {
  let bench: Bench;
  let alice: string;

  before(async () => {
    bench = await createBench();
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
  });
  after(() => bench.close());

  const place = (parameters: Parameters) => bench.call("POST", "/fapi/v1/order", parameters, alice);
  /** The state without the command number, which rises even if the engine refuses a command. */
  const openThings = async () =>
    JSON.stringify([
      ok(await bench.call("GET", "/fapi/v1/openOrders", {}, alice)),
      ok(await bench.call("GET", "/fapi/v2/account", {}, alice)),
      bench.engine.state.lastOrderId,
    ]);

  for (const [parameter, values, code, order = LIMIT] of ROWS) {
    const kind = order["type"];
    it(`FUT-16: ${code} for ${values.length} bad values of ${parameter} in ${kind}, and nothing changes`, async () => {
      for (const value of values) {
        const commands = bench.engine.state.commandNumber;
        const hash = bench.hash();
        const before_ = await openThings();
        refused(await place({ ...order, [parameter]: value }), code);
        const isSubmitted = bench.engine.state.commandNumber > commands;
        if (isSubmitted) assert.equal(await openThings(), before_, `${parameter}=${value}`);
        else assert.equal(bench.hash(), hash, `${parameter}=${value}`);
      }
    });
  }

  it("FUT-16: the first check that fails is the answer: presence, enum, combination, symbol, precision, engine", async () => {
    const bad = {
      ...LIMIT,
      symbol: "NOPE",
      side: "NORTH",
      quantity: "0.1",
      price: "60000.12345",
      positionSide: "LONG",
    };
    refused(await place({ ...bad, timeInForce: undefined }), -1102);
    refused(await place({ ...LIMIT, price: undefined, closePosition: "maybe", reduceOnly: "maybe" }), -1102, /'price'/);
    refused(await place({ ...MARKET, quantity: undefined, price: "abc" }), -1102, /'quantity'/);
    refused(await place({ ...LIMIT, side: "NORTH", reduceOnly: "maybe" }), -1130);
    refused(await place(bad), -1117);
    refused(await place({ ...bad, side: "BUY" }), -4061);
    refused(await place({ ...bad, side: "BUY", positionSide: "BOTH" }), -1121);
    refused(await place({ ...bad, side: "BUY", positionSide: "BOTH", symbol: "BTCUSDT" }), -1111);
    const tooMuch = { ...LIMIT, price: "70000", quantity: "1000" };
    refused(await place(tooMuch), -4016);
    refused(await place({ ...tooMuch, price: "60000" }), -1013, "Filter failure: MAX_NOTIONAL.");
    refused(await place({ ...tooMuch, price: "60000", quantity: "100" }), -2027);
  });

  it("FUT-26: who leaves the price to nobody is told that it is missing", async () => {
    refused(await place({ ...LIMIT, price: undefined, priceMatch: "NONE" }), -1102, /'price'/);
  });

  it("unknown parameters are ignored, empty optional ones are absent, prices of 0 on market orders are none", async () => {
    const order = ok(
      await place({ ...LIMIT, price: "58000", useV2: "true", newClientOrderId: "", stopPrice: "", "a[]": "1" }),
    );
    assert.equal(order["status"], "NEW");
    refused(await place({ ...MARKET, price: "0", quantity: "0" }), -4003);
  });

  it("T8: query and body may be mixed, and the query wins", async () => {
    const reply = await bench.callForm(
      "POST",
      "/fapi/v1/order?side=SELL&price=61000",
      "symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=.1&price=60000",
      alice,
    );
    const order = ok<Body>(reply);
    assert.deepEqual([order["side"], order["price"], order["origQty"]], ["SELL", "61000.0", "0.100"]);
  });

  it("hostile requests are refused before anything is read: duplicates -1101, broken escapes -1100", async () => {
    const hash = bench.hash();
    refused(await bench.callForm("POST", "/fapi/v1/order", "symbol=BTCUSDT&symbol=ETHUSDT", alice), -1101);
    refused(await bench.callForm("POST", "/fapi/v1/order", "symbol=%zz", alice), -1100);
    const flood = Array.from({ length: 101 }, (_, i) => `p${i}=1`).join("&");
    refused(await bench.callForm("POST", "/fapi/v1/order", flood, alice), -1101);
    assert.equal(bench.hash(), hash);
  });

  it("SEC-11: a refused request opens no account for its wallet", async () => {
    refused(await bench.call("POST", "/fapi/v1/order", { ...LIMIT, side: "X" }, "0xstranger"), -1117);
    assert.equal(bench.accounts.has("0xstranger"), false);
    refused(await bench.call("POST", "/fapi/v1/order", LIMIT, "0xstranger"), -2019);
    assert.equal(bench.accounts.has("0xstranger"), false);
  });
});
