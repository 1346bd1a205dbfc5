import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Deposit, Withdrawal } from "@bourse/api/client";
import { isOpen, movementsOf } from "./movements.ts";

const deposit = (tx_hash: string, created_time: number) => ({ tx_hash, created_time, status: "credited" }) as Deposit;
const withdrawal = (id: string, created_time: number) => ({ id, created_time }) as Withdrawal;

describe("deposits and withdrawals", () => {
  it("stand in one list, the newest first", () => {
    const movements = movementsOf([deposit("0xb", 30), deposit("0xa", 10)], [withdrawal("w", 20)]);
    assert.deepEqual(
      movements.map(({ kind, time }) => `${kind} ${time}`),
      ["deposit 30", "withdrawal 20", "deposit 10"],
    );
  });

  it("are told apart, also those of one transaction, and keep their names when a new one comes", () => {
    const idsOf = (deposits: readonly Deposit[]) => movementsOf(deposits, []).map(({ id }) => id);
    const before = idsOf([deposit("0xa", 10), deposit("0xa", 10)]);
    assert.equal(new Set(before).size, 2);
    assert.deepEqual(idsOf([deposit("0xb", 20), deposit("0xa", 10), deposit("0xa", 10)]).slice(1), before);
  });

  it("are looked at again while they are on their way", () => {
    const statuses = ["requested", "sent", "credited", "refused", "confirmed", "rejected"] as const;
    assert.deepEqual(
      statuses.filter((status) => isOpen({ status } as Withdrawal)),
      ["requested", "sent"],
    );
  });
});
