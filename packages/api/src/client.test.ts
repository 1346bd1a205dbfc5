import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { createClient, RequestRefused, ServerUnreachable } from "./client.ts";
import { fapiErrors } from "./fapi-errors.ts";

interface Call {
  readonly url: string;
  readonly init: RequestInit | undefined;
}

const BASE_URL = "http://desk.example";

/** A client without a network: it gets the given response and records its requests. */
function clientWith(answer: () => Response | Promise<Response>, accessToken?: () => string | undefined) {
  const calls: Call[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    calls.push({ url: String(url), init });
    return answer();
  };
  const client = createClient({ baseUrl: BASE_URL, fetch, ...(accessToken ? { accessToken } : {}) });
  const urls = () => calls.map(({ url }) => url.slice(BASE_URL.length));
  return { client, calls, urls };
}

const answering = (reply: unknown) => () => Response.json(reply);
const refusing = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  clientWith(() => Response.json(body, { status, headers })).client;

async function refusalOf(call: Promise<unknown>): Promise<RequestRefused> {
  const error: unknown = await call.then(
    () => assert.fail("it was not refused"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof RequestRefused);
  return error;
}

async function unreachable(call: Promise<unknown>): Promise<ServerUnreachable> {
  const error: unknown = await call.then(
    () => assert.fail("there was an answer"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ServerUnreachable);
  return error;
}

describe("requests of the typed client", () => {
  it("JSON goes with its content type, and neither without a body", async () => {
    const { client, calls } = clientWith(answering({ nonce: "n" }));
    await client.auth.nonce("0xabc");
    await client.operations.config();
    assert.equal(calls[0]!.url, `${BASE_URL}/api/v1/auth/nonce`);
    assert.equal(calls[0]!.init?.method, "POST");
    assert.equal(calls[0]!.init?.body, '{"address":"0xabc"}');
    assert.deepEqual(calls[0]!.init?.headers, { "content-type": "application/json" });
    assert.deepEqual(calls[1]!.init, { method: "GET", headers: {} });
  });

  it("the access token is asked for at every call, so that a refreshed one is used at once", async () => {
    let token: string | undefined = "first";
    const { client, calls } = clientWith(answering([]), () => token);
    await client.account.apiKeys();
    token = "second";
    await client.account.apiKeys();
    token = undefined;
    await client.account.apiKeys();
    const sent = calls.map(({ init }) => new Headers(init?.headers).get("authorization"));
    assert.deepEqual(sent, ["Bearer first", "Bearer second", null]);
  });

  it("of a query only what is given is sent, encoded", async () => {
    const { client, urls } = clientWith(answering({}));
    await client.earn.products();
    await client.earn.products({ status: "settled", page: 2, page_size: undefined });
    await client.account.orders({ cursor: "a+b/c=&d", symbol: "BTCUSDT" });
    await client.operations.auditLog({ before: 7, actor: "näme" });
    await client.market.leverageBrackets();
    await client.market.klines("BTCUSDT", "1m", { limit: 3 });
    assert.deepEqual(urls(), [
      "/earn/products",
      "/earn/products?status=settled&page=2",
      "/api/v1/account/orders?cursor=a%2Bb%2Fc%3D%26d&symbol=BTCUSDT",
      "/api/v1/admin/audit-log?before=7&actor=n%C3%A4me",
      "/fapi/v1/leverageBracket",
      "/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=3",
    ]);
  });

  it("path parameters are encoded", async () => {
    const { client, urls } = clientWith(answering({}));
    await client.account.revokeApiKey("a/b?c");
    await client.dev.runJob("x y");
    await client.earn.product(7);
    assert.deepEqual(urls(), ["/api/v1/account/api-keys/a%2Fb%3Fc", "/api/v1/dev/jobs/x%20y/run", "/earn/products/7"]);
  });

  it("SEC-5: /fapi gets its parameters as a form, on DELETE as a query", async () => {
    const { client, calls, urls } = clientWith(answering({}), () => "token");
    await client.account.setLeverage("BTCUSDT", 20);
    await client.orders.cancelBatch("BTCUSDT", [1, 2]);
    await client.orders.placeBatch([
      { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "1", price: undefined },
    ]);
    await client.orders.placeAlgo({ symbol: "BTCUSDT", side: "SELL", type: "TRAILING_STOP_MARKET", callbackRate: "1" });
    assert.deepEqual(urls(), [
      "/fapi/v1/leverage",
      "/fapi/v1/batchOrders?symbol=BTCUSDT&orderIdList=%5B1%2C2%5D",
      "/fapi/v1/batchOrders",
      "/fapi/v1/algoOrder",
    ]);
    const forms = calls.map(({ init }) => Object.fromEntries(new URLSearchParams(String(init?.body ?? ""))));
    assert.deepEqual(forms, [
      { symbol: "BTCUSDT", leverage: "20" },
      {},
      { batchOrders: '[{"symbol":"BTCUSDT","side":"BUY","type":"MARKET","quantity":"1"}]' },
      {
        algoType: "CONDITIONAL",
        symbol: "BTCUSDT",
        side: "SELL",
        type: "TRAILING_STOP_MARKET",
        callbackRate: "1",
      },
    ]);
    const types = calls.map(({ init }) => new Headers(init?.headers).get("content-type"));
    const form = "application/x-www-form-urlencoded";
    assert.deepEqual(types, [form, null, form, form]);
  });

  it("a download is its text", async () => {
    const csv = "payee,amount,lines\n";
    const { client } = clientWith(() => new Response(csv, { headers: { "content-type": "text/csv; charset=utf-8" } }));
    assert.equal(await client.brokerAdmin.payoutBatchCsv("7"), csv);
    assert.equal(await client.broker.exportRebateRecords({ from: "2026-06-01" }), csv);
    await unreachable(clientWith(() => new Response("<html>")).client.brokerAdmin.payoutBatchCsv("7"));
  });

  it("a platform that cannot serve is no refusal: its checks are the answer", async () => {
    const readiness = { status: "unavailable", checks: { database: { ok: false, detail: "away" } } };
    assert.deepEqual(await refusing(503, readiness).operations.readiness(), readiness);
    const busy = refusing(503, { error: "busy", code: "SERVICE_UNAVAILABLE" });
    assert.equal((await refusalOf(busy.operations.readiness())).code, "SERVICE_UNAVAILABLE");
  });
});

describe("refusals as the typed client throws them", () => {
  it("of the JSON areas: status, code, reason and body", async () => {
    const body = { error: "already bound", code: "ALREADY_BOUND" };
    const error = await refusalOf(refusing(409, body, { "x-request-id": "r-1" }).operations.jobs());
    assert.equal(error.message, "409: already bound");
    const { status, code, reason, exchangeCode, details, retryAfter_s, requestId } = error;
    assert.deepEqual(
      { status, code, reason, exchangeCode, details, retryAfter_s, requestId },
      {
        status: 409,
        code: "ALREADY_BOUND",
        reason: "already bound",
        exchangeCode: undefined,
        details: undefined,
        retryAfter_s: undefined,
        requestId: "r-1",
      },
    );
    assert.deepEqual(error.body, body);
  });

  it("of the account area: with the exchange-style code and details", async () => {
    const details = { rule: "margin", limit: "10.00", actual: "12.00" };
    const body = { error: "the margin is insufficient", code: "MARGIN_INSUFFICIENT", exchange_code: -2019, details };
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET" };
    const error = await refusalOf(refusing(400, body).orders.place(order));
    assert.deepEqual([error.code, error.exchangeCode, error.details], ["MARGIN_INSUFFICIENT", -2019, details]);
  });

  it("of /fapi: the number is the code", async () => {
    const error = await refusalOf(refusing(400, { code: -1121, msg: "Invalid symbol." }).market.depth("NO"));
    assert.deepEqual([error.code, error.exchangeCode, error.reason], ["-1121", -1121, "Invalid symbol."]);
  });

  it("of the bonus area: its lower-case codes", async () => {
    const body = { error: "the code cannot be redeemed", code: "code_not_redeemable" };
    assert.equal((await refusalOf(refusing(400, body).bonus.redeem("X"))).code, "code_not_redeemable");
  });

  it("say how long to wait", async () => {
    const body = { error: "too many", code: "RATE_LIMITED" };
    const waitOf = async (header: string) =>
      (await refusalOf(refusing(429, body, { "retry-after": header }).auth.logout())).retryAfter_s;
    assert.equal(await waitOf("17"), 17);
    assert.equal(await waitOf("soon"), undefined);
    assert.equal(await waitOf(new Date(Date.now() - 60_000).toUTCString()), 0);
  });

  it("JSON that is no refusal of ours still has a code", async () => {
    const error = await refusalOf(refusing(400, ["what"]).operations.jobs());
    assert.deepEqual([error.code, error.reason], ["HTTP_400", "no reason given"]);
  });
});

describe("a server that does not answer", () => {
  it("no connection is no refusal", async () => {
    const { client } = clientWith(() => Promise.reject(new TypeError("fetch failed")));
    const error = await unreachable(client.operations.config());
    assert.equal(error.status, undefined);
    assert.ok(error.cause instanceof TypeError);
  });

  it("nor is a page of something in between, whatever its status", async () => {
    for (const status of [200, 502]) {
      const { client } = clientWith(() => new Response("<html>Bad gateway</html>", { status }));
      assert.equal((await unreachable(client.operations.config())).status, status);
    }
  });

  it("a read that was given up rejects with the signal's reason", async () => {
    const reason = new Error("the page was left");
    const controller = new AbortController();
    const fetch: typeof globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    const client = createClient({ baseUrl: BASE_URL, fetch });
    const call = client.market.markets({ signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await assert.rejects(call, reason);
  });
});

describe("the client in a browser", () => {
  it("brings no schemas along: all that is needed at run time is its own folder", () => {
    const loaded = new Set<string>();
    const visit = (url: URL) => {
      if (loaded.has(url.href)) return;
      loaded.add(url.href);
      const text = readFileSync(url, "utf8");
      for (const [statement, from = ""] of text.matchAll(/^(?:import|export) [^;]*?from "([^"]+)";/gm)) {
        if (/^(?:import|export) type /.test(statement)) continue;
        assert.match(from, /^\.\.?\//, `${url.pathname} needs ${from}`);
        visit(new URL(from, url));
      }
    };
    visit(new URL("./client.ts", import.meta.url));
    const own = new URL("./client", import.meta.url).href;
    for (const href of loaded) assert.ok(href.startsWith(own), `${href} would be in the bundle`);
    assert.ok(loaded.size >= 5);
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
