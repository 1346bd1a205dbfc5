import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { quickDatabase } from "../support/databases.ts";
import { DiskFault } from "../support/disk-faults.ts";
import { makeTempDir } from "../support/files.ts";
import { nodeFlags, runProcess } from "../support/processes.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import {
  type Answer,
  assertInvariants,
  healthStatus,
  limitOrder,
  type Order,
  pinPrices,
  type Refusal,
  readiness,
  TRADING_ENV,
  Trader,
} from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

const UNKNOWN_OUTCOME: Refusal = { code: -1006, msg: "Unknown error, please check your request or try again later." };
const UNAVAILABLE: Refusal = { code: -1016, msg: "Service Unavailable." };
const NO_SUCH_ORDER = -2013;
const SYMBOL = { symbol: "BTCUSDT" };
const VICTIM = "the-victim-of-the-disk";
const ACKNOWLEDGED = 5;
const QUEUED = 6;
const projectRoot = join(import.meta.dirname, "..", "..");

const refusalOf = ({ status, body }: Answer<unknown>) => ({ status, body });

/** An exchange with some acknowledged orders, and three traders: one buys, one sells, one comes too late. */
class Scene {
  readonly #t: TestContext;
  readonly #env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  server!: RunningServer;
  buyer!: Trader;
  seller!: Trader;
  latecomer!: Trader;
  readonly acknowledged: Order[] = [];

  private constructor(t: TestContext, dataDir: string, env: Readonly<Record<string, string>>) {
    this.#t = t;
    this.#env = env;
    this.dataDir = dataDir;
  }

  static async open(t: TestContext, env: Readonly<Record<string, string>>, fault = {}): Promise<Scene> {
    const scene = new Scene(t, await makeTempDir(t), env);
    await scene.start(fault);
    const { baseUrl } = scene;
    await pinPrices(baseUrl);
    [scene.buyer, scene.seller, scene.latecomer] = await Promise.all([
      Trader.open(baseUrl),
      Trader.open(baseUrl),
      Trader.open(baseUrl),
    ]);
    for (let count = 1; count <= ACKNOWLEDGED; count += 1) {
      scene.acknowledged.push(await scene.buyer.place(baseUrl, { side: "BUY" }));
    }
    await scene.seller.place(baseUrl, { side: "SELL" });
    return scene;
  }

  async start(fault: Readonly<Record<string, string>> = {}): Promise<void> {
    const env = { ...TRADING_ENV, ...this.#env, ...fault };
    this.server = await startServer({ owner: this.#t, dataDir: this.dataDir, env });
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  order(trader: Trader, clientId: string): Promise<Answer<Order | Refusal>> {
    const parameters = limitOrder({ side: "BUY", newClientOrderId: clientId });
    return trader.request(this.baseUrl, "POST", "/fapi/v1/order", parameters);
  }

  /** What all clients get once the journal has failed. */
  async assertStopped(code: string): Promise<void> {
    const { baseUrl, buyer, latecomer } = this;
    for (const clientId of ["late-1", "late-2", "late-3"]) {
      const answer = await this.order(latecomer, clientId);
      assert.deepEqual(refusalOf(answer), { status: 503, body: UNAVAILABLE });
    }
    const name = { ...SYMBOL, orderId: "1" };
    const cancel = await latecomer.request(baseUrl, "DELETE", "/fapi/v1/order", name);
    assert.deepEqual(refusalOf(cancel), { status: 503, body: UNAVAILABLE });
    // SEC-10: `Service Unavailable.` does not count.
    assert.equal(cancel.headers.get("x-mbx-order-count-1m"), "0");
    const { status, part } = await readiness(baseUrl);
    assert.equal(status, 503);
    assert.equal(part("engine").ok, false);
    assert.match(part("engine").detail, new RegExp(`^takes no commands: .*could not be written \\(${code}\\)$`));
    assert.equal(await healthStatus(baseUrl), 200);
    const open = await buyer.call<Order[]>(baseUrl, "GET", "/fapi/v1/openOrders", SYMBOL);
    const [filled, ...waiting] = this.acknowledged.map(({ orderId }) => orderId);
    assert.deepEqual(
      open.map(({ orderId }) => orderId),
      waiting,
    );
    const fills = await buyer.fills(baseUrl);
    assert.deepEqual(
      fills.map(({ orderId, qty }) => ({ orderId, qty })),
      [{ orderId: filled, qty: "0.002" }],
    );
    const [position] = await buyer.call<{ positionAmt: string }[]>(baseUrl, "GET", "/fapi/v2/positionRisk", SYMBOL);
    assert.equal(position?.positionAmt, "0.002");
  }

  /** After the restart: the acknowledged orders, and the victim completely or not at all. Returns whether it exists. */
  async assertRecovered(): Promise<boolean> {
    const { baseUrl, buyer } = this;
    const name = { ...SYMBOL, origClientOrderId: VICTIM };
    const victim = await buyer.request<Order & Refusal>(baseUrl, "GET", "/fapi/v1/order", name);
    const isThere = victim.status === 200;
    if (!isThere) assert.equal(victim.body.code, NO_SUCH_ORDER);
    const expected = this.acknowledged.map(({ orderId }, place) => ({
      orderId,
      status: place === 0 ? "FILLED" : "NEW",
      executedQty: place === 0 ? "0.002" : "0.000",
    }));
    if (isThere) expected.push({ orderId: victim.body.orderId, status: "NEW", executedQty: "0.000" });
    const orders = await buyer.orders(baseUrl);
    assert.deepEqual(
      orders.map(({ orderId, status, executedQty }) => ({ orderId, status, executedQty })),
      expected,
    );
    assert.ok(orders.every(({ origQty }) => origQty === "0.002"));
    const open = await buyer.call<Order[]>(baseUrl, "GET", "/fapi/v1/openOrders", SYMBOL);
    assert.equal(open.length, expected.length - 1);
    assert.deepEqual(await this.latecomer.orders(baseUrl), []);
    await assertInvariants(baseUrl);
    return isThere;
  }

  /** INV-6: the whole log, and the last snapshot with the log behind it, give the same state. */
  async assertReplayAgrees(): Promise<void> {
    const { code } = await this.server.kill("SIGTERM");
    assert.equal(code, 0);
    const log = this.newest("journal", ".log");
    const replay = async (...more: string[]): Promise<string> => {
      const args = [...nodeFlags(), "scripts/replay.ts", log, ...more];
      const run = await runProcess(process.execPath, args, { owner: this.#t, cwd: projectRoot });
      assert.equal(run.code, 0, run.output);
      return /^state hash +(\S+)$/m.exec(run.output)?.[1] ?? assert.fail(run.output);
    };
    assert.equal(await replay(), await replay("--from", this.newest("snapshots", ".snapshot")));
  }

  newest(folder: string, ending: string): string {
    const names = readdirSync(join(this.dataDir, folder)).filter((name) => name.endsWith(ending));
    return join(this.dataDir, folder, names.sort().at(-1) ?? assert.fail(`no ${ending} in ${folder}`));
  }
}

const waitingIn = async (baseUrl: string): Promise<number> =>
  Number(/(\d+) waiting$/.exec((await readiness(baseUrl)).part("engine").detail)?.[1]);

/** The embedded database could not grow either, so this needs a PostgreSQL server. */
async function limitMissing(): Promise<string | false> {
  try {
    execFileSync("prlimit", ["--version"]);
  } catch {
    return "no prlimit on this machine";
  }
  return postgresqlServerMissing();
}

const LIMIT_MISSING = await limitMissing();

describe("a disk that fails", () => {
  for (const { kind, code, signal } of [
    { kind: "sync", code: "EIO", signal: "SIGTERM" },
    { kind: "write", code: "ENOSPC", signal: "SIGKILL" },
  ] as const) {
    it(`INV-7, FUT-20: a ${kind} that fails is not tried again; what was acknowledged is there after a restart`, async (t) => {
      const fault = await DiskFault.plan(t, kind, VICTIM);
      const scene = await Scene.open(t, await quickDatabase(t), fault.env);
      const victim = scene.order(scene.buyer, VICTIM);
      await fault.reached();
      const queued = Array.from({ length: QUEUED }, (_, place) => scene.order(scene.latecomer, `queued-${place}`));
      const areAllTaken = async () => (await waitingIn(scene.baseUrl)) > QUEUED;
      await waitFor(areAllTaken, { what: "the commands behind the failing one to be taken" });
      await fault.letFail();
      assert.deepEqual(refusalOf(await victim), { status: 503, body: UNKNOWN_OUTCOME });
      // They were not written: a definite failure.
      for (const answer of await Promise.all(queued)) {
        assert.deepEqual(refusalOf(answer), { status: 503, body: UNAVAILABLE });
      }
      await scene.assertStopped(code);
      assert.deepEqual(await fault.failures(), [code]);
      const exit = await scene.server.kill(signal);
      if (signal === "SIGTERM") assert.equal(exit.code, 0);
      await scene.start();
      const isThere = await scene.assertRecovered();
      // The sync failed after the write, so the operating system still had the data. A torn record is cut off.
      assert.equal(isThere, kind === "sync");
      await scene.assertReplayAgrees();
    });
  }

  it("INV-7: a file that may not grow", { skip: LIMIT_MISSING }, async (t) => {
    const scene = await Scene.open(t, await quickDatabase(t));
    const { size } = statSync(scene.newest("journal", ".log"));
    execFileSync("prlimit", ["--pid", String(scene.server.pid), `--fsize=${size + 10}:`]);
    assert.deepEqual(refusalOf(await scene.order(scene.buyer, VICTIM)), { status: 503, body: UNKNOWN_OUTCOME });
    await scene.assertStopped("EFBIG");
    await scene.server.kill("SIGKILL");
    await scene.start();
    assert.equal(await scene.assertRecovered(), false);
    await scene.assertReplayAgrees();
  });
});
