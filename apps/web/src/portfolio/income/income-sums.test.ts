import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountIncome } from "@bourse/api/client";
import { incomeCsv, incomeName, sumsByType } from "./income-sums.ts";

const row = (type: string, amount: string, more: Partial<AccountIncome> = {}): AccountIncome => ({
  id: "1",
  type,
  amount,
  symbol: null,
  trade_id: null,
  time: Date.UTC(2026, 5, 1, 12, 0, 5),
  ...more,
});

describe("income", () => {
  it("adds up by type to the last unit", () => {
    const rows = [row("COMMISSION", "-0.100001"), row("REALIZED_PNL", "12.5"), row("COMMISSION", "-0.200002")];
    assert.deepEqual(sumsByType(rows), [
      { type: "REALIZED_PNL", amount: "12.5", count: 1 },
      { type: "COMMISSION", amount: "-0.300003", count: 2 },
    ]);
  });

  it("shows types that it does not know under their own name", () => {
    assert.equal(incomeName("COMMISSION"), "Trading fee");
    assert.equal(incomeName("SOMETHING_NEW"), "SOMETHING_NEW");
    assert.deepEqual(
      sumsByType([row("SOMETHING_NEW", "1"), row("COMMISSION", "1")]).map(({ type }) => type),
      ["COMMISSION", "SOMETHING_NEW"],
    );
  });

  it("is exported exactly, and never as a formula", () => {
    const csv = incomeCsv([row("COMMISSION", "-0.100001", { symbol: "BTCUSDT", trade_id: 7 }), row("=1+1", "5")]);
    assert.deepEqual(csv.split("\r\n"), [
      "id,time_utc,type,symbol,amount_usdt,trade_id",
      "1,2026-06-01 12:00:05 UTC,COMMISSION,BTCUSDT,-0.100001,7",
      "1,2026-06-01 12:00:05 UTC,'=1+1,,5,",
      "",
    ]);
  });
});
