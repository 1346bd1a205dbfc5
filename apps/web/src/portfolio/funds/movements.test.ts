import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Withdrawal } from "@bourse/api/client";
import { creditAfter, movementsOf, newestTransfer } from "./movements.ts";

const transfer = (id: string, amount: string, time: number) => ({ id, amount, time });
const withdrawal = (id: string, amount: string, created_time: number, status: Withdrawal["status"]) =>
  ({ id, amount, created_time, status }) as Withdrawal;
const idsOf = (...parameters: Parameters<typeof movementsOf>) => movementsOf(...parameters).map(({ id }) => id);

describe("deposits and withdrawals", () => {
  it("stand in one list, the newest first", () => {
    const transfers = [transfer("1", "100.00", 10), transfer("2", "-40.00", 20), transfer("3", "5.5", 30)];
    assert.deepEqual(idsOf(transfers, [withdrawal("w", "40.00", 20, "confirmed")]), ["deposit 3", "w", "deposit 1"]);
  });

  it("do not show the money of a rejected withdrawal as a deposit", () => {
    const transfers = [transfer("1", "40.00", 5), transfer("2", "-40.00", 20), transfer("3", "40.00", 25)];
    assert.deepEqual(idsOf(transfers, [withdrawal("w", "40.00", 20, "rejected")]), ["w", "deposit 1"]);
  });

  it("show a deposit of the same amount after a withdrawal that was refused at once", () => {
    const transfers = [transfer("1", "40.00", 25)];
    assert.deepEqual(idsOf(transfers, [withdrawal("w", "40.00", 20, "rejected")]), ["deposit 1", "w"]);
  });
});

describe("a deposit on its way", () => {
  it("is credited by a later transfer of its amount", () => {
    const before = newestTransfer([transfer("9", "100", 1), transfer("10", "100", 2)]);
    assert.equal(before, 10n);
    const later = [transfer("11", "7", 3), transfer("12", "100.00", 4)];
    assert.equal(creditAfter([transfer("10", "100", 2)], before, "100"), undefined);
    assert.equal(creditAfter(later, before, "100")?.id, "12");
    assert.equal(newestTransfer([]), -1n);
  });
});
