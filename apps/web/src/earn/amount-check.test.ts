import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EarnSubscription, RequestRefused } from "@bourse/api/client";
import { amountProblemOf, checkAmount, heldIn, roomFor } from "./amount-check.ts";

const product = {
  min_amount: "10000000",
  max_amount_per_user: "1000000000",
  available_quota: "600000000",
  status: "subscribing",
} as const;
const NOTHING = { held: 0n, wallet: undefined };
const problemOf = (text: string, holdings: { held: bigint; wallet: bigint | undefined } = NOTHING) => {
  const checked = checkAmount(text, product, holdings);
  return checked.kind === "wrong" ? checked.problem : checked.kind;
};

describe("ERN-3: the amount of a subscription", () => {
  it("is good from the least to the most", () => {
    assert.deepEqual(checkAmount("10", product, NOTHING), { kind: "good", units: 10_000_000n, tokens: "10" });
    assert.equal(problemOf("600"), "good");
    assert.equal(problemOf(""), "empty");
  });

  it("is refused in words, in the order of the interface", () => {
    assert.equal(problemOf("9.999999"), "The minimum is 10.00 USDT.");
    // Above the maximum and above the quota: the maximum is looked at first.
    assert.equal(problemOf("1000.000001"), "The maximum for one user is 1,000.00 USDT.");
    assert.equal(problemOf("700"), "Only 600.00 USDT is left of the quota.");
    assert.equal(problemOf("50", { held: 0n, wallet: 20_000_000n }), "Your wallet holds 20.00 USDT.");
  });

  it("counts what is held already", () => {
    const holdings = { held: 700_000_000n, wallet: undefined };
    assert.equal(
      problemOf("300.5", holdings),
      "The maximum for one user is 1,000.00 USDT. You hold 700.00 USDT of it, so 300.00 USDT more.",
    );
    assert.equal(roomFor(product, holdings), 300_000_000n);
    assert.equal(roomFor(product, NOTHING), 600_000_000n);
    assert.equal(roomFor(product, { held: 0n, wallet: 5n }), 5n);
    assert.equal(roomFor(product, { held: 2_000_000_000n, wallet: undefined }), 0n);
  });

  it("puts the exchange's own refusals of an amount at the field, and no others", () => {
    const refused = (code: string) => new RequestRefused(400, { error: "no", code });
    for (const code of ["INVALID_AMOUNT", "AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH", "QUOTA_EXCEEDED"]) {
      assert.ok(amountProblemOf(refused(code)), code);
    }
    assert.equal(amountProblemOf(refused("SUBSCRIPTION_CLOSED")), undefined);
    assert.equal(amountProblemOf(new Error("no")), undefined);
  });

  it("knows what is held, and that what was paid out is not", () => {
    const position = (nft_status: string) => ({ product_id: "a", principal: "5", nft_status }) as EarnSubscription;
    assert.equal(heldIn([position("minted")], "a"), 5n);
    assert.equal(heldIn([position("redeemed")], "a"), 0n);
    assert.equal(heldIn([position("minted")], "b"), 0n);
    assert.equal(heldIn(undefined, "a"), 0n);
  });
});
