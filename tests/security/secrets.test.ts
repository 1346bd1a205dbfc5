import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { onTestServer } from "../../apps/server/src/kernel/database/test-templates.ts";
import { postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { type Owner, onCleanup } from "../support/cleanup.ts";
import { proxiedDatabase, quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { waitFor } from "../support/waiting.ts";
import { filesBelow, Secrets } from "./support/leaks.ts";
import { walkThroughSecrets } from "./support/secret-walk.ts";

/** None is a part of another, and none occurs anywhere by chance. */
const SETTINGS = {
  ADMIN_PASSWORD: "Gt5-admin-Wq81-Zk",
  JWT_SECRET: "jwt-1vKx0PfWm3sYb7LcRj5NhDg2AeUo",
  SECRETS_KEY: "5ac1d3c5b7a9e0f2d4c6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4",
  EARN_SIGNER_KEY: "0x9e6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f25",
  OPERATOR_KEY: "0x7b4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f2d1c6b8a0e1f3d5c7b9a01",
  BONUS_ADMIN_API_KEY: "bonus-Lz81Rt6Yw0Pb5Nc7Hd3Jf1Gs-9xQ",
} as const;
const QUIET = { DEMO: "false", LOG_LEVEL: "debug", RATE_LIMIT_LOGIN_1M: "1000", RATE_LIMIT_JSON_PER_S: "1000" };
/** Long, because other suites run in parallel. */
const START_ms = 180_000;
const operator = { password: SETTINGS.ADMIN_PASSWORD, bonusKey: SETTINGS.BONUS_ADMIN_API_KEY };
/** RUN-4: the banner of a development server shows these two, so that a person can sign in. */
const IN_BANNER = new Set(["ADMIN_PASSWORD", "BONUS_ADMIN_API_KEY"]);

function knownSecrets(): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(SETTINGS)) secrets.keep(name, value);
  return secrets;
}

/** What anybody, or an admin, can read about the server's own state. */
async function statusPages({ baseUrl }: RunningServer, admin: string | undefined): Promise<[string, string][]> {
  const open = ["/metrics", "/readyz", "/healthz", "/api/v1/config", "/openapi.json", "/docs/", "/app/"];
  const closed = ["/api/v1/admin/audit-log?limit=500", "/api/v1/admin/jobs", "/api/v1/admin/invariants"];
  const headers = admin === undefined ? {} : { authorization: `Bearer ${admin}` };
  const pages: [string, string][] = [];
  for (const path of [...open, ...(admin === undefined ? [] : closed)]) {
    pages.push([path, await (await fetch(`${baseUrl}${path}`, { headers })).text()]);
  }
  return pages;
}

const linesOf = (output: string) => output.split("\n");
const isBanner = (line: string) => /^ {2}(?:Admin|Bonus key) /.test(line);

async function assertNothingTold(server: RunningServer, secrets: Secrets, admin?: string): Promise<void> {
  const output = linesOf(server.output());
  const printed = output.filter((line) => !isBanner(line)).join("\n");
  assert.deepEqual(secrets.findIn(printed), [], "in what the server prints");
  assert.deepEqual(secrets.findIn(output.filter(isBanner).join("\n"), IN_BANNER), [], "in the banner");
  for (const [path, text] of await statusPages(server, admin)) assert.deepEqual(secrets.findIn(text), [], path);
}

it("the search finds a secret in each of the forms it may be written in", () => {
  const secrets = new Secrets();
  const key = secrets.keep("key", SETTINGS.OPERATOR_KEY);
  const bytes = Buffer.from(key.slice(2), "hex");
  for (const text of [key, key.toUpperCase(), bytes.toString("base64"), Buffer.from(key).toString("base64url")]) {
    assert.equal(secrets.findIn(`{"a":"${text}"}`).length, 1, text);
  }
  assert.equal(secrets.keep("password", 'a "b" c/d+e'), 'a "b" c/d+e');
  for (const text of ["a%20%22b%22%20c%2Fd%2Be", JSON.stringify('a "b" c/d+e')]) {
    assert.deepEqual(secrets.findIn(text).length, 1, text);
  }
  assert.deepEqual(secrets.findIn("nothing"), []);
});

it("T7, RUN-4: no secret in logs, on pages or in the data folder, whatever is done with it", async (t) => {
  const secrets = knownSecrets();
  const server = await startServer({ owner: t, env: { ...QUIET, ...SETTINGS }, timeout_ms: START_ms });
  const admin = await walkThroughSecrets({ server, secrets, operator }, true);
  assert.ok(secrets.count > 25, secrets.names().join(", "));
  await assertNothingTold(server, secrets, admin);
  assert.equal((await server.kill("SIGTERM")).code, 0);
  assert.deepEqual(
    secrets.findIn(
      linesOf(server.output())
        .filter((line) => !isBanner(line))
        .join("\n"),
    ),
    [],
  );
  const kept: string[] = [];
  let files = 0;
  for await (const { path, text } of filesBelow(server.dataDir)) {
    files += 1;
    kept.push(...secrets.findIn(text).map((found) => `${path}: ${found}`));
  }
  assert.ok(files > 20, `only ${files} files were looked at`);
  assert.deepEqual(kept, []);
});

/**
 * A separate login on the test server, whose password can be searched for. Made before the database that it will own.
 */
async function makeLogin(owner: Owner, password: string): Promise<string> {
  const name = `bourse_leak_${Math.floor(Math.random() * 1e9)}`;
  await onTestServer((client) => client.query(`create role ${name} login superuser password '${password}'`));
  onCleanup(owner, async () => {
    await onTestServer((client) => client.query(`drop role ${name}`));
  });
  return name;
}

const noServer = await postgresqlServerMissing();

it("SEC-9: a database that goes away is reported without its password, and nothing else", {
  skip: noServer,
}, async (t) => {
  const secrets = knownSecrets();
  const password = secrets.keep("DATABASE_URL's password", "db-pass-Qz71-kLm9");
  const username = await makeLogin(t, password);
  const { proxy, proxiedUrl } = await proxiedDatabase(t);
  const DATABASE_URL = Object.assign(new URL(proxiedUrl), { username, password }).href;
  const server = await startServer({ owner: t, env: { ...QUIET, ...SETTINGS, DATABASE_URL }, timeout_ms: START_ms });
  const admin = await walkThroughSecrets({ server, secrets, operator }, true);
  await proxy.cut();
  await assert.rejects(walkThroughSecrets({ server, secrets, operator }, true), "nobody signs in without a database");
  await waitFor(async () => (await fetch(`${server.baseUrl}/readyz`)).status === 503, { what: "the loss to show" });
  await assertNothingTold(server, secrets);
  // A logged request stays one line of JSON, even if its URL contains line breaks.
  const forged = `${server.baseUrl}/api/v1/points/seasons/%0A%7B%22level%22:60,%22msg%22:%22forged%22%7D/allocation/x`;
  await fetch(forged, { headers: { "user-agent": "forged" } });
  const lines = linesOf(server.output()).filter((line) => line.startsWith("{"));
  assert.ok(lines.length > 0, "the loss was logged");
  for (const line of lines) assert.notEqual((JSON.parse(line) as { msg?: string }).msg, "forged");
  await proxy.restore();
  await waitFor(async () => (await fetch(`${server.baseUrl}/readyz`)).status === 200, { what: "the way back" });
  await assertNothingTold(server, secrets, admin);
});

it("RUN-4: a start that fails prints the reason, and none of the settings' values", async (t) => {
  const secrets = knownSecrets();
  const password = secrets.keep("DATABASE_URL's password", "db-pass-Qz71-kLm9");
  const failing = [
    { DATABASE_URL: `postgres://somebody:${password}@127.0.0.1:9/bourse` },
    { DATABASE_URL: `postgres://somebody:${password}@127.0.0.1:port/bourse` },
    {
      JWT_SECRET: secrets.keep("a short secret", "short-Zx9"),
      OPERATOR_KEY: secrets.keep("a malformed key", `${SETTINGS.OPERATOR_KEY}f00d`),
      SECRETS_KEY: secrets.keep("a key of the wrong length", "abcdefabcdefabcdef012345"),
      CHAIN_RPC_URL: `ftp://node:${password}@127.0.0.1`,
      DATABASE_URL: `mysql://somebody:${password}@127.0.0.1/bourse`,
    },
  ];
  for (const wrong of failing) {
    const dataDir = await makeTempDir(t);
    const env = { ...QUIET, ...SETTINGS, ...wrong };
    const server = await startServer({ owner: t, env, dataDir, waitReady: false });
    const { code } = await server.exited;
    assert.notEqual(code, 0, JSON.stringify(Object.keys(wrong)));
    assert.match(server.output(), /cannot start/);
    assert.deepEqual(secrets.findIn(server.output()), [], JSON.stringify(Object.keys(wrong)));
  }
});

it("SEC-9: in production with a chain that fails, the server prints neither the chain's credentials nor any secret", async (t) => {
  const secrets = knownSecrets();
  const password = secrets.keep("the chain's password", "chain-pass-Vb52-nH8");
  const node = createServer((_request, reply) => reply.writeHead(500).end("broken")).listen(0, "127.0.0.1");
  onCleanup(t, () => void node.close());
  await new Promise((resolve) => node.once("listening", resolve));
  const { port } = node.address() as AddressInfo;
  const contracts = { USDT_ADDRESS: 1, EARN_ADDRESS: 2, REFERRAL_ADDRESS: 3, VAULT_ADDRESS: 4 };
  const env = {
    ...QUIET,
    ...SETTINGS,
    ...Object.fromEntries(Object.entries(contracts).map(([name, digit]) => [name, `0x${String(digit).repeat(40)}`])),
    BOURSE_ENV: "production",
    CHAIN_RPC_URL: `http://node:${password}@127.0.0.1:${port}/rpc`,
    ...(await quickDatabase(t)),
  };
  const server = await startServer({ owner: t, env, timeout_ms: START_ms });
  const admin = await walkThroughSecrets({ server, secrets, operator }, false);
  await waitFor(async () => /chain/.test(server.output()), { what: "the chain's failure to be logged" });
  assert.deepEqual(linesOf(server.output()).filter(isBanner), [], "production prints no credentials");
  await assertNothingTold(server, secrets, admin);
});
