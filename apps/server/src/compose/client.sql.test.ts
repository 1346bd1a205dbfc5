import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createClient, RequestRefused } from "@bourse/api";
import { createTestPlatform, type TestPlatform, testWallet } from "../testing/test-platform.ts";

/** Passes a client's requests to a platform that does not listen on a port. */
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

describe("the typed client and the routes of the server", () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await createTestPlatform();
  });
  after(() => platform.close());

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
    assert.equal((await client.account.openOrders({ symbol })).items.length, 3);
    await client.orders.cancelAlgo({ algoId });
    await client.orders.cancelAll(symbol);
    assert.deepEqual((await client.account.openOrders()).items, []);

    const events = await client.account.events({ after: 0 });
    const told = events.items.flatMap((event) => (event.channel === "orders" ? [event.data] : []));
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
