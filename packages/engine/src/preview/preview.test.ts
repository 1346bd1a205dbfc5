import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GTC, IOC } from "../book/codes.ts";
import { LIMIT, MARKET } from "../contract/codes.ts";
import { PLAIN_ORDER } from "../contract/commands.ts";
import { Engine } from "../engine.ts";
import { definitionOf, FIRST_MARKETS } from "../rules/market.ts";
import { BUY, SELL } from "../side.ts";
import { stateHash } from "../snapshot/state-hash.ts";
import { previewOrder } from "./preview.ts";
import type { OrderDraft } from "./rehearsal.ts";

const usdt = (amount: number) => amount * 1_000_000;
const time_ms = Date.UTC(2026, 0, 1);

const MARKET_BUY: OrderDraft = {
  ...PLAIN_ORDER,
  market: 0,
  side: BUY,
  type: MARKET,
  timeInForce: IOC,
  lots: 500,
};

/** BTCUSDT at 60,000: account 1 offers 0.2 at 60,000 and 0.3 at 60,010, account 2 has 1,000 USDT at 50x. */
function exchange(): Engine {
  const engine = new Engine();
  engine.apply({ kind: "add_market", time_ms, definition: definitionOf(FIRST_MARKETS[0]!) });
  engine.apply({ kind: "set_price", time_ms, market: 0, indexTicks: 600_000, markTicks: 600_000 });
  for (const [account, amount] of [
    [1, 1_000_000],
    [2, 1_000],
  ] as const) {
    engine.apply({ kind: "open_account", time_ms, account });
    engine.apply({ kind: "deposit", time_ms, number: account, account, amount_micros: usdt(amount) });
  }
  engine.apply({ kind: "set_leverage", time_ms, account: 2, market: 0, leverage: 50 });
  const ask = { ...MARKET_BUY, side: SELL, type: LIMIT, timeInForce: GTC, account: 1, time_ms };
  engine.apply({ ...ask, ticks: 600_000, lots: 200 });
  engine.apply({ ...ask, ticks: 600_100, lots: 300 });
  return engine;
}

describe("previewing an order", () => {
  it("FUT-18: gives the figures of what would match at once, and changes nothing", () => {
    const engine = exchange();
    const hash = stateHash(engine.state);
    // 0.2 at 60,000 and 0.3 at 60,010: 30,003; taker fee 0.05 %; margin at the mark 30,000 / 50.
    assert.deepEqual(previewOrder(engine, 2, MARKET_BUY), {
      kind: "taken",
      figures: {
        lots: 500,
        executedLots: 500,
        restingLots: 0,
        executed_micros: usdt(30_003),
        notional_micros: usdt(30_003),
        takerFee_micros: usdt(15.0015),
        makerFee_micros: 0,
        feeFromBonus_micros: 0,
        slippage_e8: 10_000,
        leverage: 50,
        margin_micros: usdt(600),
        marginFromBonus_micros: 0,
        // (30,003 − 984.9985) / (0.5 × 0.99) USDT, in ticks of 0.1, rounded up.
        liquidation_microTicks: 586_222_252_526,
        positionLots: 500,
        realised_micros: 0,
        available_micros: usdt(381.9985),
        balance_micros: usdt(981.9985),
      },
    });
    assert.equal(stateHash(engine.state), hash);
  });

  it("FUT-18: what rests counts as filled at its price with the maker's fee", () => {
    const preview = previewOrder(exchange(), 2, { ...MARKET_BUY, type: LIMIT, timeInForce: GTC, ticks: 590_000 });
    assert.ok(preview.kind === "taken");
    const { figures } = preview;
    assert.deepEqual([figures.executedLots, figures.restingLots, figures.positionLots], [0, 500, 500]);
    assert.deepEqual([figures.takerFee_micros, figures.makerFee_micros], [0, usdt(5.9)]);
    assert.equal(figures.margin_micros, usdt(590));
  });

  it("FUT-18: refuses what the engine would refuse, with the same bounds", () => {
    const engine = exchange();
    const order = { ...MARKET_BUY, type: LIMIT, timeInForce: GTC, ticks: 600_000, lots: 900 };
    const preview = previewOrder(engine, 2, order);
    assert.ok(preview.kind === "refused");
    const { reason, limit, actual } = preview.refusal;
    assert.deepEqual({ reason, limit, actual }, engine.checkOrder({ ...order, account: 2, time_ms }));
    assert.equal(reason, "margin_insufficient");
    assert.equal(previewOrder(engine, undefined, order).kind, "refused");
  });
});
