import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChainRefused, refusalOf } from "./refusals.ts";

const reasonOf = (error: unknown) => {
  const refusal = refusalOf(error);
  return refusal instanceof ChainRefused ? refusal.reason : undefined;
};

describe("refusals of chain and wallet", () => {
  it("finds the contract's error behind whatever is wrapped around it", () => {
    const reverted = Object.assign(new Error("reverted"), { data: { errorName: "VoucherExpired" } });
    const refusal = refusalOf(new Error("call failed", { cause: new Error("execution", { cause: reverted }) }));
    assert.ok(refusal instanceof ChainRefused);
    assert.equal(refusal.reason, "VoucherExpired");
    assert.match(refusal.message, /voucher has expired/i);
  });

  it("tells a person who declined from a wallet without gas and a chain that is silent", () => {
    assert.equal(reasonOf(new Error("x", { cause: Object.assign(new Error("denied"), { code: 4001 }) })), "declined");
    assert.equal(reasonOf(new Error("x", { cause: new Error("sender doesn't have enough funds to send tx") })), "gas");
    assert.equal(reasonOf(new Error("HTTP request failed.")), "unreachable");
  });

  it("leaves what it does not know as it is", () => {
    const error = new Error("something else");
    assert.equal(refusalOf(error), error);
    assert.equal(refusalOf("text").message, "text");
  });
});
