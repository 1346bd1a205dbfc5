import "../../../../testing/dom.ts";

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RiskEvent } from "@bourse/api/client";
import { render, screen, within } from "@testing-library/react";
import { RiskEventRows } from "./risk-events.tsx";
import { offMark, riskWords } from "./words.ts";

const event = (more: Partial<RiskEvent>): RiskEvent => ({
  id: "12-0",
  time: Date.UTC(2026, 5, 1, 12),
  kind: "liquidation",
  account: 12,
  counterparty: 7,
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
  ...more,
});

const NO_FILL = { account: null, counterparty: null, side: null, quantity: null, price: null, mark_price: null };
const CAPPED = { kind: "fund_capped", outflow: "5000.129", cap: "5000.00", equity: "100000.00", ...NO_FILL } as const;

describe("FUT-24: risk events on the trade page", () => {
  it("say in words what happened, with accounts by number", () => {
    for (const [more, words] of [
      [{}, "Account 12: long liquidated"],
      [{ side: "BUY" }, "Account 12: short liquidated"],
      [{ kind: "takeover" }, "Account 12: long taken over by the fund"],
      [{ kind: "fund", account: 0 }, "The fund sold what it had taken over"],
      [{ kind: "fund", account: 0, side: "BUY" }, "The fund bought back what it had taken over"],
      [
        { kind: "adl", side: "BUY", reason: "fund_full" },
        "Account 12: short deleveraged, because the fund could hold no more",
      ],
      [{ kind: "adl", reason: "something new" }, "Account 12: long deleveraged"],
      [{ kind: "liquidation", account: 0 }, "The fund: long liquidated"],
      [{ ...CAPPED, until: 1 }, "The fund reached its cap: 5,000.12 of 5,000.00 USDT. Reduce-only meanwhile"],
      [
        { ...CAPPED, until: 0 },
        "The fund reached its cap: 5,000.12 of 5,000.00 USDT. Reduce-only until an operator resumes the market",
      ],
    ] as const) {
      assert.equal(riskWords(event(more)), words);
    }
  });

  it("show size, price and its distance from the mark", () => {
    render(<RiskEventRows events={[event({}), event({ id: "13-0", ...CAPPED })]} baseAsset="BTC" />);
    const [fill, capped] = within(screen.getByRole("list", { name: "Latest risk events" })).getAllByRole("listitem");
    assert.match(fill!.textContent ?? "", /0\.020 BTC at 58,190\.0.*mark 58,200\.0 \(−0\.02 %\)/);
    assert.doesNotMatch(capped!.textContent ?? "", /BTC/);
  });

  it("have no distance where there is no mark", () => {
    assert.equal(offMark(event({ mark_price: null })), undefined);
    assert.equal(offMark(event({ mark_price: "0" })), undefined);
    assert.equal(offMark(event({ price: "58782" })), "0.01");
  });
});
