import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { openPostgresql } from "../../apps/server/src/kernel/database/postgresql.ts";
import { postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { copyDatabase, type ProxiedDatabase, proxiedDatabase, replaceDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import {
  assertInvariants,
  healthStatus,
  pinPrices,
  type Refusal,
  readiness,
  TRADING_ENV,
  Trader,
} from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** A minute with `FAULT_AWAY_SECONDS=60`. */
const AWAY_ms = Number(process.env["FAULT_AWAY_SECONDS"] ?? 3) * 1_000;
const CATCH_UP_ms = 60_000;
/** A read of history is answered by then: the longest duration of a read, plus time for a slow machine. */
const ANSWERED_ms = 15_000;
/** WIRE-12. */
const STOP_LIMIT_ms = 10_000;
const TIMEOUT: Refusal = { code: -1007, msg: "Timeout waiting for response from backend server." };
const HISTORY = ["userTrades", "allOrders", "income"].map((name) => `/fapi/v1/${name}`);
const SYMBOL = { symbol: "BTCUSDT" };

interface Position {
  readonly positionAmt: string;
}

interface Balance {
  readonly asset: string;
  readonly balance: string;
}

/** An exchange whose PostgreSQL server can be cut, with a buyer, a seller and an idle account. */
class Scene {
  readonly #t: TestContext;
  readonly #env: Readonly<Record<string, string>>;
  readonly #dataDir: string;
  readonly databaseUrl: string;
  readonly proxy: TcpProxy;
  server!: RunningServer;
  buyer!: Trader;
  seller!: Trader;
  onlooker!: Trader;
  /** Acknowledged orders, with the quantity that was filled by then. */
  readonly bought = new Map<number, string>();
  readonly sold = new Map<number, string>();
  readonly cancelled: number[] = [];

  private constructor(t: TestContext, dataDir: string, { databaseUrl, proxiedUrl, proxy }: ProxiedDatabase) {
    this.#t = t;
    this.#dataDir = dataDir;
    this.databaseUrl = databaseUrl;
    this.proxy = proxy;
    this.#env = { ...TRADING_ENV, DATABASE_URL: proxiedUrl };
  }

  static async open(t: TestContext): Promise<Scene> {
    const scene = new Scene(t, await makeTempDir(t), await proxiedDatabase(t));
    await scene.start();
    await pinPrices(scene.baseUrl);
    [scene.buyer, scene.seller, scene.onlooker] = await Promise.all([
      Trader.open(scene.baseUrl),
      Trader.open(scene.baseUrl),
      Trader.open(scene.baseUrl),
    ]);
    return scene;
  }

  async start(): Promise<void> {
    this.server = await startServer({ owner: this.#t, dataDir: this.#dataDir, env: this.#env });
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  /** One fill of 0.002, and one order that is placed and cancelled; all acknowledged with 200 and read from memory. */
  async trade(): Promise<void> {
    const { baseUrl, buyer, seller } = this;
    const bid = await buyer.place(baseUrl, { side: "BUY" });
    assert.equal(bid.status, "NEW");
    const waiting = await buyer.call<{ orderId: number }[]>(baseUrl, "GET", "/fapi/v1/openOrders", SYMBOL);
    assert.deepEqual(
      waiting.map(({ orderId }) => orderId),
      [bid.orderId],
    );
    const ask = await seller.place(baseUrl, { side: "SELL" });
    assert.equal(ask.status, "FILLED");
    this.bought.set(bid.orderId, "0.002");
    this.sold.set(ask.orderId, ask.executedQty);
    const far = await buyer.place(baseUrl, { side: "BUY", price: "59000" });
    const name = { ...SYMBOL, orderId: String(far.orderId) };
    const gone = await buyer.call<{ status: string }>(baseUrl, "DELETE", "/fapi/v1/order", name);
    assert.equal(gone.status, "CANCELED");
    this.cancelled.push(far.orderId);
    const [position] = await buyer.call<Position[]>(baseUrl, "GET", "/fapi/v2/positionRisk", SYMBOL);
    assert.equal(position?.positionAmt, (this.bought.size * 0.002).toFixed(3));
  }

  /** All reads of history at once, by an account with new events and one without. */
  async assertHistoryTimesOut(): Promise<void> {
    const begun_ms = performance.now();
    const reads = [this.buyer, this.onlooker].flatMap((trader) =>
      HISTORY.map(async (path) => ({ path, ...(await trader.request(this.baseUrl, "GET", path, SYMBOL)) })),
    );
    for (const { path, status, body } of await Promise.all(reads)) {
      assert.deepEqual({ path, status, body }, { path, status: 408, body: TIMEOUT });
    }
    assert.ok(performance.now() - begun_ms < ANSWERED_ms, "the read gets an answer in time");
  }

  async assertBalances(): Promise<void> {
    const balances = await this.onlooker.call<Balance[]>(this.baseUrl, "GET", "/fapi/v2/balance");
    assert.equal(Number(balances.find(({ asset }) => asset === "USDT")?.balance), 1_000_000);
  }

  async caughtUp(): Promise<void> {
    const isReady = async () => (await readiness(this.baseUrl)).status === 200;
    await waitFor(isReady, { timeout_ms: CATCH_UP_ms, what: "the exchange to be ready again" });
    const isRead = async () => (await this.buyer.request(this.baseUrl, "GET", HISTORY[0]!, SYMBOL)).status === 200;
    await waitFor(isRead, { timeout_ms: CATCH_UP_ms, what: "the projector to catch up" });
  }

  /** INV-7 by the interface and by the tables: everything acknowledged exists, and nothing exists twice. */
  async assertAllThereOnce(): Promise<void> {
    for (const [trader, filled] of [
      [this.buyer, this.bought],
      [this.seller, this.sold],
    ] as const) {
      const fills = await trader.fills(this.baseUrl);
      assert.deepEqual(new Map(fills.map(({ orderId, qty }) => [orderId, qty])), filled);
      assert.equal(fills.length, filled.size);
      const orders = await trader.orders(this.baseUrl);
      const done = orders.filter(({ status }) => status === "FILLED");
      assert.deepEqual(new Map(done.map(({ orderId, executedQty }) => [orderId, executedQty])), filled);
      const gone = orders.filter(({ status }) => status === "CANCELED").map(({ orderId }) => orderId);
      assert.deepEqual(gone, trader === this.buyer ? this.cancelled : []);
      assert.equal(orders.length, done.length + gone.length);
    }
    const { db, close } = await openPostgresql(this.databaseUrl);
    const { rows } = await sql<{ orders: bigint; fills: bigint }>`
      select (select count(*) from exchange_order) as orders, (select count(*) from exchange_fill) as fills`.execute(
      db,
    );
    await close();
    const orders = BigInt(this.bought.size + this.sold.size + this.cancelled.length);
    assert.deepEqual(rows, [{ orders, fills: BigInt(this.bought.size + this.sold.size) }]);
  }
}

describe("a database that comes back as another", { skip: await postgresqlServerMissing() }, () => {
  it("LOG-2: one that has everything is used; one that lacks what was acknowledged ends the process with a line", async (t) => {
    const scene = await Scene.open(t);
    const failOver = async (copy: string) => {
      await scene.trade();
      await replaceDatabase(scene.databaseUrl, copy);
      await scene.proxy.restore();
    };
    await scene.trade();
    await scene.proxy.cut();
    await failOver(await copyDatabase(t, scene.databaseUrl));
    await scene.caughtUp();
    await scene.assertAllThereOnce();
    await assertInvariants(scene.baseUrl);

    await scene.proxy.cut();
    const older = await copyDatabase(t, scene.databaseUrl);
    await scene.proxy.restore();
    await scene.caughtUp();
    // The outbox waits for up to half a minute after a failed delivery.
    const isOpened = () => Trader.open(scene.baseUrl).then(Boolean, () => false);
    await waitFor(isOpened, { timeout_ms: CATCH_UP_ms, what: "an account to be opened" });
    await scene.proxy.cut();
    await failOver(older);
    const { code } = await scene.server.exited;
    assert.equal(code, 1);
    assert.match(
      scene.server.output(),
      /\nBourse stops: The database is older than the log: it lacks \d of the log's \d accounts, .*npm run rebuild.*\n$/,
    );
    // Nothing was written to it, and nothing is served on it after a start either.
    await assert.rejects(scene.start(), /it lacks \d of the log's \d accounts/);
  });
});

describe("a database that is away", { skip: await postgresqlServerMissing() }, () => {
  it("RUN-7, INV-7: trading goes on from memory, history says 408, and all of it is caught up with", async (t) => {
    const scene = await Scene.open(t);
    const { baseUrl } = scene;
    await scene.trade();
    await scene.buyer.fills(baseUrl);
    await scene.proxy.cut();
    // No account has new events yet: the reads time out because of the database.
    await scene.assertHistoryTimesOut();
    const until_ms = performance.now() + AWAY_ms;
    do {
      await scene.trade();
      await scene.assertBalances();
      await scene.assertHistoryTimesOut();
      const { status, part } = await readiness(baseUrl);
      assert.equal(status, 503);
      assert.deepEqual(part("database"), { ok: false, detail: "the database cannot be reached (ECONNREFUSED)" });
      assert.equal(part("engine").ok, true);
      assert.equal(await healthStatus(baseUrl), 200);
    } while (performance.now() < until_ms);
    await scene.proxy.restore();
    await scene.caughtUp();
    await scene.assertAllThereOnce();
    await assertInvariants(baseUrl);
    t.diagnostic(`${scene.bought.size} fills, ${scene.cancelled.length} orders cancelled`);
  });

  it("INV-7, WIRE-12: killed or stopped while it is away, nothing is lost and nothing is there twice", async (t) => {
    const scene = await Scene.open(t);
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await scene.trade();
      await scene.proxy.cut();
      for (let round = 1; round <= 10; round += 1) await scene.trade();
      const signalled_ms = performance.now();
      const { code } = await scene.server.kill(signal);
      if (signal === "SIGTERM") assert.equal(code, 0, scene.server.output());
      assert.ok(performance.now() - signalled_ms < STOP_LIMIT_ms);
      await scene.proxy.restore();
      await scene.start();
      await scene.caughtUp();
      await scene.assertAllThereOnce();
      await assertInvariants(scene.baseUrl);
    }
  });

  it("RUN-7: one that takes what is sent and says nothing holds up neither traders nor readers", async (t) => {
    const scene = await Scene.open(t);
    await scene.trade();
    await scene.buyer.fills(scene.baseUrl);
    scene.proxy.silence();
    await scene.trade();
    await scene.assertHistoryTimesOut();
    const { status, part } = await readiness(scene.baseUrl);
    assert.equal(status, 503);
    assert.match(part("database").detail, /did not answer within/);
    await scene.proxy.restore();
    await scene.caughtUp();
    await scene.assertAllThereOnce();
  });
});
