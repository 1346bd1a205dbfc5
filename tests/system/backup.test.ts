import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { onCleanup } from "../support/cleanup.ts";
import { makeDataDir, quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { nodeFlags, runProcess } from "../support/processes.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, type Order, pinPrices, TRADING_ENV, Trader } from "../support/traders.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LOAD = 4;
const noServer = await postgresqlServerMissing();

type Env = Readonly<Record<string, string | undefined>>;

const command = (mode: string, args: readonly string[], env: Env) =>
  runProcess(process.execPath, [...nodeFlags(), "scripts/backup.ts", mode, ...args], {
    cwd: ROOT,
    env: { DATABASE_URL: undefined, ...env },
  });

async function succeed(mode: string, args: readonly string[], env: Env): Promise<string> {
  const { code, output } = await command(mode, args, env);
  assert.equal(code, 0, output);
  return output;
}

interface Manifest {
  readonly command_number: number;
  readonly state_hash: string;
}

/** Orders, and accounts that open, until it is told to stop; `acknowledged` grows meanwhile. */
class Load {
  readonly acknowledged: { readonly trader: Trader; readonly order: Order }[] = [];
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  async begin({ baseUrl }: RunningServer): Promise<void> {
    const traders = await Promise.all(Array.from({ length: LOAD }, () => Trader.open(baseUrl)));
    const trade = async (trader: Trader, place: number) => {
      // Now buying, now selling at one price, so that few orders stay open.
      for (let turn = place; !this.#isOver; turn += 1) {
        const side = turn % 2 === 0 ? "BUY" : "SELL";
        this.acknowledged.push({ trader, order: await trader.place(baseUrl, { side }) });
        await sleep(20);
      }
    };
    const open = async () => {
      while (!this.#isOver) {
        await Trader.open(baseUrl);
        await sleep(100);
      }
    };
    this.#running = Promise.all([...traders.map(trade), open(), open()]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }
}

/** Starts a server on what was restored: ready, with every order, and invariants that hold. */
async function assertRestored(
  t: TestContext,
  dataDir: string,
  env: Env,
  acknowledged: Load["acknowledged"],
): Promise<RunningServer> {
  const server = await startServer({ owner: t, dataDir, env: { ...TRADING_ENV, ...env } });
  for (const { trader, order } of acknowledged) {
    const parameters = { symbol: "BTCUSDT", orderId: String(order.orderId) };
    const found = await trader.call<Order>(server.baseUrl, "GET", "/fapi/v1/order", parameters);
    assert.equal(found.clientOrderId, order.clientOrderId);
  }
  await assertInvariants(server.baseUrl);
  // Accounts that open now get numbers of their own, and orders go on.
  await pinPrices(server.baseUrl);
  const newcomer = await Trader.open(server.baseUrl);
  await newcomer.place(server.baseUrl, { side: "BUY", price: "59000" });
  return server;
}

async function backUpUnderLoad(t: TestContext, env: Env, restoreEnv: () => Promise<Env>): Promise<void> {
  const dataDir = env["DATABASE_URL"] === undefined ? await makeDataDir(t) : await makeTempDir(t);
  const server = await startServer({ owner: t, dataDir, env: { ...TRADING_ENV, ...env } });
  await pinPrices(server.baseUrl);
  const load = new Load();
  await load.begin(server);
  await sleep(1_000);
  const folder = join(await makeTempDir(t), "backup");
  const before = [...load.acknowledged];
  assert.match(await succeed("backup", [folder], { DATA_DIR: dataDir, ...env }), /goes on trading/);
  assert.ok(load.acknowledged.length > before.length, "orders are acknowledged meanwhile");
  await load.end();
  await server.kill("SIGKILL");

  const place = join(await makeTempDir(t), "restored");
  const elsewhere = await restoreEnv();
  const { command_number, state_hash } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  const restored = await succeed("restore", [folder], { DATA_DIR: place, ...elsewhere });
  assert.ok(
    restored.includes(`up to command ${command_number.toLocaleString("en-US")}, state ${state_hash}`),
    restored,
  );
  await assertRestored(t, place, elsewhere, before);
  t.diagnostic(`${before.length} orders before the backup, ${load.acknowledged.length} in all`);
}

describe("a backup of a running exchange", () => {
  it("LOG-4: on the embedded database: restored elsewhere, every order from before it is there, and it trades", async (t) => {
    await backUpUnderLoad(t, {}, () => Promise.resolve({}));
  });

  it("LOG-4: on PostgreSQL the same", { skip: noServer }, async (t) => {
    await backUpUnderLoad(t, await quickDatabase(t), async () => {
      const { databaseUrl, drop } = await createPostgresqlDatabase();
      onCleanup(t, drop);
      return { DATABASE_URL: databaseUrl };
    });
  });
});

describe("a backup of a stopped exchange", () => {
  it("LOG-4: is the same as the folder; each command says what it did, and what it refuses", async (t) => {
    const first = await startServer({ owner: t, env: TRADING_ENV });
    const { dataDir } = first;
    await pinPrices(first.baseUrl);
    const trader = await Trader.open(first.baseUrl);
    const order = await trader.place(first.baseUrl, { side: "BUY", price: "59000" });
    await first.kill("SIGTERM");
    const folder = join(await makeTempDir(t), "backup");
    assert.match(await succeed("backup", [folder], { DATA_DIR: dataDir }), /no process uses the data folder/);
    const table = await succeed("verify", [folder], {});
    for (const what of ["manifest", "database", "log", "snapshots", "chain", "secrets", "state"]) {
      assert.match(table, new RegExp(`^ok  ${what} `, "m"));
    }
    const again = await command("backup", [folder], { DATA_DIR: dataDir });
    assert.deepEqual([again.code, /is not empty: a backup gets a folder of its own/.test(again.output)], [1, true]);
    const over = await command("restore", [folder], { DATA_DIR: dataDir });
    assert.deepEqual([over.code, /is not empty \(.*\): set DATA_DIR to a new folder/.test(over.output)], [1, true]);
    assert.equal((await command("verify", [], {})).code, 2);

    rmSync(dataDir, { recursive: true });
    await succeed("restore", [folder], { DATA_DIR: dataDir });
    await assertRestored(t, dataDir, {}, [{ trader, order }]);
  });
});
