import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anyone, development } from "../../apps/server/src/kernel/http/access.ts";
import { judge, type Reply } from "../../scripts/fuzz/http/judge.ts";
import { operationsOf } from "../../scripts/fuzz/http/operations.ts";
import type { FuzzRequest } from "../../scripts/fuzz/http/requests.ts";
import { closeCode } from "../../scripts/fuzz/sockets/raw-client.ts";
import { frame } from "../../scripts/fuzz/sockets/raw-frames.ts";

const [json, fapi, rpc] = operationsOf(
  { paths: { "/api/v1/config": { get: {} }, "/fapi/v1/depth": { get: {} }, "/rpc": { post: {} } } },
  {
    "GET /api/v1/config": anyone,
    "GET /fapi/v1/depth": { area: "fapi", allow: "anyone", weight: 5 },
    "POST /rpc": development,
  },
);

function asked(operation = json): FuzzRequest {
  const { method, path } = operation!;
  const how = { actor: "nobody", isAllowed: true, style: "values" } as const;
  return { operation: operation!, ...how, method, url: path, headers: {}, payload: undefined };
}

const HEADERS = { "content-type": "application/json; charset=utf-8", "x-request-id": "a-1" };
const reply = (statusCode: number, body: unknown, headers: Record<string, string> = HEADERS): Reply => ({
  statusCode,
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

const refusal = { error: "no", code: "BAD_REQUEST" };
const fapiRefusal = { code: -1102, msg: "no" };

describe("what a reply is judged by", () => {
  it("finds nothing wrong with a refusal in its area's form, or with what was asked for", () => {
    assert.deepEqual(judge(asked(), reply(400, refusal)), []);
    assert.deepEqual(judge(asked(), reply(400, { ...refusal, details: { rule: "a" } })), []);
    assert.deepEqual(judge(asked(fapi), reply(400, fapiRefusal)), []);
    assert.deepEqual(judge(asked(rpc), reply(200, { jsonrpc: "2.0", id: 1, result: null })), []);
    assert.deepEqual(judge(asked(), reply(200, [])), []);
  });

  const wrong: Readonly<Record<string, readonly [FuzzRequest, Reply, RegExp]>> = {
    "an error on our side": [asked(), reply(500, refusal), /answered with 500/],
    "an error on our side that is documented elsewhere": [
      asked(),
      reply(503, { error: "no", code: "WITHDRAWALS_PAUSED" }),
      /answered with 503/,
    ],
    "the form of another area": [asked(fapi), reply(400, refusal), /wrong form/],
    "the other way round": [asked(), reply(400, fapiRefusal), /wrong form/],
    "a code in small letters": [asked(), reply(400, { error: "no", code: "bad" }), /the code bad is none/],
    "something more in it": [asked(), reply(400, { ...refusal, stack: "" }), /stack as well/],
    "no request id": [asked(), reply(400, refusal, { "content-type": "application/json" }), /x-request-id/],
    "a page instead of JSON": [
      asked(),
      reply(404, "<html>", { ...HEADERS, "content-type": "text/html" }),
      /content type/,
    ],
    "half a body": [asked(), reply(200, '{"a":'), /no JSON/],
    "a stack": [asked(), reply(400, { ...refusal, error: "at Object.run (file.ts:1:2)" }), /body says/],
    "words of the database": [
      asked(),
      reply(400, { ...refusal, error: "invalid input syntax for type uuid" }),
      /body says/,
    ],
    "a query": [asked(), reply(400, { ...refusal, error: "select a from b where c" }), /body says/],
    "a chain that failed": [
      asked(rpc),
      reply(200, { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "x" } }),
      /the chain failed/,
    ],
  };
  for (const [what, [request, given, problem]] of Object.entries(wrong)) {
    it(`SEC-9: finds ${what}`, () => assert.match(judge(request, given).join("; "), problem));
  }
});

describe("the code of a close", () => {
  it("is found behind other frames, and nowhere else", () => {
    const close = frame(Buffer.from([3, 0xea]), { opcode: 8, isMasked: false });
    const text = frame(Buffer.alloc(300, 97), { opcode: 1, isMasked: false });
    assert.equal(closeCode(Buffer.concat([text, close])), 1002);
    assert.equal(closeCode(text), undefined);
    assert.equal(closeCode(close.subarray(0, 1)), undefined);
  });
});
