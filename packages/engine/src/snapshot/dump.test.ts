import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NEXT_RULES, RULES_WITH_REFERENCES } from "../rules/version.ts";
import { checkInvariants, dumpState } from "./dump.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import { busyEngine } from "./testing/busy-engine.ts";
import { decimal, textTable } from "./text-table.ts";

const { state } = busyEngine(8, 2_000, RULES_WITH_REFERENCES).engine;
const freshState = () => readSnapshot(writeSnapshot(state)).state;

describe("dump", () => {
  it("is the same text for the same state, and differs in the line that differs", () => {
    const text = dumpState(state);
    const other = freshState();
    assert.equal(dumpState(other), text);
    other.accounts.setTermsVersion(3, 77);
    const changed = dumpState(other).split("\n");
    const lines = text.split("\n").filter((line, at) => changed[at] !== line);
    assert.deepEqual(
      lines.map((line) => line.trim().split(" ")[0]),
      ["hash", "3"],
    );
  });

  it("shows every market, account, symbol, order and conditional order, or says how many it leaves out", () => {
    const text = dumpState(state);
    const counts = [3, 41, state.positions.count, state.pool.taken, state.conditionals.count];
    const titles = ["Markets", "Accounts", "Symbols of accounts", "Open orders", "Conditional orders"];
    const rowsOf = (section: string) => section.split("\n").filter((line) => line.startsWith("  ")).length - 1;
    const sections = text.split("\n\n").slice(-5);
    assert.deepEqual(
      sections.map((section) => section.split("\n")[0]),
      titles.map((title, at) => `${title} (${counts[at]})`),
    );
    assert.deepEqual(sections.map(rowsOf), counts);
    assert.match(dumpState(state, { maxRows: 5 }), new RegExp(`… and ${state.pool.taken - 5} more`));
  });

  it("FUT-22: from version 5 on it shows rules, fund, fair bonuses and held gains", () => {
    const fair = busyEngine(8, 2_000, NEXT_RULES).engine.state;
    fair.fairness.hold(3, 7, 1_500_000);
    const text = dumpState(fair);
    for (const title of ["Rules of markets (3)", "The fund in markets (3)", "Fair bonuses", "Held gains"]) {
      assert.ok(text.includes(title), title);
    }
    assert.equal(dumpState(readSnapshot(writeSnapshot(fair)).state), text);
  });

  it("BRK-8: shows an account's own terms and whom it follows", () => {
    const other = freshState();
    other.accounts.setTermsVersion(3, 77);
    other.accounts.setTermsLeader(3, 40);
    other.accounts.setTermsLeader(4, 0);
    const lines = dumpState(other).split("\n");
    const header = lines.find((line) => line.includes("discount bps"))!;
    const cell = (account: number, title: string): string => {
      const row = lines.filter((line) => line.trim().startsWith(`${account} `))[0]!;
      const end = header.indexOf(title) + title.length;
      return row.slice(end - title.length, end).trim();
    };
    assert.deepEqual([cell(3, "terms"), cell(3, "follows")], ["77", "40"]);
    assert.equal(cell(4, "follows"), "");
  });

  it("gives prices and amounts in USDT, quantities in the base asset", () => {
    const market = state.markets[0]!;
    const rows = dumpState(state).split("\n");
    const btc = rows.find((row) => row.startsWith("  BTCUSDT"))!;
    assert.equal(btc.split(/ +/)[3], (market.markTicks / 10).toFixed(1));
    const fund = rows.find((row) => row.startsWith("  fund"))!;
    assert.equal(Number(fund.split(/ +/)[2]) * 1e6, state.accounts.principal(0));
  });

  it("INV-1: says whether both sides agree", () => {
    assert.deepEqual(checkInvariants(state).hold, true);
    assert.match(dumpState(state), /INV-1: \d+\.\d{6} USDT are held, .*: they agree/);
    const other = freshState();
    other.accounts.addPrincipal(1, 2_500_000);
    assert.equal(checkInvariants(other).hold, false);
    assert.match(dumpState(other), /THEY DIFFER by 2\.500000/);
  });

  it("INV-2: names the market whose positions do not add up", () => {
    const other = freshState();
    other.positions.setHolding(1, other.positions.lots(1) + 1, other.positions.cost(1));
    const { symbol } = other.markets[other.positions.market(1)]!.definition;
    assert.equal(checkInvariants(other).hold, false);
    assert.match(dumpState(other), new RegExp(`INV-2: the positions of ${symbol} DO NOT ADD UP`));
  });
});

describe("text table", () => {
  it("writes decimals exactly", () => {
    assert.equal(decimal(0n, 6), "0.000000");
    assert.equal(decimal(-1n, 6), "-0.000001");
    assert.equal(decimal(-12_345_678n, 6), "-12.345678");
    assert.equal(decimal(6_000_000_000_000n, 8, 1), "60000.0");
    assert.equal(decimal(6_000_000_000_000n, 8, 0), "60000");
    assert.equal(decimal(12_345_000n, 8, 1), "0.12345");
  });

  it("puts numbers to the right and names to the left", () => {
    const lines = textTable(
      ["name", "n"],
      [
        ["a", "1"],
        ["long name", "-22.5"],
      ],
    );
    assert.deepEqual(lines, ["  name           n", "  a              1", "  long name  -22.5"]);
  });
});
