import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductStatus } from "@bourse/api/client";
import { movesOf, statusWords } from "./moves.ts";

const START = "2026-06-02T00:00:00.000Z";
const at = (status: ProductStatus, now: string, settlement_delayed = false) =>
  movesOf({ status, subscribe_start_time: START, settlement_delayed }, Date.parse(now));

describe("ERN-1: what is offered for a product", () => {
  it("parameters can be changed until the subscription starts, in every state", () => {
    assert.equal(at("created", "2026-06-01T23:59:59Z").canChangeParameters, true);
    assert.equal(at("created", START).canChangeParameters, false);
    assert.match(at("created", START).next, /parameters are final/);
    assert.equal(at("subscribing", "2026-06-01T00:00:00Z").canChangeParameters, false);
  });

  it("funding and cancelling until it is settled", () => {
    for (const status of ["created", "subscribing", "active"] as const) {
      const { canFund, canCancel } = at(status, START);
      assert.deepEqual([canFund, canCancel], [true, true], status);
    }
    for (const status of ["settled", "ended", "cancelled"] as const) {
      const { canFund, canCancel, canChangeParameters } = at(status, START);
      assert.deepEqual([canFund, canCancel, canChangeParameters], [false, false, false], status);
    }
  });

  it("says what is missing when time is up", () => {
    assert.match(at("active", START, true).next, /interest is missing/);
    assert.deepEqual(statusWords({ status: "active", settlement_delayed: true }), {
      label: "interest missing",
      tone: "warn",
    });
  });
});
