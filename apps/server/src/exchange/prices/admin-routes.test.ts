import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { REDUCE_ONLY, TRADING } from "@bourse/engine";
import { fastify } from "fastify";
import { ApiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import { compileValidator } from "../../kernel/http/validation.ts";
import { registerPriceAdminRoutes } from "./admin-routes.ts";
import { TestExchange } from "./testing.ts";

async function server(isPushed: boolean, feeds: readonly string[] = []) {
  const x = await new TestExchange().open();
  const app = fastify() as unknown as App;
  app.setValidatorCompiler(compileValidator as never);
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : undefined;
    const status = known?.status ?? (error as { statusCode?: number }).statusCode ?? 500;
    return reply.code(status).send({ code: known?.code ?? "BAD_REQUEST" });
  });
  registerPriceAdminRoutes(app, { prices: x.prices([], { isPushed, feeds }), exchange: x.exchange });
  const push = async (payload: object) => {
    const reply = await app.inject({ method: "POST", url: "/api/v1/admin/prices", payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  const list = async () => (await app.inject({ method: "GET", url: "/api/v1/admin/prices" })).json().prices;
  return { x, push, list };
}

describe("prices that operators push", () => {
  it("FUT-13: two fresh feeds make an index; one alone leaves the market reduce-only", async () => {
    const { x, push, list } = await server(true);
    const first = await push({ symbol: "BTCUSDT", price: "60000", feed: "a" });
    assert.deepEqual([first.status, first.body.index_price, first.body.reduce_only], [200, null, true]);
    assert.equal(x.market().status, REDUCE_ONLY);
    const second = await push({ symbol: "btcusdt", price: 60_010, feed: "b" });
    assert.deepEqual([second.body.index_price, second.body.reduce_only], ["60005.0", false]);
    assert.deepEqual(
      second.body.sources.map(({ name, price, fresh }: Record<string, unknown>) => [name, price, fresh]),
      [
        ["push:a", "60000", true],
        ["push:b", "60010", true],
      ],
    );
    assert.equal(x.market().status, TRADING);
    x.clock.advance(10_001);
    const stale = await push({ symbol: "BTCUSDT", price: "60020", feed: "a" });
    assert.deepEqual([stale.body.reduce_only, stale.body.sources[1].fresh], [true, false]);
    assert.equal(x.market().status, REDUCE_ONLY);
    assert.equal((await list()).length, 4);
  });

  it("FUT-13: the report says what becomes of each source, and why and since when a market is held", async () => {
    const { x, push, list } = await server(true);
    for (const [feed, price] of [
      ["a", "60000"],
      ["b", "60010"],
      ["c", "61000"],
      ["d", "60000"],
      ["e", "70000"],
    ]) {
      await push({ symbol: "BTCUSDT", price, feed });
    }
    const [report] = await list();
    assert.deepEqual([report.guard, report.no_index, report.reduce_only], [null, null, false]);
    const uses = ({ sources }: { sources: { name: string; use: string }[] }) =>
      sources.map(({ name, use }) => `${name} ${use}`);
    assert.deepEqual(uses(report), [
      "push:a counted",
      "push:b counted",
      "push:c clamped",
      "push:d counted",
      "push:e dropped",
    ]);
    x.clock.advance(10_001);
    const lost = await push({ symbol: "BTCUSDT", price: "60000", feed: "a" });
    const since = new Date(x.clock.now()).toISOString();
    assert.deepEqual(lost.body.guard, { phase: "reduce_only", since });
    assert.deepEqual([lost.body.no_index, lost.body.reduce_only], ["too_few_sources", true]);
    assert.deepEqual(uses(lost.body).slice(0, 2), ["push:a counted", "push:b stale"]);
    x.clock.advance(300_000);
    await push({ symbol: "BTCUSDT", price: "60000", feed: "a" });
    const apart = await push({ symbol: "BTCUSDT", price: "62000", feed: "b" });
    assert.deepEqual(apart.body.guard, { phase: "halted", since });
    assert.deepEqual([apart.body.no_index, apart.body.reduce_only], ["sources_disagree", false]);
  });

  it("FUT-13: where the setting names feeds, others are refused", async () => {
    const { push } = await server(true, ["a", "b"]);
    assert.equal((await push({ symbol: "BTCUSDT", price: "60000", feed: "a" })).status, 200);
    assert.equal((await push({ symbol: "BTCUSDT", price: "60000", feed: "c" })).status, 400);
    assert.equal(
      (await push({ symbol: "BTCUSDT", price: "60000" })).status,
      400,
      "the feed without a name is called operator",
    );
  });

  it("FUT-13: refuses what is no price, no market, no feed, and everything where prices are not pushed", async () => {
    const { x, push } = await server(true);
    for (const price of ["0", "-1", "1e5", "abc", "", 0, -5, "99999999999", "0.000000001", null, true, []]) {
      assert.equal((await push({ symbol: "BTCUSDT", price, feed: "a" })).status, 400, JSON.stringify(price));
    }
    assert.equal((await push({ symbol: "XYZUSDT", price: "1" })).status, 404);
    assert.equal((await push({ symbol: "BTCUSDT", price: "1", feed: "no feed" })).status, 400);
    assert.equal((await push({ price: "1" })).status, 400);
    assert.deepEqual(x.shown(), [0, 0]);
    const elsewhere = await server(false);
    const refused = await elsewhere.push({ symbol: "BTCUSDT", price: "60000" });
    assert.deepEqual([refused.status, refused.body.code], [409, "PRICES_NOT_PUSHED"]);
  });
});
