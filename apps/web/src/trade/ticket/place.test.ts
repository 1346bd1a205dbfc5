import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type FapiAlgoOrder,
  type FapiOrder,
  type PlacedOrder,
  RequestRefused,
  ServerUnreachable,
} from "@bourse/api/client";
import { newClientOrderId, place } from "./place.ts";
import type { OrderToSend } from "./request.ts";

const ORDER: OrderToSend = {
  path: "account",
  request: { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01", client_order_id: "web-1" },
};
const lostReply = new RequestRefused(503, { error: "…", code: "OUTCOME_UNKNOWN", exchange_code: -1006 });
const noSuchOrder = new RequestRefused(400, { code: -2013, msg: "Order does not exist." });
const silence = new ServerUnreachable(undefined, new TypeError("fetch failed"));
const found = { orderId: 42, status: "FILLED", executedQty: "0.010" } as FapiOrder;

/** An exchange that answers from a list, and remembers what it was asked. */
function scripted(reply: unknown, lookups: readonly unknown[]) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const answer = <T>(value: unknown): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value as T);
  let next = 0;
  const lookUp = <T>(name: string): Promise<T> => {
    asked.push(name);
    next += 1;
    return answer<T>(lookups[next - 1]);
  };
  const orders = {
    place: () => {
      asked.push("place");
      return answer<PlacedOrder>(reply);
    },
    placeAlgo: () => {
      asked.push("placeAlgo");
      return answer<FapiAlgoOrder>(reply);
    },
    find: ({ origClientOrderId }: { readonly origClientOrderId?: string | undefined }) =>
      lookUp<FapiOrder>(`find ${origClientOrderId}`),
    findAlgo: ({ clientAlgoId }: { readonly clientAlgoId?: string | undefined } = {}) =>
      lookUp<FapiAlgoOrder>(`findAlgo ${clientAlgoId}`),
  };
  const wait = (pause_ms: number) => {
    pauses.push(pause_ms);
    return Promise.resolve();
  };
  return { options: { orders, wait }, asked, pauses };
}

describe("placing an order once", () => {
  it("passes on what the exchange says", async () => {
    const { options, asked } = scripted({ id: 7 }, []);
    assert.deepEqual(await place(ORDER, options), { kind: "placed", order: { id: 7 } });
    assert.deepEqual(asked, ["place"]);
  });

  it("a refusal is an answer: nothing is looked up", async () => {
    for (const refusal of [
      new RequestRefused(400, { error: "…", code: "MARGIN_INSUFFICIENT", exchange_code: -2019 }),
      new RequestRefused(503, { error: "…", code: "SYSTEM_BUSY", exchange_code: -1008 }),
      new RequestRefused(503, { error: "…", code: "SERVICE_UNAVAILABLE", exchange_code: -1016 }),
    ]) {
      const { options, asked } = scripted(refusal, []);
      await assert.rejects(place(ORDER, options), refusal);
      assert.deepEqual(asked, ["place"]);
    }
  });

  it("after a lost reply it asks by the client id and never sends again", async () => {
    for (const doubt of [lostReply, silence, new RequestRefused(502, "<html>")]) {
      const { options, asked } = scripted(doubt, [silence, found]);
      const outcome = await place(ORDER, options);
      assert.deepEqual(outcome, { kind: "found", id: 42, status: "FILLED", executed: "0.010" });
      assert.deepEqual(asked, ["place", "find web-1", "find web-1"]);
    }
  });

  it("believes that it was not placed only when told so three times", async () => {
    const { options, asked } = scripted(silence, [noSuchOrder, noSuchOrder, noSuchOrder]);
    assert.deepEqual(await place(ORDER, options), { kind: "not_placed" });
    assert.equal(asked.length, 4);
    const late = scripted(silence, [noSuchOrder, noSuchOrder, found]);
    assert.equal((await place(ORDER, late.options)).kind, "found");
  });

  it("admits that it does not know when nobody answers", async () => {
    const { options, pauses } = scripted(
      silence,
      Array.from({ length: 9 }, () => silence),
    );
    assert.deepEqual(await place(ORDER, options), { kind: "unknown" });
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
  });

  it("looks a trailing stop up where those are", async () => {
    const request = { symbol: "BTCUSDT", side: "SELL", type: "TRAILING_STOP_MARKET", clientAlgoId: "web-2" } as const;
    const { options, asked } = scripted(lostReply, [{ algoId: 5, algoStatus: "NEW" }]);
    const outcome = await place({ path: "algo", request }, options);
    assert.deepEqual(outcome, { kind: "found", id: 5, status: "NEW", executed: "0" });
    assert.deepEqual(asked, ["placeAlgo", "findAlgo web-2"]);
  });

  it("gives every order an id of its own, in the characters that are allowed", () => {
    const ids = Array.from({ length: 100 }, newClientOrderId);
    assert.equal(new Set(ids).size, 100);
    for (const id of ids) assert.match(id, /^[.A-Z:/a-z0-9_-]{1,36}$/);
  });
});
