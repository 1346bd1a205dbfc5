import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bracketIndex, initialMargin, maintenanceMargin, maxNotionalAt } from "./brackets.ts";
import { MAJOR_BRACKETS, OTHER_BRACKETS } from "./market.ts";
import { anyAmount, anyLeverage, assertInteger, assertOverflows, ceilDiv, usdt } from "./testing/oracle.ts";

const anyTable = fc.constantFrom(MAJOR_BRACKETS, OTHER_BRACKETS);
const anyNotional = fc.oneof(
  anyAmount,
  fc
    .tuple(fc.constantFrom(...MAJOR_BRACKETS, ...OTHER_BRACKETS), fc.integer({ min: -3, max: 3 }))
    .map(([row, step]) => row.cap_micros + step),
);

test("FUT-10: a cap belongs to its own bracket, and what is past the last stays in the last", () => {
  assert.equal(bracketIndex(MAJOR_BRACKETS, 0), 0);
  assert.equal(bracketIndex(MAJOR_BRACKETS, usdt(100_000)), 0);
  assert.equal(bracketIndex(MAJOR_BRACKETS, usdt(100_000) + 1), 1);
  assert.equal(bracketIndex(MAJOR_BRACKETS, usdt(20_000_000)), 5);
  assert.equal(bracketIndex(MAJOR_BRACKETS, usdt(30_000_000)), 5);
});

test("FUT-9: maintenance of 30,000 is 300, of 180,000 is 2,600 USDT, and parts of a micro are rounded up", () => {
  assert.equal(maintenanceMargin(MAJOR_BRACKETS, usdt(30_000)), usdt(300));
  assert.equal(maintenanceMargin(MAJOR_BRACKETS, usdt(180_000)), usdt(2_600));
  assert.equal(maintenanceMargin(OTHER_BRACKETS, usdt(180_000)), usdt(12_375));
  assert.equal(maintenanceMargin(MAJOR_BRACKETS, 101), 2);
  assert.equal(maintenanceMargin(MAJOR_BRACKETS, 1), 1);
  assert.equal(maintenanceMargin(MAJOR_BRACKETS, 0), 0);
});

test("FUT-9: maintenance is the exact amount rounded up, continuous and monotonic", () => {
  fc.assert(
    fc.property(anyTable, anyNotional, (table, notional) => {
      const row = table.find((candidate) => notional <= candidate.cap_micros) ?? table.at(-1)!;
      const exact = BigInt(notional) * BigInt(row.maintenanceRate_e8) - BigInt(row.cumulative_micros) * 100_000_000n;
      const margin = maintenanceMargin(table, notional);
      assertInteger(margin, ceilDiv(exact, 100_000_000n));
      assert.equal(margin > 0, notional > 0);
      const step = maintenanceMargin(table, notional + 1) - margin;
      assert.ok(step === 0 || step === 1, `a step of ${step} after ${notional}`);
    }),
  );
});

test("FUT-9: initial margin is notional / leverage, rounded up", () => {
  assert.equal(initialMargin(usdt(30_000), 20), usdt(1_500));
  assert.equal(initialMargin(100, 3), 34);
  fc.assert(
    fc.property(anyNotional, anyLeverage, (notional, leverage) => {
      assertInteger(initialMargin(notional, leverage), ceilDiv(BigInt(notional), BigInt(leverage)));
    }),
  );
  assertOverflows(() => initialMargin(usdt(1), 0));
});

test("FUT-9: a position at its bracket's full leverage is not liquidated at once", () => {
  fc.assert(
    fc.property(anyTable, anyNotional, (table, notional) => {
      const row = table.find((candidate) => notional <= candidate.cap_micros);
      // Below that, both margins are rounded up to the same micros.
      if (row === undefined || notional < 1_000) return;
      assert.ok(maintenanceMargin(table, notional) < initialMargin(notional, row.maxLeverage));
    }),
  );
});

test("FUT-10: the most notional at a leverage", () => {
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 50), usdt(100_000));
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 26), usdt(100_000));
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 25), usdt(500_000));
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 10), usdt(5_000_000));
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 1), usdt(20_000_000));
  assert.equal(maxNotionalAt(MAJOR_BRACKETS, 51), 0);
  assert.equal(maxNotionalAt(OTHER_BRACKETS, 1), usdt(2_000_000));
  assert.equal(maxNotionalAt(OTHER_BRACKETS, 21), 0);
});

test("FUT-10: a notional may be held at a leverage where the row it falls into allows that leverage", () => {
  fc.assert(
    fc.property(anyTable, anyNotional, anyLeverage, (table, notional, leverage) => {
      const held = notional + 1;
      const row = table.find((candidate) => held <= candidate.cap_micros);
      assert.equal(held <= maxNotionalAt(table, leverage), leverage <= (row?.maxLeverage ?? 0));
    }),
  );
});
