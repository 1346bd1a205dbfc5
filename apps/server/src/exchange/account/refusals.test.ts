import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, REASONS, WIRE_CODES } from "@bourse/engine";
import { REFUSALS } from "../orders/refusals.ts";
import { engineRefusal } from "./refusals.ts";

describe("refusals of the account area", () => {
  it("WIRE-7: every reason that a client can meet has a name, a text and its exchange code", () => {
    for (const reason of REASONS) {
      if (WIRE_CODES[reason] === 0) continue;
      assert.ok(Object.hasOwn(REFUSALS, reason), `${reason} has no row`);
      const { code, status, message, fields } = engineRefusal({ reason, limit: 1, actual: 2 });
      assert.match(code, /^[A-Z][A-Z0-9_]+$/);
      assert.ok(status >= 400 && status < 500);
      assert.ok(message.length > 5);
      assert.equal(fields["exchange_code"], WIRE_CODES[reason]);
    }
  });

  it("FUT-16: limit and actual are said in the units of the reason", () => {
    const [btc] = FIRST_MARKETS;
    const details = (reason: "margin_insufficient" | "would_trigger" | "bonus_ratio" | "slippage_exceeded") =>
      engineRefusal({ reason, limit: 600_000, actual: 1_500_000 }, btc).details;
    assert.deepEqual(details("margin_insufficient"), { rule: "margin_insufficient", limit: "0.60", actual: "1.50" });
    assert.deepEqual(details("would_trigger"), { rule: "would_trigger", limit: "60000.0", actual: "150000.0" });
    assert.deepEqual(details("bonus_ratio"), { rule: "bonus_ratio", limit: "600.000", actual: "1500.000" });
    assert.deepEqual(details("slippage_exceeded"), { rule: "slippage_exceeded", limit: "0.006", actual: "0.015" });
  });
});
