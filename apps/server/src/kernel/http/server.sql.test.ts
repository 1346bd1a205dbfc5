import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";
import { createTestPlatform, type TestPlatform, testWallet } from "../../testing/test-platform.ts";
import { policyOf } from "./routes.ts";

async function platformFor(t: TestContext, environment: Record<string, string> = {}) {
  const platform = await createTestPlatform(environment);
  t.after(() => platform.close());
  return platform;
}

describe("the HTTP kernel", () => {
  it("SEC-10: weight past the budget is 429, going on is 418, other addresses are not touched", async (t) => {
    const { call } = await platformFor(t, { RATE_LIMIT_WEIGHT_1M: "5" });
    const ping = (remoteAddress: string) => call({ method: "GET", url: "/fapi/v1/ping", remoteAddress });
    for (let used = 1; used <= 5; used++) {
      const reply = await ping("127.0.0.7");
      assert.equal(reply.statusCode, 200);
      assert.equal(reply.headers["x-mbx-used-weight-1m"], String(used));
    }
    for (let i = 0; i < 10; i++) {
      const refused = await ping("127.0.0.7");
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.json().code, -1003);
      assert.ok(Number(refused.headers["retry-after"]) >= 1);
    }
    const banned = await ping("127.0.0.7");
    assert.equal(banned.statusCode, 418);
    assert.equal(banned.json().code, -1003);
    assert.equal(banned.headers["retry-after"], "120");
    assert.equal((await ping("127.0.0.8")).statusCode, 200);
  });

  it("WIRE-1: behind a trusted proxy the forwarded address counts, from anyone else it does not", async (t) => {
    const { call } = await platformFor(t, { RATE_LIMIT_WEIGHT_1M: "2", TRUST_PROXY: "10.0.0.0/8" });
    const usedWeight = async (remoteAddress: string, forwardedFor: string) => {
      const headers = { host: "127.0.0.1", "x-forwarded-for": forwardedFor };
      const reply = await call({ method: "GET", url: "/fapi/v1/ping", remoteAddress, headers });
      return [reply.statusCode, reply.headers["x-mbx-used-weight-1m"]];
    };
    assert.deepEqual(await usedWeight("10.0.0.1", "203.0.113.1"), [200, "1"]);
    assert.deepEqual(await usedWeight("10.0.0.2", "203.0.113.1"), [200, "2"]);
    assert.deepEqual(await usedWeight("10.0.0.1", "203.0.113.2"), [200, "1"]);
    assert.deepEqual(await usedWeight("10.0.0.1", "198.51.100.9, 203.0.113.1"), [429, "3"]);
    assert.deepEqual(await usedWeight("203.0.113.50", "203.0.113.77"), [200, "1"]);
    assert.deepEqual(await usedWeight("203.0.113.50", "203.0.113.78"), [200, "2"]);
  });

  it("SEC-10: the JSON areas have their own budget; health, pages and development are exempt", async (t) => {
    const { call } = await platformFor(t, { RATE_LIMIT_JSON_PER_S: "3" });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await call({ method: "GET", url: "/api/v1/config" })).statusCode);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    const refused = await call({ method: "GET", url: "/api/v1/nothing-here" });
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.json().code, "RATE_LIMITED");
    for (const url of ["/healthz", "/readyz", "/app/", "/openapi.json", "/fapi/v1/ping"]) {
      // If the page has not been built here, the reply says so.
      const expected = url === "/app/" ? [200, 503] : [200];
      for (let i = 0; i < 5; i++) {
        const { statusCode } = await call({ method: "GET", url });
        assert.ok(expected.includes(statusCode), `${url} ${statusCode}`);
      }
    }
    const clock = { method: "POST", url: "/api/v1/dev/clock", payload: { advance_ms: 0 } } as const;
    for (let i = 0; i < 5; i++) assert.equal((await call(clock)).statusCode, 200);
  });

  it("SEC-10: a wallet has its own budget, whatever addresses it calls from", async (t) => {
    const platform = await platformFor(t, { RATE_LIMIT_JSON_PER_S: "10" });
    const { access_token } = await platform.signIn(testWallet(1));
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const reply = await platform.call({
        method: "GET",
        url: "/api/v1/account/api-keys",
        remoteAddress: `127.0.1.${i}`,
        headers: { host: "127.0.0.1", authorization: `Bearer ${access_token}` },
      });
      statuses.push(reply.statusCode);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
  });

  it("SEC-10: failed sign-ins of an address run out", async (t) => {
    const platform = await platformFor(t, { RATE_LIMIT_LOGIN_1M: "3" });
    const guess = (username: string) => platform.post("/api/v1/broker/auth/login", { username, password: "wrong" });
    for (const name of ["a", "b", "c"]) assert.equal((await guess(name)).statusCode, 401);
    const refused = await guess("d");
    assert.equal(refused.statusCode, 429);
    assert.ok(refused.headers["retry-after"]);
    const { adminUsername: username, adminPassword: password } = platform.settings;
    assert.equal((await platform.post("/api/v1/broker/auth/login", { username, password })).statusCode, 429);
  });

  it("RUN-7: /readyz names each part and turns 503 when the database is gone", async (t) => {
    const platform = await createTestPlatform();
    t.after(() => platform.close());
    const good = await platform.get("/readyz");
    assert.equal(good.statusCode, 200);
    assert.equal(good.json().status, "ready");
    const parts = [
      "database",
      "disk",
      "chain",
      "chain-events",
      "engine",
      "projector",
      "prices",
      "wallet",
      "payouts",
      "jobs",
    ];
    assert.deepEqual(Object.keys(good.json().checks), parts);
    await platform.database.close();
    const bad = await platform.get("/readyz");
    assert.equal(bad.statusCode, 503);
    assert.equal(bad.json().checks.database.ok, false);
    assert.equal((await platform.get("/healthz")).statusCode, 200);
  });

  it("RUN-6: the clock moves forward only, survives in the database, and tokens follow it", async (t) => {
    const platform = await platformFor(t);
    const { access_token } = await platform.signIn(testWallet(1));
    const before_ms = platform.clock.now();
    const moved = await platform.post("/api/v1/dev/clock", { advance_ms: 2 * 3_600_000 });
    assert.equal(moved.statusCode, 200);
    assert.equal(moved.json().now_ms, before_ms + 2 * 3_600_000);
    const runs: { name: string; ok: boolean }[] = moved.json().jobs_run;
    assert.deepEqual(
      runs.filter(({ ok }) => !ok),
      [],
    );
    // Hour by hour; a job with several due times in between runs once, for the latest.
    const own = runs.map(({ name }) => name).filter((name) => /^(funding|identity-sweep|equity-snapshot)$/.test(name));
    assert.deepEqual(own, ["funding", "identity-sweep", "funding", "equity-snapshot"]);
    assert.equal((await platform.get("/api/v1/account/api-keys", access_token)).statusCode, 401, "token has expired");
    assert.equal((await platform.get("/fapi/v1/time")).json().serverTime, platform.clock.now());
    const target = new Date(platform.clock.now() + 1000).toISOString();
    assert.equal((await platform.post("/api/v1/dev/clock", { now: target })).json().now, target);
    for (const payload of [
      {},
      { advance_ms: -1 },
      { now: before_ms },
      { now: "soon" },
      { advance_ms: 1, now: target },
      { advance_ms: 1e15 },
    ]) {
      assert.equal((await platform.post("/api/v1/dev/clock", payload)).statusCode, 400, JSON.stringify(payload));
    }
    assert.equal((await platform.post("/api/v1/dev/jobs/nothing/run")).statusCode, 404);
  });
});

describe("the HTTP kernel, with nothing unusual set", () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await createTestPlatform({ CORS_ORIGINS: "https://desk.example", PUBLIC_URL: "http://127.0.0.1:9999" });
  });
  after(() => platform.close());

  /** Makes a table unreachable until the returned function is called. */
  async function takeAway(table: string): Promise<() => Promise<void>> {
    const { schema } = platform.database.db;
    await schema.alterTable(table).renameTo("taken_away").execute();
    return () => schema.alterTable("taken_away").renameTo(table).execute();
  }

  it("SEC-2, WIRE-1: five failures lock the name with 429 and Retry-After, even for the right password", async () => {
    const { adminUsername: username, adminPassword } = platform.settings;
    const attempt = (password: string) => platform.post("/api/v1/broker/auth/login", { username, password });
    for (let i = 0; i < 5; i++) assert.equal((await attempt("wrong")).statusCode, 401);
    const locked = await attempt(adminPassword);
    assert.equal(locked.statusCode, 429);
    assert.equal(locked.headers["retry-after"], "900");
    platform.realTime.advance(15 * 60_000);
    assert.equal((await attempt(adminPassword)).statusCode, 200);
  });

  it("SEC-9: replies carry security headers and a request id, and CORS lets listed origins in", async () => {
    const { call } = platform;
    const from = async (origin: string) =>
      call({ method: "GET", url: "/api/v1/config", headers: { host: "127.0.0.1", origin } });
    const { headers } = await from("https://desk.example");
    assert.equal(headers["access-control-allow-origin"], "https://desk.example");
    assert.equal((await from("https://evil.example")).headers["access-control-allow-origin"], undefined);
    const preflight = await call({
      method: "OPTIONS",
      url: "/api/v1/account/api-keys",
      headers: { host: "127.0.0.1", origin: "https://desk.example", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers["access-control-allow-origin"], "https://desk.example");
    assert.match(String(preflight.headers["access-control-allow-headers"]), /authorization/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(String(headers["content-security-policy"]), /default-src 'none'/);
    assert.ok(headers["x-request-id"]);
    assert.equal(headers["x-powered-by"], undefined);
    assert.equal(headers["server"], undefined);
  });

  it("SEC-9: an unforeseen error tells nothing about the inside, in either area", async () => {
    const giveBack = await takeAway("auth_nonce");
    const reply = await platform.post("/api/v1/auth/nonce", { address: testWallet(1).address });
    assert.equal(reply.statusCode, 500);
    assert.deepEqual(reply.json(), { error: "something went wrong on our side", code: "INTERNAL" });
    await giveBack();
  });

  it("RUN-7: a failing job shows in /readyz, in the metrics and on the operators' list", async () => {
    const giveBack = await takeAway("auth_nonce");
    const run = await platform.post("/api/v1/dev/jobs/identity-sweep/run");
    assert.equal(run.statusCode, 200);
    assert.equal(run.json().ok, false);
    const readiness = (await platform.get("/readyz")).json();
    assert.equal(readiness.status, "degraded");
    assert.match(readiness.checks.jobs.detail, /identity-sweep: .*auth_nonce/);
    assert.match((await platform.get("/metrics")).body, /bourse_job_consecutive_failures\{job="identity-sweep"\} 1/);
    const { access_token } = await platform.adminSignIn();
    const { jobs } = (await platform.get("/api/v1/admin/jobs", access_token)).json();
    const failing = jobs.find((job: { name: string }) => job.name === "identity-sweep");
    assert.equal(failing.consecutive_failures, 1);
    await giveBack();
    assert.equal((await platform.post("/api/v1/dev/jobs/identity-sweep/run")).json().ok, true);
    assert.equal((await platform.get("/readyz")).json().status, "ready");
  });

  it("RUN-8: /api/v1/config says what a client needs to sign in", async () => {
    const config = (await platform.get("/api/v1/config")).json();
    assert.equal(config.chain_id, 43113);
    assert.deepEqual(config.sign_in, { domain: "127.0.0.1:9999", uri: "http://127.0.0.1:9999", chain_id: 43113 });
    assert.deepEqual(Object.keys(config.contracts), ["usdt", "earn", "referral", "vault"]);
  });

  it("RUN-7: the OpenAPI description is 3.1 and covers every route of the interface", async () => {
    const description = (await platform.get("/openapi.json")).json();
    assert.match(description.openapi, /^3\.1/);
    for (const row of Object.keys(policyOf(platform.app)).filter((name) =>
      /^(?:GET|POST|PUT|DELETE) \/(?:api|[dfs]api)\//.test(name),
    )) {
      const [method = "", path = ""] = row.split(" ");
      const operation = description.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      assert.ok(operation?.summary, `${row} is not described`);
      const body = operation.requestBody?.content["application/json"].schema.properties ?? {};
      for (const [field, schema] of Object.entries<Record<string, unknown>>(body)) {
        const isFree = schema["type"] === "string" || schema["type"] === "array";
        assert.ok(!isFree || "examples" in schema, `${row} has no example for ${field}`);
      }
      assert.ok(operation.responses["4XX"] ?? operation.responses["4xx"], `${row} does not describe its refusals`);
    }
  });

  it("SEC-10: control characters in headers get 403 and nonsense 400, before any route", async () => {
    await platform.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = platform.app.server.address() as AddressInfo;
    const send = (text: string) =>
      new Promise<string>((resolve) => {
        let reply = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("data", (chunk) => {
          reply += chunk;
        });
        socket.on("close", () => resolve(reply));
      });
    assert.match(
      await send("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: b\u0001c\r\n\r\n"),
      /^HTTP\/1\.1 403 .*"FORBIDDEN"/s,
    );
    assert.match(await send("nonsense\r\n\r\n"), /^HTTP\/1\.1 400 .*"BAD_REQUEST"/s);
    assert.match(await send(`GET / HTTP/1.1\r\nx: ${"a".repeat(40_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
  });
});
