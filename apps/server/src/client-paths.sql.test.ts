import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createClient, RequestRefused } from "@bourse/api";
import { clientSamples } from "./testing/client-samples.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "./testing/test-platform.ts";

/** As much of a described route as is compared. */
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>;
  };
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Sent {
  readonly by: string;
  readonly method: string;
  readonly url: URL;
  readonly form: URLSearchParams;
  readonly json: object | undefined;
}

/** Described routes that the client has no method for, and why. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {
  "POST /rpc": "wallet libraries speak JSON-RPC themselves",
  "GET /api/v1/orders": "the same list as /api/v1/account/orders",
  "PUT /api/v1/admin/markets": "the same as with the symbol in the path",
  "PUT /api/v1/admin/switches/withdrawals": "the same as /api/v1/admin/switches",
  "GET /fapi/v1/ping": "/healthz tells more",
  "GET /fapi/v1/ticker/price": "v2 is the newer one",
  "GET /fapi/v1/continuousKlines": "the same as klines: every contract is perpetual",
  "GET /fapi/v2/account": "for bots: account.unified",
  "GET /fapi/v3/account": "for bots: account.unified",
  "GET /fapi/v2/balance": "for bots: account.unified",
  "GET /fapi/v3/balance": "for bots: account.unified",
  "GET /fapi/v1/positionRisk": "v3 is the newest one",
  "GET /fapi/v2/positionRisk": "v3 is the newest one",
  "GET /fapi/v1/income": "for bots: account.income",
  "GET /fapi/v1/userTrades": "for bots: account.trades",
  "GET /fapi/v1/openOrder": "for bots: account.openOrders",
  "GET /fapi/v1/openOrders": "for bots: account.openOrders",
  "GET /fapi/v1/allOrders": "for bots: account.orders",
  "GET /fapi/v1/accountConfig":
    "for bots: says nothing that differs between accounts but the tier, see account.feeInfo",
  "GET /fapi/v1/apiTradingStatus": "for bots: there are no restrictions",
  "GET /fapi/v1/positionSide/dual": "for bots: there is one mode",
  "POST /fapi/v1/positionSide/dual": "for bots: there is one mode",
  "GET /fapi/v1/multiAssetsMargin": "for bots: there is one mode",
  "POST /fapi/v1/multiAssetsMargin": "for bots: there is one mode",
  "GET /fapi/v1/marginType": "for bots: account.marginModes",
  "POST /fapi/v1/marginType": "for bots: account.setMarginMode",
  "POST /fapi/v1/listenKey": "for bots: wallets sign in to /ws with their token",
  "PUT /fapi/v1/listenKey": "for bots: wallets sign in to /ws with their token",
  "DELETE /fapi/v1/listenKey": "for bots: wallets sign in to /ws with their token",
};

/** Calls every method of the client and notes what would have been sent. */
async function recordAll(): Promise<Sent[]> {
  const sent: Sent[] = [];
  let by = "";
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const text = typeof init?.body === "string" ? init.body : "";
    const isForm = new Headers(init?.headers).get("content-type") === "application/x-www-form-urlencoded";
    sent.push({
      by,
      method: init?.method ?? "GET",
      url: new URL(String(url)),
      form: new URLSearchParams(isForm ? text : ""),
      json: isForm || text === "" ? undefined : (JSON.parse(text) as object),
    });
    return new Response("{}", { headers: { "content-type": "text/csv" } });
  };
  const client = createClient({ baseUrl: "http://desk.example", fetch });
  for (const [area, methods] of Object.entries(client)) {
    const samples: Readonly<Record<string, readonly unknown[]>> = clientSamples[area as keyof typeof clientSamples];
    for (const [name, method] of Object.entries(methods as Record<string, (...given: unknown[]) => Promise<unknown>>)) {
      by = `client.${area}.${name}`;
      await method(...(samples[name] ?? assert.fail(`${by} has no sample`)));
    }
  }
  return sent;
}

/** Hands the requests of a client to a platform that listens nowhere. */
const injecting =
  ({ call }: TestPlatform): typeof globalThis.fetch =>
  async (url, init) => {
    const reply = await call({
      method: init?.method === "POST" || init?.method === "PUT" || init?.method === "DELETE" ? init.method : "GET",
      url: String(url),
      headers: { ...Object.fromEntries(new Headers(init?.headers)), host: "127.0.0.1:8080" },
      ...(typeof init?.body === "string" ? { payload: init.body } : {}),
    });
    const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(reply.body, { status: reply.statusCode, headers });
  };

async function refusalOf(call: Promise<unknown>): Promise<RequestRefused> {
  const error: unknown = await call.then(
    () => assert.fail("it was not refused"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof RequestRefused);
  return error;
}

const partsOf = (path: string) => path.split("/");
const isParameter = (part: string) => part.startsWith("{");

/** A literal part of a path is nearer than a parameter: `/orders/open` is not `/orders/{id}`. */
function findRoute(paths: Paths, { method, url }: Sent): string | undefined {
  const asked = partsOf(url.pathname);
  const fitting = Object.keys(paths).filter((path) => {
    const parts = partsOf(path);
    const fits = (part: string, place: number) => part === asked[place] || (isParameter(part) && asked[place] !== "");
    return parts.length === asked.length && parts.every(fits) && paths[path]?.[method.toLowerCase()] !== undefined;
  });
  const parameters = (path: string) => partsOf(path).filter(isParameter).length;
  return fitting.toSorted((a, b) => parameters(a) - parameters(b))[0];
}

/** Parameters of a signed request; a token needs none of them. */
const OF_SIGNATURES = new Set(["timestamp", "recvWindow", "signature"]);

describe("the typed client and the routes of the server", () => {
  let platform: TestPlatform;
  let paths: Paths = {};
  let sent: Sent[] = [];
  const hit = new Set<string>();

  before(async () => {
    platform = await createTestPlatform();
    await platform.app.ready();
    ({ paths = {} } = platform.app.swagger() as unknown as { paths?: Paths });
    sent = await recordAll();
    for (const request of sent) hit.add(`${request.method} ${findRoute(paths, request)}`);
  });
  after(() => platform.close());

  it("every method asks for a described route, once", () => {
    for (const request of sent) {
      assert.ok(findRoute(paths, request), `${request.by}: ${request.method} ${request.url.pathname} is not described`);
    }
    const methods = Object.values(clientSamples).flatMap((area) => Object.keys(area));
    assert.equal(sent.length, methods.length);
  });

  it("sends what the route describes, and all that it demands", () => {
    for (const request of sent) {
      const { parameters = [], requestBody } =
        paths[findRoute(paths, request) ?? ""]?.[request.method.toLowerCase()] ?? {};
      const inQuery = parameters.filter((parameter) => parameter.in === "query" && !OF_SIGNATURES.has(parameter.name));
      const given = [...request.url.searchParams.keys(), ...request.form.keys()];
      const known = inQuery.map(({ name }) => name);
      assert.deepEqual(
        given.filter((name) => !known.includes(name)),
        [],
        `${request.by}: unknown parameters`,
      );
      const demanded = inQuery.filter(({ required }) => required === true).map(({ name }) => name);
      assert.deepEqual(
        demanded.filter((name) => !given.includes(name)),
        [],
        `${request.by}: missing parameters`,
      );
      const { properties = {} } = requestBody?.content["application/json"]?.schema ?? {};
      const unknown = Object.keys(request.json ?? {}).filter((name) => !(name in properties));
      assert.deepEqual(unknown, [], `${request.by}: unknown fields`);
    }
  });

  it("every described route has a method, or a reason why not", () => {
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const missing = described.filter((route) => !hit.has(route) && WITHOUT_METHOD[route] === undefined);
    assert.deepEqual(missing, []);
    const stale = Object.keys(WITHOUT_METHOD).filter((route) => !described.includes(route) || hit.has(route));
    assert.deepEqual(stale, []);
  });

  it("SEC-5: a wallet trades by it, on the account area and on /fapi alike", async () => {
    let token: string | undefined;
    const client = createClient({ baseUrl: "", accessToken: () => token, fetch: injecting(platform) });
    const wallet = testWallet(1);
    const { message_template: message } = await client.auth.nonce(wallet.address);
    ({ access_token: token } = await client.auth.login(message, await wallet.signMessage({ message })));
    const symbol = "BTCUSDT";
    await client.dev.faucet({ address: wallet.address, amount: "10000" });
    await client.dev.pinPrice(symbol, "60000");

    assert.equal((await client.account.setLeverage(symbol, 20)).leverage, 20);
    const order = { symbol, side: "BUY", type: "LIMIT", quantity: "0.01", price: "59000" } as const;
    const placed = await client.orders.place(order);
    const batch = await client.orders.placeBatch([
      { ...order, timeInForce: "GTC" },
      { ...order, price: "1" },
    ]);
    assert.ok("orderId" in batch[0]! && "msg" in batch[1]!);
    const modified = await client.orders.modify({ symbol, orderId: placed.id, quantity: "0.02", price: "58900" });
    assert.equal(modified.origQty, "0.020");
    const trailing = {
      symbol,
      side: "SELL",
      type: "TRAILING_STOP_MARKET",
      callbackRate: "1",
      quantity: "0.01",
    } as const;
    const { algoId } = await client.orders.placeAlgo(trailing);
    assert.equal((await client.account.openOrders({ symbol })).orders.length, 3);
    await client.orders.cancelAlgo({ algoId });
    await client.orders.cancelAll(symbol);
    assert.deepEqual((await client.account.openOrders()).orders, []);

    const events = await client.account.events({ after: 0 });
    const told = events.events.flatMap((event) => (event.channel === "orders" ? [event.data] : []));
    assert.ok(told.some((data) => data.conditional_id === algoId && data.status === "CANCELED"));
    assert.ok(told.some((data) => data.order_id === placed.id && data.status === "CANCELED"));

    const tooMuch = await refusalOf(client.orders.place({ ...order, quantity: "5" }));
    assert.deepEqual([tooMuch.status, tooMuch.code, tooMuch.exchangeCode], [400, "MARGIN_INSUFFICIENT", -2019]);
    const tooHigh = await refusalOf(client.account.setLeverage(symbol, 999));
    assert.deepEqual([tooHigh.status, tooHigh.code, tooHigh.exchangeCode], [400, "-4028", -4028]);
    const notForWallets = await refusalOf(client.brokerAdmin.dashboard());
    assert.deepEqual([notForWallets.status, notForWallets.code], [403, "FORBIDDEN"]);
  });
});
