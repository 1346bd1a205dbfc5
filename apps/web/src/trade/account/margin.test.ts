import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PositionData, UnifiedAccount } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { BTC } from "../ticket/testing.ts";
import {
  costOf,
  liveFigures,
  maintenanceMargin,
  pnlAt,
  ratioOf,
  returnOnMargin,
  withPosition,
  withPositions,
} from "./margin.ts";

const dec = Decimal.parse;
/** Long 0.7 BTC at a cost of 42,200: entry 60,285.7142858, which is rounded and must not be reckoned with. */
const LONG = {
  symbol: "BTCUSDT",
  side: "LONG",
  quantity: "0.700",
  entry_price: "60285.7142858",
  mark_price: "61000.0",
  notional: "42700.00",
  unrealized_pnl: "500.00",
  leverage: 10,
  margin_mode: "cross",
  isolated_margin: "0.00",
} as const;
const POSITION = { ...LONG, liquidation_price: "54000.0", initial_margin: "4270.00", maintenance_margin: "427.00" };
const ACCOUNT = {
  margin_balance: "10500.00",
  unrealized_pnl: "500.00",
  initial_margin: "4270.00",
  maintenance_margin: "427.00",
  positions: [POSITION],
} as unknown as UnifiedAccount;

describe("PnL as the engine has it", () => {
  it("FUT-9: from the cost, not from the shown entry price", () => {
    assert.equal(costOf(LONG).toString(), "42200");
    assert.equal(pnlAt(LONG, "60000").toString(), "-200");
    assert.equal(pnlAt({ ...LONG, quantity: "-0.700", unrealized_pnl: "-500.00" }, "60000").toString(), "200");
  });

  it("the return is on the margin that the position was opened with", () => {
    assert.equal(returnOnMargin(dec("422"), LONG), "0.1");
    assert.equal(returnOnMargin(dec("1"), { ...LONG, quantity: "0", unrealized_pnl: "0" }), undefined);
  });

  it("FUT-9, FUT-10: maintenance by bracket, a cap belonging to its own", () => {
    assert.equal(maintenanceMargin(BTC.brackets, dec("30000")).toString(), "300");
    assert.equal(maintenanceMargin(BTC.brackets, dec("180000")).toString(), "2600");
    assert.equal(maintenanceMargin(BTC.brackets, dec("100000")).toString(), "1000");
    assert.equal(maintenanceMargin(BTC.brackets, dec("0.00005")).toString(), "0.000001");
  });

  it("the account follows the marks", () => {
    const live = liveFigures(ACCOUNT, [BTC], () => "60000");
    assert.equal(live.unrealized_pnl.toString(), "-200");
    assert.equal(live.margin_balance.toString(), "9800");
    assert.equal(live.available.toString(), "5530");
    assert.equal(live.maintenance_margin.toString(), "420");
    assert.equal(live.margin_ratio, "0.04285714");
    assert.equal(liveFigures(ACCOUNT, [BTC], () => undefined).margin_balance.toString(), "10500");
  });

  it("liquidation is at 1", () => {
    assert.equal(ratioOf(dec("300"), dec("300")), "1");
    assert.equal(ratioOf(dec("300"), dec("-5")), "1");
    assert.equal(ratioOf(Decimal.ZERO, Decimal.ZERO), "0");
  });
});

describe("positions of the stream", () => {
  const told: PositionData = { ...LONG, quantity: "0.900", time: 1 };

  it("keep what the stream does not say until it is read again", () => {
    const [position] = withPosition(ACCOUNT, told).positions;
    assert.deepEqual([position?.quantity, position?.liquidation_price], ["0.900", "54000.0"]);
  });

  it("come and go", () => {
    const both = withPosition(ACCOUNT, { ...told, symbol: "ETHUSDT" });
    assert.deepEqual(
      both.positions.map(({ symbol }) => symbol),
      ["BTCUSDT", "ETHUSDT"],
    );
    assert.deepEqual(
      withPosition(both, { ...told, side: "FLAT" }).positions.map(({ symbol }) => symbol),
      ["ETHUSDT"],
    );
    assert.deepEqual(
      withPositions(both, [{ ...told, symbol: "SOLUSDT" }]).positions.map(({ symbol }) => symbol),
      ["SOLUSDT"],
    );
  });
});
