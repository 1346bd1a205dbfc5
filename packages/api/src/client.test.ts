import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient, RequestRefused } from "./client.ts";
import { fapiErrors } from "./fapi-errors.ts";

interface Call {
  readonly url: string;
  readonly init: RequestInit | undefined;
}

/** A client whose requests go nowhere: it gets the given reply and notes what it was asked. */
function clientWith(reply: unknown, status = 200, accessToken?: () => string | undefined) {
  const calls: Call[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    calls.push({ url: String(url), init });
    return Response.json(reply, { status });
  };
  const client = createClient({ baseUrl: "http://desk.example", fetch, ...(accessToken ? { accessToken } : {}) });
  return { client, calls };
}

describe("typed client", () => {
  it("sends JSON with its content type, and neither without a body", async () => {
    const { client, calls } = clientWith({ nonce: "n" });
    await client.nonce("0xabc");
    await client.config();
    assert.equal(calls[0]!.url, "http://desk.example/api/v1/auth/nonce");
    assert.equal(calls[0]!.init?.method, "POST");
    assert.equal(calls[0]!.init?.body, '{"address":"0xabc"}');
    assert.deepEqual(calls[0]!.init?.headers, { "content-type": "application/json" });
    assert.deepEqual(calls[1]!.init, { method: "GET", headers: {} });
  });

  it("asks for the access token at every call, so that a refreshed one is used at once", async () => {
    let token: string | undefined = "first";
    const { client, calls } = clientWith([], 200, () => token);
    await client.apiKeys();
    token = "second";
    await client.apiKeys();
    token = undefined;
    await client.apiKeys();
    const sent = calls.map(({ init }) => new Headers(init?.headers).get("authorization"));
    assert.deepEqual(sent, ["Bearer first", "Bearer second", null]);
  });

  it("a refusal is thrown with its status, text and body", async () => {
    const { client } = clientWith({ error: "already bound", code: "ALREADY_BOUND" }, 409);
    await assert.rejects(client.jobs(), (error) => {
      assert.ok(error instanceof RequestRefused);
      assert.equal(error.status, 409);
      assert.equal(error.message, "409: already bound");
      assert.deepEqual(error.body, { error: "already bound", code: "ALREADY_BOUND" });
      return true;
    });
  });

  it("of a query only what is given is sent", async () => {
    const { client, calls } = clientWith({});
    await client.earnProducts();
    await client.earnProducts({ status: "settled", page: 2 });
    await client.earnProduct(7);
    assert.deepEqual(
      calls.map(({ url }) => url.replace("http://desk.example", "")),
      ["/earn/products", "/earn/products?status=settled&page=2", "/earn/products/7"],
    );
  });

  it("path parameters are encoded", async () => {
    const { client, calls } = clientWith({});
    await client.revokeApiKey("a/b?c");
    await client.runJob("x y");
    await client.auditLog(7);
    assert.deepEqual(
      calls.map(({ url }) => url.slice("http://desk.example".length)),
      ["/api/v1/account/api-keys/a%2Fb%3Fc", "/api/v1/dev/jobs/x%20y/run", "/api/v1/admin/audit-log?before=7"],
    );
  });
});

describe("codes of the exchange-style interface", () => {
  it("are negative, with a status that fits and the texts existing clients match", () => {
    for (const { code, status, msg } of Object.values(fapiErrors)) {
      assert.ok(Number.isInteger(code) && code < 0);
      assert.ok(status >= 400 && status < 600);
      assert.ok(msg.length > 0);
    }
    assert.equal(fapiErrors.SIGNATURE.msg, "Signature for this request is not valid.");
    assert.equal(fapiErrors.TIMESTAMP.msg, "Timestamp for this request is outside of the recvWindow.");
    assert.equal(fapiErrors.KEY_FORMAT.msg, "API-key format invalid.");
    assert.equal(fapiErrors.KEY_REFUSED.msg, "Invalid API-key, IP, or permissions for action.");
    assert.equal(fapiErrors.UNKNOWN.msg, "Request occur unknown error.");
    assert.match(fapiErrors.THROTTLED.msg, /^Request throttled by system-level protection\..*\(-1008\)$/);
  });
});
