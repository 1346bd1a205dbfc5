import assert from "node:assert/strict";
import { connect } from "node:net";
import { it } from "node:test";
import { createClient } from "@bourse/api";
import { privateKeyToAccount } from "viem/accounts";
import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { makeTempDir } from "../support/files.ts";
import { nodeFlags, runProcess } from "../support/processes.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { waitFor } from "../support/waiting.ts";

const DAY_MS = 86_400_000;
/** For tests that do not need trading. */
const QUIET = { DEMO: "false" };
const account = privateKeyToAccount(`0x${"7b".repeat(32)}`);

const productionSettings = {
  BOURSE_ENV: "production",
  ADMIN_PASSWORD: "correct-horse-battery",
  JWT_SECRET: "q8Zt1vKx0PfWm3sYb7LcRj5NhDg2AeUo",
  SECRETS_KEY: "8f1d3c5b7a9e0f2d4c6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4d",
  EARN_SIGNER_KEY: "0x1c6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f2d",
  OPERATOR_KEY: "0x2f4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f2d1c6b8a0e1f3d5c7b9a0e",
  BONUS_ADMIN_API_KEY: "Xk29vQm4Lz81Rt6Yw0Pb5Nc7Hd3Jf1Gs",
  CHAIN_RPC_URL: "http://127.0.0.1:9",
  USDT_ADDRESS: `0x${"1".repeat(40)}`,
  EARN_ADDRESS: `0x${"2".repeat(40)}`,
  REFERRAL_ADDRESS: `0x${"3".repeat(40)}`,
  VAULT_ADDRESS: `0x${"4".repeat(40)}`,
};

async function readJson<T>(url: string, init?: RequestInit): Promise<{ status: number; body: T }> {
  const reply = await fetch(url, init);
  return { status: reply.status, body: (await reply.json()) as T };
}

const serverTime = async (server: RunningServer) =>
  (await readJson<{ serverTime: number }>(`${server.baseUrl}/fapi/v1/time`)).body.serverTime;

async function signedInClient(server: RunningServer) {
  let token: string | undefined;
  const client = createClient({ baseUrl: server.baseUrl, accessToken: () => token });
  const { message_template: message } = await client.auth.nonce(account.address);
  token = (await client.auth.login(message, await account.signMessage({ message }))).access_token;
  return client;
}

it("RUN-2, RUN-7: the banner says where to go and how to get in; metrics cover the process too", async (t) => {
  const server = await startServer({ owner: t, dataDir: await makeTempDir(t) });
  const output = server.output();
  assert.match(output, new RegExp(`Web app +${server.baseUrl}/app/`));
  assert.match(output, new RegExp(`API page +${server.baseUrl}/docs/`));
  const page = await fetch(`${server.baseUrl}/app/`);
  assert.equal(page.status, 200, "the web app is built before this suite");
  assert.match(await page.text(), /<script type="module"[^>]* src="\/app\/assets\//);
  assert.match(output, /Database +\S+/);
  assert.match(output, /Chain +id 43113/);
  const [, username, password] = /Admin +(\S+) \/ (\S+)/.exec(output) ?? [];
  const staff = await createClient({ baseUrl: server.baseUrl }).auth.staffLogin(username ?? "", password ?? "");
  assert.equal(staff.role, "admin");
  const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
  for (const name of ["process_resident_memory_bytes", "nodejs_eventloop_lag_p99_seconds", "bourse_accounts"]) {
    assert.match(metrics, new RegExp(`^${name} \\d`, "m"));
  }
});

it("RUN-4: production without secrets names all of them and exits non-zero", async (t) => {
  const server = await startServer({ owner: t, env: { BOURSE_ENV: "production" }, waitReady: false });
  const { code } = await server.exited;
  assert.notEqual(code, 0);
  for (const name of Object.keys(productionSettings).filter((key) => key !== "BOURSE_ENV")) {
    assert.match(server.output(), new RegExp(`- ${name} is missing`));
  }
});

it("RUN-4: production has no development endpoints and prints no secrets", async (t) => {
  const server = await startServer({ owner: t, env: productionSettings });
  for (const path of ["/api/v1/dev/clock", "/api/v1/dev/jobs/audit-verify/run"]) {
    const reply = await readJson<{ code: string }>(server.baseUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"advance_ms":1}',
    });
    assert.equal(reply.status, 404);
    assert.equal(reply.body.code, "NOT_FOUND");
  }
  const secrets = Object.entries(productionSettings).filter(([name]) => /KEY|SECRET|PASSWORD/.test(name));
  for (const [name, value] of secrets) assert.ok(!server.output().includes(value), `${name} was printed`);
});

it("LOG-7: in production a server's database is migrated by its command, and a start only looks", async (t) => {
  if ((await postgresqlServerMissing()) !== false) return t.skip("no PostgreSQL server");
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  t.after(drop);
  const env = { ...productionSettings, DATABASE_URL: databaseUrl };
  const early = await startServer({ owner: t, env, waitReady: false });
  assert.equal((await early.exited).code, 1);
  assert.match(early.output(), /Bourse cannot start: The database lacks \d+ migrations, .* Run "npm run migrate"/);
  const migrated = await runProcess(process.execPath, [...nodeFlags(), "scripts/migrate.ts"], { env });
  assert.equal(migrated.code, 0, migrated.output);
  assert.match(migrated.output, /Migrating the database: 0001_kernel …[\s\S]*\n\d+ migrations were run\.\n$/);
  // The chain is away, so it does not get ready; it listens.
  const server = await startServer({ owner: t, env, waitReady: false });
  const isThere = () =>
    fetch(`${server.baseUrl}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(isThere, { timeout_ms: 60_000, what: "the server to answer" });
});

it("RUN-2: a second process on the same folder is refused with the id of the holder", async (t) => {
  const first = await startServer({ owner: t, env: QUIET });
  const second = await startServer({ owner: t, dataDir: first.dataDir, waitReady: false });
  assert.notEqual((await second.exited).code, 0);
  assert.match(second.output(), /in use by process \d+/);
  assert.equal((await fetch(`${first.baseUrl}/readyz`)).status, 200);
});

it("INV-7, WIRE-12: keys, sessions and the moved clock are there after kill -9", async (t) => {
  const first = await startServer({ owner: t });
  const client = await signedInClient(first);
  const key = await client.account.createApiKey({ label: "kept", permissions: ["READ"] });
  await client.dev.moveClock({ advance_ms: 3 * DAY_MS });
  const clockBefore = await serverTime(first);
  await first.kill("SIGKILL");

  const second = await startServer({ owner: t, dataDir: first.dataDir });
  const clockAfter = await serverTime(second);
  assert.ok(clockAfter >= clockBefore);
  assert.ok(clockAfter - Date.now() > 2 * DAY_MS);
  const kept = await (await signedInClient(second)).account.apiKeys();
  assert.deepEqual(
    kept.map(({ api_key }) => api_key),
    [key.api_key],
  );
});

it("WIRE-12: SIGTERM finishes what was accepted and exits with 0", async (t) => {
  const server = await startServer({ owner: t, env: QUIET });
  // A request whose body is still incomplete when the signal comes.
  const body = JSON.stringify({ address: account.address });
  const socket = connect(server.port, "127.0.0.1");
  let reply = "";
  socket.on("data", (chunk) => {
    reply += chunk;
  });
  socket.write(
    `POST /api/v1/auth/nonce HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopping = server.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.write(body.slice(5));
  const begun = performance.now();
  const { code } = await server.exited;
  await stopping;
  assert.equal(code, 0);
  assert.ok(performance.now() - begun < 10_000);
  assert.match(reply, /^HTTP\/1\.1 200 /);
  assert.match(reply, /"nonce"/);
});
