import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { queryOf, readSocketRequest } from "./socket-request.ts";

const read = (request: unknown) => readSocketRequest(typeof request === "string" ? request : JSON.stringify(request));

/** What cannot be written as JSON becomes null. */
const asJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === "bigint" ? null : part)) ?? "null";

describe("WSA-1: a request over a socket", () => {
  it("WSA-1: has an id, a method and parameters, whose numbers stay as they are written", () => {
    const { id, method, params, refusal } = read(
      '{"id":"a1","method":"order.place","params":{"quantity":1.0,"price":60000.10,"reduceOnly":true,"symbol":"BTCUSDT","newClientOrderId":null,"big":12345678901234567890.5}}',
    );
    assert.deepEqual([id, method, refusal], ["a1", "order.place", undefined]);
    assert.deepEqual(Object.fromEntries(params), {
      quantity: "1.0",
      price: "60000.10",
      reduceOnly: "true",
      symbol: "BTCUSDT",
      big: "12345678901234567890.5",
    });
  });

  it("WSA-1: ids are integers, texts up to 36 characters, or null", () => {
    for (const id of [0, 1, -5, 2 ** 53 - 1, "", "x".repeat(36), null]) {
      const request = read({ id, method: "ping" });
      assert.deepEqual([request.id, request.refusal], [id, undefined]);
    }
    for (const id of [undefined, 1.5, 2 ** 53, "x".repeat(37), true, {}, [1]]) {
      const { id: answered, refusal } = read({ id, method: "ping" });
      assert.deepEqual([answered, refusal?.status, refusal?.code], [null, 400, id === undefined ? -1102 : -1130]);
    }
  });

  it("WSA-1: what is no request is refused with its id, if it has one", () => {
    for (const text of ["", "{", "[]", "1", "null", '"text"', '{"__proto__":{},"id":1,"method":"ping"}']) {
      const { id, refusal } = read(text);
      assert.deepEqual([id, refusal?.code], [null, -1135], text);
    }
    for (const method of [undefined, null, "", 7, {}, "x".repeat(65)]) {
      assert.deepEqual([read({ id: 3, method }).id, read({ id: 3, method }).refusal?.code], [3, -1102]);
    }
    for (const params of [[], "a=1", 5, true, { symbol: {} }, { symbol: ["BTCUSDT"] }]) {
      assert.equal(read({ id: 3, method: "ping", params }).refusal?.code, -1130, JSON.stringify(params));
    }
    assert.equal(read('{"id":3,"method":"ping","params":{"symbol":"\\ud800"}}').refusal?.code, -1100);
  });

  it("WSA-1: any text is read or refused, however deep it is nested", () => {
    const deep = "[".repeat(8_000) + "]".repeat(8_000);
    assert.equal(read(deep).refusal?.code, -1135);
    assert.equal(read(`{"id":1,"method":"ping","params":{"a":${deep}}}`).refusal?.code, -1135);
    const part = fc.oneof(fc.json(), fc.string());
    fc.assert(
      fc.property(
        fc.oneof(part, fc.record({ id: fc.anything(), method: fc.anything(), params: fc.anything() })),
        (made) => {
          const { id, method, params, refusal } = readSocketRequest(typeof made === "string" ? made : asJson(made));
          assert.ok(refusal !== undefined || (id !== undefined && typeof method === "string"));
          queryOf(params);
        },
      ),
    );
  });

  it("WSA-1: becomes the query of an equal HTTP request: sorted, encoded, the signature last", () => {
    const params = { timestamp: 5, signature: "a+b/c=", apiKey: "k", Zeta: "1", newClientOrderId: "a b&c" };
    const { params: given } = read({ id: 1, method: "ping", params });
    assert.equal(queryOf(given), "Zeta=1&apiKey=k&newClientOrderId=a%20b%26c&timestamp=5&signature=a%2Bb%2Fc%3D");
    assert.equal(queryOf(new Map()), "");
  });
});
