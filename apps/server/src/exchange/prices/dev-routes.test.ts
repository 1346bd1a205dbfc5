import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fastify } from "fastify";
import { ApiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import { compileValidator } from "../../kernel/http/validation.ts";
import { registerDevPriceRoute } from "./dev-routes.ts";
import { TestExchange } from "./testing.ts";

async function server() {
  const x = await new TestExchange().open();
  const app = fastify() as unknown as App;
  app.setValidatorCompiler(compileValidator as never);
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof ApiError ? error.status : ((error as { statusCode?: number }).statusCode ?? 500);
    return reply.code(status).send({ error: error instanceof Error ? error.message : "" });
  });
  registerDevPriceRoute(app, { prices: x.prices([]), exchange: x.exchange });
  const pin = async (payload: object) => {
    const reply = await app.inject({ method: "POST", url: "/api/v1/dev/price", payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  return { x, pin };
}

describe("POST /api/v1/dev/price", () => {
  it("RUN-6: pins an index price, as text or number, and says what it did", async () => {
    const { x, pin } = await server();
    const pinned = { symbol: "BTCUSDT", pinned: true, index_price: "58500.0", mark_price: "58500.0" };
    assert.deepEqual(await pin({ symbol: "BTCUSDT", price: "58500" }), { status: 200, body: pinned });
    assert.deepEqual(await pin({ symbol: "btcusdt", price: 58_500 }), { status: 200, body: pinned });
    assert.deepEqual(x.shown(), [585_000, 585_000]);
    assert.equal((await pin({ symbol: "AVAXUSDT", price: 30.1236 })).body.index_price, "30.124");
    const released = await pin({ symbol: "BTCUSDT", price: null });
    assert.deepEqual(released.body, { ...pinned, pinned: false });
  });

  it("RUN-6: refuses what is no price and no market", async () => {
    const { x, pin } = await server();
    for (const price of ["0", "-1", "1e5", "abc", "", 0, -5, "2000000", "0.000000001"]) {
      assert.equal((await pin({ symbol: "BTCUSDT", price })).status, 400, String(price));
    }
    assert.equal((await pin({ symbol: "XYZUSDT", price: "1" })).status, 404);
    assert.equal((await pin({ symbol: "BTCUSDT" })).status, 400);
    assert.deepEqual(x.shown(), [0, 0]);
  });
});
