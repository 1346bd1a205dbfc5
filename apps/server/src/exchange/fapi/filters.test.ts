import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Body, limitOrder as limit, marketOrder as market, ok, refused, useDesk } from "./testing.ts";

/** Adds a number of steps to decimal text; the result has the decimals of the step. */
function moved(text: string, step: string, steps: number): string {
  const digits = step.split(".")[1]?.length ?? 0;
  const whole = (value: string) => {
    const [before = "0", after = ""] = value.split(".");
    return BigInt(before + after.padEnd(digits, "0"));
  };
  const sum = String(whole(text) + BigInt(steps) * whole(step)).padStart(digits + 1, "0");
  return digits === 0 ? sum : `${sum.slice(0, -digits)}.${sum.slice(-digits)}`;
}

describe("the filters of exchangeInfo are those that are enforced", () => {
  const desk = useDesk();
  const { alice, place } = desk;

  async function filtersOf(symbol: string): Promise<Record<string, Record<string, string>>> {
    const { symbols } = ok<{ symbols: (Body & { filters: Record<string, string>[] })[] }>(
      await desk.bench.call("GET", "/fapi/v1/exchangeInfo"),
    );
    const { filters } = symbols.find((each) => each["symbol"] === symbol)!;
    return Object.fromEntries(filters.map((filter) => [filter["filterType"], filter]));
  }

  it("PRICE_FILTER: the lowest and the highest price pass, one step beyond and between the steps do not", async () => {
    await desk.bench.seedFund();
    const { PRICE_FILTER } = await filtersOf("BTCUSDT");
    const { minPrice, maxPrice, tickSize } = PRICE_FILTER!;
    ok(await place(alice, limit({ price: minPrice, quantity: "100" })));
    refused(await place(alice, limit({ price: moved(minPrice!, tickSize!, -1), quantity: "100" })), -4014);
    ok(await place(alice, limit({ side: "SELL", price: maxPrice, quantity: "0.001" })));
    refused(await place(alice, limit({ side: "SELL", price: moved(maxPrice!, tickSize!, 1) })), -4016);
    refused(await place(alice, limit({ price: "59000.05" })), -4014);
    refused(await place(alice, limit({ price: "59000.001" })), -1111);
  });

  it("LOT_SIZE and MARKET_LOT_SIZE: the smallest passes, less is -1013, more than the largest -4005", async () => {
    const { LOT_SIZE, MARKET_LOT_SIZE } = await filtersOf("BTCUSDT");
    const { minQty, maxQty, stepSize } = LOT_SIZE!;
    assert.deepEqual({ ...MARKET_LOT_SIZE, filterType: "LOT_SIZE" }, LOT_SIZE);
    for (const order of [limit, market]) {
      ok(await place(alice, order({ quantity: minQty })));
      refused(await place(alice, order({ quantity: "0.0009" })), -1013, "Filter failure: LOT_SIZE.");
      refused(await place(alice, order({ quantity: moved(minQty!, stepSize!, -1) })), -4003);
      refused(await place(alice, order({ quantity: maxQty })), -1013, "Filter failure: MAX_NOTIONAL.");
      refused(await place(alice, order({ quantity: moved(maxQty!, stepSize!, 1) })), -4005);
    }
    assert.equal(ok(await place(alice, limit({ price: "59000", quantity: "0.0019" })))["origQty"], "0.001");
  });

  it("MIN_NOTIONAL: exactly it passes, a tick less does not", async () => {
    await desk.bench.price("ETHUSDT", 2_600);
    const { MIN_NOTIONAL } = await filtersOf("ETHUSDT");
    assert.equal(MIN_NOTIONAL!["notional"], "5");
    ok(await place(alice, limit({ symbol: "ETHUSDT", price: "2500.00", quantity: "0.002" })));
    refused(
      await place(alice, limit({ symbol: "ETHUSDT", price: "2499.99", quantity: "0.002" })),
      -1013,
      "Filter failure: MIN_NOTIONAL.",
    );
  });

  it("PERCENT_PRICE: at the bound passes, a tick beyond is -4016 for buys and -4024 for sells", async () => {
    const { PERCENT_PRICE } = await filtersOf("BTCUSDT");
    assert.deepEqual([PERCENT_PRICE!["multiplierUp"], PERCENT_PRICE!["multiplierDown"]], ["1.0500", "0.9500"]);
    ok(await place(alice, limit({ price: "63000.0", quantity: "0.001" })));
    refused(await place(alice, limit({ price: "63000.1", quantity: "0.001" })), -4016);
    ok(await place(alice, limit({ side: "SELL", price: "57000.0", quantity: "0.001", timeInForce: "IOC" })));
    refused(await place(alice, limit({ side: "SELL", price: "56999.9", quantity: "0.001" })), -4024);
  });
});
