import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keccak256, toHex } from "viem";
import { vaultIdOf } from "../../wallet/withdrawal-id.ts";
import { csvOf, sha256Of } from "./payees-csv.ts";
import { parseTakeRef, takeRef, vaultPayoutIdOf } from "./payout-id.ts";
import { inPortions } from "./portions.ts";

const BATCH = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("a batch's CSV and names", () => {
  const payees = [
    { payee: `0x${"b".repeat(40)}`, amount_micros: 30_000_000n, line_count: 3 },
    { payee: `0x${"0a".repeat(20)}`, amount_micros: 1n, line_count: 1 },
    { payee: `0x${"9".repeat(40)}`, amount_micros: 1_234_567_890_123n, line_count: 2 },
  ];

  it("BRK-14: rows in the order of addresses, six decimals, LF at the end of every line", () => {
    const text = [
      "payee,amount,lines",
      "0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a,0.000001,1",
      "0x9999999999999999999999999999999999999999,1234567.890123,2",
      "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,30.000000,3",
      "",
    ].join("\n");
    assert.equal(csvOf(payees).toString("utf8"), text);
    assert.equal(sha256Of(csvOf(payees)), sha256Of(csvOf(payees.toReversed())));
    assert.equal(sha256Of(Buffer.from("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("BRK-14: many rows are written some at a time, each of them once", () => {
    assert.deepEqual(
      [...inPortions(7, 3)],
      [
        { first: 1, last: 3 },
        { first: 4, last: 6 },
        { first: 7, last: 7 },
      ],
    );
    assert.deepEqual([...inPortions(0)], []);
    assert.deepEqual([...inPortions(5_000)], [{ first: 1, last: 5_000 }]);
  });

  it("BRK-14: the Vault knows a batch by an id that no withdrawal can have", () => {
    const id = vaultPayoutIdOf(BATCH);
    assert.equal(id, keccak256(toHex(`bourse:rebate-payout:${BATCH}`)));
    assert.notEqual(id, vaultIdOf(BATCH));
    assert.ok(!id.endsWith("0".repeat(32)));
  });

  it("BRK-14: the command that asks the fee account is known by its name", () => {
    assert.equal(takeRef({ id: BATCH, attempt: 2 }), `payout-take:${BATCH}:2`);
    assert.deepEqual(parseTakeRef(takeRef({ id: BATCH, attempt: 2 })), { id: BATCH, attempt: 2 });
    for (const other of ["deposit:chain:0x1:0", "withdrawal-hold:1", "payout-take", "payout:1:2"]) {
      assert.equal(parseTakeRef(other), undefined, other);
    }
  });
});
