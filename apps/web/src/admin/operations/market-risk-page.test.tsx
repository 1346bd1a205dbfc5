import "../../../testing/dom.ts";

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FundMarket, FundReport } from "@bourse/api/client";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { FundFigures, FundMarkets } from "./market-risk-page.tsx";

const market = (symbol: string, more: Partial<FundMarket> = {}): FundMarket => ({
  symbol,
  status: "trading",
  outflow: "120.00",
  cap: "1000.00",
  inventory: "-0.120",
  inventory_value: "7200.00",
  inventory_limit: "1.600",
  inventory_since: null,
  capped: false,
  capped_since: null,
  capped_until: null,
  ...more,
});

const report = (items: readonly FundMarket[], rules_version = 5): FundReport => ({
  rules_version,
  principal: "100000.00",
  equity: "99880.00",
  highest_24h: "100000.00",
  outflow: "120.00",
  items: [...items],
  total: items.length,
  next_cursor: null,
});

describe("the fund on the console", () => {
  it("INV-10: shows equity, principal and what it lost", () => {
    render(<FundFigures report={report([])} />);
    for (const label of ["Equity", "Principal", "Highest in 24 hours", "Lost in this hour"]) {
      assert.ok(screen.getByText(label), label);
    }
    assert.ok(screen.getByText(/99,880\.00/));
  });

  it("INV-10: the outflow is a bar against its cap, and only a capped market can be resumed", () => {
    const tasks: unknown[] = [];
    const capped = market("AVAXUSDT", { capped: true, status: "reduce_only", outflow: "1000.00" });
    render(<FundMarkets report={report([market("BTCUSDT"), capped])} onTask={(task) => tasks.push(task)} />);
    const bar = screen.getByRole("progressbar", { name: "Lost in BTCUSDT" });
    assert.equal(bar.getAttribute("aria-valuenow"), "12");
    assert.equal(screen.getByRole("progressbar", { name: "Lost in AVAXUSDT" }).getAttribute("aria-valuenow"), "100");
    const resume = screen.getAllByRole("button", { name: "Resume" });
    assert.equal(resume.length, 1);
    fireEvent.click(resume[0]!);
    const table = screen.getByRole("table", { name: "The fund by market" });
    fireEvent.click(within(table).getAllByRole("button", { name: "Rules" })[0]!);
    assert.deepEqual(tasks, [
      { kind: "resume", symbol: "AVAXUSDT" },
      { kind: "rules", symbol: "BTCUSDT" },
    ]);
  });

  it("FUT-2: before rules version 5 there are no rules to change", () => {
    render(<FundMarkets report={report([market("BTCUSDT")], 4)} onTask={() => assert.fail()} />);
    const button = screen.getByRole("button", { name: "Rules" });
    assert.ok(button.hasAttribute("disabled"));
    fireEvent.click(button);
  });
});
