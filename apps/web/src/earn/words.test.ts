import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductDetail, ProductStatus } from "@bourse/api/client";
import { collectable, inOrder, nextMoment, productWords } from "./words.ts";

const STATUSES: readonly ProductStatus[] = ["created", "subscribing", "active", "settled", "ended", "cancelled"];
const product = (status: ProductStatus) =>
  ({
    status,
    is_sold_out: false,
    settlement_delayed: false,
    subscribe_start_time: "start",
    subscribe_end_time: "end",
    settle_time: "settle",
  }) as ProductDetail;

describe("products in words", () => {
  it("names every state and what one waits for in it", () => {
    assert.deepEqual(
      STATUSES.map((status) => [productWords(product(status)).label, nextMoment(product(status))?.at]),
      [
        ["Opens soon", "start"],
        ["Open", "end"],
        ["Running", "settle"],
        ["Settled", undefined],
        ["Ended", undefined],
        ["Cancelled", undefined],
      ],
    );
  });

  it("puts what is open first, and keeps the order among equals", () => {
    const products = STATUSES.toReversed().map(product);
    assert.deepEqual(
      inOrder([...products, { ...product("subscribing"), name: "older" }]).map(({ status, name }) => name ?? status),
      ["subscribing", "older", "created", "active", "settled", "cancelled", "ended"],
    );
  });

  it("says what stands in the way", () => {
    assert.equal(productWords({ ...product("subscribing"), is_sold_out: true }).label, "Sold out");
    assert.deepEqual(productWords({ ...product("active"), settlement_delayed: true }), {
      label: "Payout delayed",
      tone: "warn",
    });
  });
});

it("takes principal and interest of what has matured, and the principal of what was cancelled", () => {
  const amounts = { total_return: "110", principal: "100" };
  assert.deepEqual(collectable({ status: "claimable", ...amounts }), { call: "claim", units: "110" });
  assert.deepEqual(collectable({ status: "refundable", ...amounts }), { call: "emergencyClaim", units: "100" });
  for (const status of ["active", "claimed", "refunded"] as const) {
    assert.equal(collectable({ status, ...amounts }), undefined);
  }
});
