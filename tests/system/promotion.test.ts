import assert from "node:assert/strict";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { makeTempDir } from "../support/files.ts";
import { PostgresqlServer, postgresqlProgramsMissing } from "../support/postgresql-servers.ts";
import { nodeFlags, runProcess } from "../support/processes.ts";
import { startServer } from "../support/server.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { assertInvariants, pinPrices, readiness, TRADING_ENV, Trader } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LIMIT = { timeout_ms: 60_000 };

async function rebuild(t: TestContext, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const command = [...nodeFlags(), "scripts/rebuild.ts", ...args];
  return await runProcess(process.execPath, command, { owner: t, cwd: ROOT, env: { ...TRADING_ENV, ...env } });
}

const balanceOf = async (trader: Trader, baseUrl: string) => {
  const [usdt] = await trader.call<{ balance: string }[]>(baseUrl, "GET", "/fapi/v2/balance");
  return usdt?.balance;
};

it("LOG-2, LOG-3: a promoted standby with everything is used; one that is behind stops the exchange until it is rebuilt", {
  skip: postgresqlProgramsMissing(),
}, async (t) => {
  const first = await PostgresqlServer.start(t);
  const proxy = await TcpProxy.open(t, { host: "127.0.0.1", port: first.port });
  const dataDir = await makeTempDir(t);
  const database = { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres` };
  const options = { owner: t, dataDir, env: { ...TRADING_ENV, ...database } };
  const server = await startServer(options);
  const { baseUrl } = server;
  await pinPrices(baseUrl);
  const anna = await Trader.open(baseUrl);
  const placed = [await anna.place(baseUrl, { side: "BUY" })];

  const second = await first.startStandby();
  await first.waitUntilFollowedBy(second);
  await first.kill();
  proxy.pointTo({ host: "127.0.0.1", port: second.port });
  // Trading goes on without a database, and with one that may only be read.
  placed.push(await anna.place(baseUrl, { side: "BUY" }));
  await waitFor(async () => /not promoted/.test((await readiness(baseUrl)).part("database").detail), {
    ...LIMIT,
    what: "the standby to be recognised",
  });
  await second.promote();
  await waitFor(async () => (await readiness(baseUrl)).status === 200, { ...LIMIT, what: "the promoted server" });
  placed.push(await anna.place(baseUrl, { side: "BUY" }));
  const ids = async (url: string, trader: Trader) => (await trader.orders(url)).map(({ orderId }) => orderId);
  const expected = placed.map(({ orderId }) => orderId);
  assert.deepEqual(await ids(baseUrl, anna), expected);

  const third = await second.startStandby();
  await second.waitUntilFollowedBy(third);
  await third.kill();
  // What comes now is only in the log and on the second server.
  const bert = await Trader.open(baseUrl, "5555");
  await bert.place(baseUrl, { side: "BUY", price: "59000" });
  await assertInvariants(baseUrl);
  await second.kill();
  await third.restart();
  await third.promote();
  proxy.pointTo({ host: "127.0.0.1", port: third.port });
  assert.equal((await server.exited).code, 1);
  assert.match(
    server.output(),
    /\nBourse stops: The database is older than the log: it lacks 1 of the log's \d+ accounts/,
  );

  const env = { ...database, DATA_DIR: dataDir };
  assert.match((await rebuild(t, env)).output, /Nothing was written\./);
  const rebuilt = await rebuild(t, env, "--accept-loss");
  assert.equal(rebuilt.code, 0, rebuilt.output);
  const again = await startServer(options);
  assert.deepEqual(await ids(again.baseUrl, anna), expected);
  // His key was lost with the second server; his money and his order were not.
  const bertAgain = await bert.withNewKey(again.baseUrl);
  assert.equal(await balanceOf(bertAgain, again.baseUrl), "5555.00");
  assert.equal((await ids(again.baseUrl, bertAgain)).length, 1);
  await assertInvariants(again.baseUrl);
});
