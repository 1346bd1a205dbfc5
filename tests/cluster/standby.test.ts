import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { startCluster } from "../support/cluster.ts";
import { copyDatabase, replaceDatabase } from "../support/databases.ts";
import { nodeFlags, runProcess } from "../support/processes.ts";
import { assertInvariants, healthStatus, pinPrices, readiness, TRADING_ENV, Trader } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

const LIMIT = { timeout_ms: 60_000 };

it("LOG-2, LOG-3, LOG-8, INV-7: a standby worker goes on where the active one was killed; none uses a database that is behind, which a rebuild brings back", async (t) => {
  const small = { gateways: 1, engines: 1, workers: 2, hasOneNats: true, hasRelays: true };
  const cluster = await startCluster({ owner: t, env: TRADING_ENV, ...small });
  const { baseUrl } = cluster;
  const [active, standby] = [cluster.workers[0]!, cluster.workers[1]!];
  const standbyUrl = `http://127.0.0.1:${standby.port}`;
  const [database, databaseUrl] = [cluster.database!, cluster.env["DATABASE_URL"]!];
  await database.cut();
  const older = await copyDatabase(t, databaseUrl);
  await database.restore();
  await pinPrices(baseUrl);
  const trader = await Trader.open(baseUrl);
  const place = async () => (await trader.place(baseUrl, { side: "BUY" })).orderId;
  const orders = [await place(), await place()];
  assert.equal(await healthStatus(standbyUrl), 200);
  const { status, part } = await readiness(standbyUrl);
  assert.equal(status, 503);
  assert.match(part("worker").detail, /^standby, \d+ commands$/);

  await active.kill();
  // A standby on another machine has the embedded chain on a shared disk.
  await cp(join(active.folder, "chain"), join(standby.folder, "chain"), { recursive: true });
  orders.push(await place(), await place());
  // For a moment nobody listens on its port.
  const isReady = () =>
    readiness(standbyUrl).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor(isReady, { ...LIMIT, what: "the standby to be active" });
  orders.push(await place());
  const history = async (whose = trader) => {
    const reply = await whose.request<{ orderId: number }[]>(baseUrl, "GET", "/fapi/v1/allOrders", {
      symbol: "BTCUSDT",
    });
    return reply.status === 200 ? reply.body.map(({ orderId }) => orderId) : undefined;
  };
  await waitFor(async () => (await history())?.length === orders.length, { ...LIMIT, what: "history" });
  assert.deepEqual(await history(), orders);
  const metrics = await (await fetch(`${standbyUrl}/metrics`)).text();
  assert.match(metrics, /^bourse_recovery_commands 0$/m);
  // Accounts are opened and money moves by the new one.
  await Trader.open(baseUrl);
  await assertInvariants(baseUrl);

  // LOG-2: neither worker nor gateway uses a database that lacks these accounts.
  await database.cut();
  await replaceDatabase(databaseUrl, older);
  await database.restore();
  for (const member of [standby, cluster.gateways[0]!]) {
    const isGone = () =>
      readiness(`http://127.0.0.1:${member.port}`).then(
        () => false,
        () => true,
      );
    await waitFor(isGone, { ...LIMIT, what: `${member.name} to end` });
    assert.equal((await member.process.exited).code, 1);
    assert.match(
      member.process.output(),
      /\nBourse stops: The database is older than the log: it lacks 2 of the log's 2 accounts/,
    );
  }

  // LOG-3: the worker's copy of the log has what the database lacks.
  const rebuilt = await runProcess(process.execPath, [...nodeFlags(), "scripts/rebuild.ts", "--accept-loss"], {
    owner: t,
    env: { ...cluster.env, ROLE: "worker", DATA_DIR: standby.folder },
  });
  assert.equal(rebuilt.code, 0, rebuilt.output);
  for (const member of [standby, cluster.gateways[0]!]) member.restart();
  await waitFor(isReady, { ...LIMIT, what: "the worker with the rebuilt database" });
  await cluster.gateways[0]!.ready();
  assert.deepEqual(await history(await trader.withNewKey(baseUrl)), orders);
  await assertInvariants(baseUrl);
});
