import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { openPostgresql } from "../../apps/server/src/kernel/database/postgresql.ts";
import { postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { proxiedDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { startServer } from "../support/server.ts";
import { assertInvariants, limitOrder, type Order, pinPrices, TRADING_ENV, Trader } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** More with `FAULT_STOP_ROUNDS`. */
const ROUNDS = Number(process.env["FAULT_STOP_ROUNDS"] ?? 1);
const IN_FLIGHT = 8;
/** Orders of each trader, before the server gets the signal to stop. */
const ENOUGH_ORDERS = 100;
const AT_ONCE = 20;
const STOP_LIMIT_ms = 10_000;
/** So much latency that the tables lag behind: there is something to flush. */
const LATENCY_ms = 20;
const UNAVAILABLE = { code: -1016, msg: "Service Unavailable." };

/** Buys and sells at one price until the server accepts nothing more, and records what was acknowledged. */
async function tradeUntilStopped(trader: Trader, baseUrl: string, acknowledged: Order[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const parameters = limitOrder({ side: count % 2 === 0 ? "BUY" : "SELL" });
    try {
      const { status, body } = await trader.request<Order>(baseUrl, "POST", "/fapi/v1/order", parameters);
      if (status === 200) acknowledged.push(body);
      else {
        // Everything that was accepted is finished: a definite refusal is the only other answer.
        assert.deepEqual({ status, body }, { status: 503, body: UNAVAILABLE });
        return;
      }
    } catch (error) {
      // The server no longer listens.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function assertStored(databaseUrl: string, ids: readonly number[]): Promise<void> {
  const { db, close } = await openPostgresql(databaseUrl);
  const { rows } = await sql<{ stored: bigint }>`
    select count(*) as stored from exchange_order where order_id = any(${ids}::bigint[])`.execute(db);
  await close();
  assert.deepEqual(rows, [{ stored: BigInt(ids.length) }]);
}

async function assertThere(trader: Trader, baseUrl: string, acknowledged: readonly Order[]): Promise<void> {
  for (let from = 0; from < acknowledged.length; from += AT_ONCE) {
    const some = acknowledged.slice(from, from + AT_ONCE).map(async ({ orderId, executedQty }) => {
      const name = { symbol: "BTCUSDT", orderId: String(orderId) };
      const found = await trader.call<Order>(baseUrl, "GET", "/fapi/v1/order", name);
      assert.equal(found.orderId, orderId);
      assert.ok(Number(found.executedQty) >= Number(executedQty), `order ${orderId} has lost a fill`);
    });
    await Promise.all(some);
  }
}

it("WIRE-12: SIGTERM amid trading finishes and flushes what was accepted, and exits with 0 within ten seconds", async (t) => {
  const dataDir = await makeTempDir(t);
  const database = (await postgresqlServerMissing()) === false ? await proxiedDatabase(t, LATENCY_ms) : undefined;
  const env = { ...TRADING_ENV, ...(database === undefined ? {} : { DATABASE_URL: database.proxiedUrl }) };
  const start = () => startServer({ owner: t, dataDir, env });
  let server = await start();
  await pinPrices(server.baseUrl);
  const traders = [await Trader.open(server.baseUrl), await Trader.open(server.baseUrl)];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { baseUrl } = server;
    const done = traders.map((trader) => ({ trader, acknowledged: [] as Order[] }));
    const trading = done.flatMap(({ trader, acknowledged }) =>
      Array.from({ length: IN_FLIGHT / 2 }, () => tradeUntilStopped(trader, baseUrl, acknowledged)),
    );
    const isAmid = () => done.every(({ acknowledged }) => acknowledged.length >= ENOUGH_ORDERS);
    await waitFor(isAmid, { what: "the traders to be amid trading", interval_ms: 10 });
    const signalled_ms = performance.now();
    const { code } = await server.kill("SIGTERM");
    const took_ms = performance.now() - signalled_ms;
    assert.equal(code, 0, server.output());
    assert.ok(took_ms < STOP_LIMIT_ms, `${took_ms} ms`);
    await Promise.all(trading);
    const ids = done.flatMap(({ acknowledged }) => acknowledged.map(({ orderId }) => orderId));
    // Flushed: the tables have it already, before the log is replayed.
    if (database !== undefined) await assertStored(database.databaseUrl, ids);
    server = await start();
    for (const { trader, acknowledged } of done) await assertThere(trader, server.baseUrl, acknowledged);
    await assertInvariants(server.baseUrl);
    t.diagnostic(`${ids.length} orders acknowledged, stopped in ${took_ms.toFixed(0)} ms`);
  }
});
