import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { SignJWT } from "jose";
import { sql } from "kysely";
import { createTestPlatform, hmac, type TestPlatform, testWallet } from "../../testing/test-platform.ts";
import { areaOf } from "./request.ts";
import { policyOf } from "./routes.ts";

type Body = Record<string, unknown>;
type CallOptions = Parameters<TestPlatform["call"]>[0];

/** A refusal must have its area's body and nothing else: no stack, no text of the framework. */
function assertRefusal(
  path: string,
  reply: { statusCode: number; json: () => Body; headers: Record<string, unknown> },
  statuses: readonly number[],
): void {
  assert.ok(statuses.includes(reply.statusCode), `${path}: ${reply.statusCode} ${JSON.stringify(reply.json())}`);
  const body = reply.json();
  const isForBots = areaOf(undefined, path) === "fapi";
  const allowed = isForBots ? ["code", "msg", "details"] : ["error", "code", "exchange_code", "details"];
  assert.ok(
    Object.keys(body).every((key) => allowed.includes(key)),
    JSON.stringify(body),
  );
  if (isForBots) {
    assert.equal(typeof body["msg"], "string");
    assert.ok(Number.isInteger(body["code"]) && (body["code"] as number) < 0);
  } else {
    assert.equal(typeof body["error"], "string");
    // BON-1: the bonus program's reasons are written as in the interface.
    const isBonus = path.startsWith("/api/v1/bonus/");
    assert.match(String(body["code"]), isBonus ? /^(?:[A-Z][A-Z0-9_]+|[a-z][a-z0-9_]+)$/ : /^[A-Z][A-Z0-9_]+$/);
  }
  assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts:|FST_ERR|at async/);
  assert.ok(reply.headers["x-request-id"], "every reply has a request id");
}

const platform = await createTestPlatform();

/** The routes that take input, with their path parameters filled in. */
const routes = Object.entries(policyOf(platform.app))
  .filter(([name]) => /^(?:GET|POST|PUT|DELETE) \/(?:api|[dfs]api)\//.test(name))
  .map(([name, access]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method: method as "GET", path: path.replace(/:\w+/g, "unknown"), access };
  });
const writing = routes.filter((route) => route.method !== "GET");
const guarded = routes.filter((route) => route.access.allow !== "anyone");

describe("bad input", () => {
  let walletToken: string;
  let adminToken: string;
  let bdToken: string;

  before(async () => {
    walletToken = (await platform.signIn(testWallet(1))).access_token;
    adminToken = (await platform.adminSignIn()).access_token;
    bdToken = await platform.bdToken();
  });
  after(() => platform.close());

  /** A digest of everything that a refused request must not change. */
  async function fingerprint(): Promise<string> {
    const tables = [
      "audit_log",
      "wallet",
      "staff",
      "session",
      "refresh_token",
      "api_key",
      "auth_nonce",
      "kernel_state",
      "broker",
      "broker_tier",
      "broker_invite_code",
      "broker_bind",
      "broker_terms",
      "rebate_period",
      "payout_batch",
      "points_level",
      "points_maker",
      "points_rule",
      "points_season",
      "bonus_campaign",
      "bonus_batch",
      "bonus_code",
      "bonus_account",
      "bonus_request",
    ];
    // One statement, because it runs thousands of times.
    const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)})::text`);
    const { rows } = await sql<{ counts: string }>`select concat_ws(',', ${sql.join(counts)}) as counts`.execute(
      platform.database.db,
    );
    return JSON.stringify({ counts: rows[0]?.counts, now: platform.clock.now() });
  }
  /** The last digest, until a request is accepted. */
  let lastPrint: string | undefined;
  async function changesNothing<T>(path: string, action: () => Promise<T>): Promise<T> {
    const before_ = lastPrint ?? (await fingerprint());
    const result = await action();
    lastPrint = await fingerprint();
    assert.equal(lastPrint, before_, `${path} changed something`);
    return result;
  }
  async function refused(path: string, options: CallOptions, statuses: readonly number[], what = "") {
    const reply = await platform.call(options);
    assertRefusal(`${path} ${what}`, reply as never, statuses);
    return reply;
  }
  const refuses = (path: string, options: CallOptions, statuses: readonly number[]) =>
    changesNothing(path, () => refused(path, options, statuses));
  /** A call that may be accepted. */
  const call = (options: CallOptions) => {
    lastPrint = undefined;
    return platform.call(options);
  };
  /** A token like ours for the wallet, with one change. */
  function tokenWith(
    key: string,
    change: (jwt: SignJWT) => SignJWT = (jwt) => jwt,
    header = { alg: "HS256", typ: "at+jwt" },
  ): Promise<string> {
    const now_s = Math.floor(platform.clock.now() / 1000);
    const jwt = new SignJWT({ role: "wallet", sid: "5b0f6f2e-6f0c-4b6e-9d6b-5d0d0d0d0d0d" })
      .setProtectedHeader(header)
      .setSubject("0x0000000000000000000000000000000000000001")
      .setIssuer("bourse")
      .setAudience("bourse-api")
      .setJti("6c0f6f2e-6f0c-4b6e-9d6b-5d0d0d0d0d0d")
      .setIssuedAt(now_s)
      .setExpirationTime(now_s + 600);
    return change(jwt).sign(new TextEncoder().encode(key));
  }
  async function badTokens(): Promise<Record<string, string>> {
    const now_s = Math.floor(platform.clock.now() / 1000);
    const { jwtSecret } = platform.settings;
    const good = await tokenWith(jwtSecret);
    const [header = "", payload = ""] = good.split(".");
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    return {
      "alg none": `${unsigned}.${payload}.`,
      "alg none in the payload's company": `${unsigned}.${payload}.${good.split(".")[2]}`,
      unsigned: `${header}.${payload}.`,
      "wrong key": await tokenWith("another secret that is long enough to be one"),
      "wrong audience": await tokenWith(jwtSecret, (jwt) => jwt.setAudience("elsewhere")),
      "wrong issuer": await tokenWith(jwtSecret, (jwt) => jwt.setIssuer("elsewhere")),
      "wrong type": await tokenWith(jwtSecret, undefined, { alg: "HS256", typ: "JWT" }),
      expired: await tokenWith(jwtSecret, (jwt) => jwt.setExpirationTime(now_s - 1)),
      "from the future": await tokenWith(jwtSecret, (jwt) => jwt.setIssuedAt(now_s + 3600)),
      "other algorithm": await tokenWith(jwtSecret.repeat(2), undefined, { alg: "HS512", typ: "at+jwt" }),
      "strange subject": await tokenWith(jwtSecret, (jwt) => jwt.setSubject("root")),
      garbage: "not.a.token",
      empty: "",
      tampered: `${walletToken.slice(0, -3)}AAA`,
    };
  }
  const tokenFor = (route: (typeof routes)[number]): string | undefined => {
    if (route.access.allow === "anyone") return undefined;
    if (route.access.allow.includes("wallet")) return walletToken;
    return route.access.allow.includes("admin") ? adminToken : bdToken;
  };
  const headersFor = (route: (typeof routes)[number], more: Record<string, string> = {}) => {
    const token = tokenFor(route);
    return { host: "127.0.0.1:8080", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more };
  };

  // Routes that read no body cannot refuse a well-formed one.
  const bodiless = [
    "POST /api/v1/auth/logout",
    "DELETE /api/v1/account/api-keys/:api_key",
    "DELETE /api/v1/broker/admin/config/tier-thresholds",
    "POST /api/v1/dev/jobs/:name/run",
  ];
  // Routes that check something else before the fields, or require none.
  const refusedOtherwise: Readonly<Record<string, number>> = {
    "POST /api/v1/broker/invite-code": 404,
    "POST /api/v1/broker/admin/rebate/payout-batches": 409,
  };
  const badBodies: readonly [string, string, string][] = [
    ["malformed JSON", "application/json", '{"a":'],
    ["JSON that is no object", "application/json", "[1,2]"],
    ["prototype keys", "application/json", '{"__proto__":{"role":"admin"}}'],
    ["constructor keys", "application/json", '{"constructor":{"prototype":{"role":"admin"}}}'],
    ["an unknown content type", "application/xml", "<a/>"],
    ["plain text", "text/plain", "{}"],
    ["multipart", "multipart/form-data; boundary=x", "--x--"],
    ["an inexact number", "application/json", '{"advance_ms":1.00000000000000000001}'],
  ];
  for (const route of writing.filter(({ access }) => access.area !== "fapi")) {
    for (const [what, type, payload] of badBodies) {
      it(`SEC-9: ${route.name} refuses ${what}`, async () => {
        const headers = headersFor(route, { "content-type": type });
        await refuses(route.path, { method: route.method, url: route.path, headers, payload }, [400, 415]);
      });
    }
    it(`SEC-9: ${route.name} refuses a body over 256 KB`, async () => {
      const headers = headersFor(route, { "content-type": "application/json" });
      const payload = JSON.stringify({ label: "x".repeat(257 * 1024) });
      await refuses(route.path, { method: route.method, url: route.path, headers, payload }, [413]);
    });
    if (bodiless.includes(route.name)) continue;
    for (const [what, value] of [
      ["numbers", 12],
      ["objects", {}],
      ["arrays", [[]]],
      ["null", null],
    ] as const) {
      it(`SEC-9: ${route.name} refuses ${what} where text belongs`, async () => {
        const names = [
          "address",
          "message",
          "signature",
          "username",
          "password",
          "refresh_token",
          "label",
          "permissions",
          "advance_ms",
        ];
        const payload = Object.fromEntries(names.map((name) => [name, name === "advance_ms" ? "12" : value]));
        await refuses(route.path, { method: route.method, url: route.path, headers: headersFor(route), payload }, [
          refusedOtherwise[route.name] ?? 400,
        ]);
      });
    }
    it(`SEC-9: ${route.name} refuses an empty body`, async () => {
      const statuses = [refusedOtherwise[route.name] ?? 400];
      await refuses(route.path, { method: route.method, url: route.path, headers: headersFor(route) }, statuses);
    });
  }

  it("SEC-3: the token that the forged ones differ from is a good one", async () => {
    const good = await tokenWith(platform.settings.jwtSecret);
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${good}` };
    assert.equal((await call({ method: "GET", url: "/api/v1/account/api-keys", headers })).statusCode, 200);
  });

  let forged: Record<string, string>;
  before(async () => {
    forged = await badTokens();
  });

  for (const route of guarded) {
    it(`SEC-6: ${route.name} refuses forged, expired and foreign tokens before it looks at the body`, async () => {
      await changesNothing(route.path, async () => {
        for (const [what, token] of Object.entries(forged)) {
          const headers = {
            host: "127.0.0.1:8080",
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
          };
          await refused(route.path, { method: route.method, url: route.path, headers, payload: "{" }, [401], what);
        }
      });
    });

    it(`WIRE-1: ${route.name} without credentials is 401, whatever the body`, async () => {
      const headers = { host: "127.0.0.1:8080", "content-type": "text/nonsense" };
      await refuses(route.path, { method: route.method, url: route.path, headers, payload: "\u0000{" }, [401]);
      const basic = { ...headers, authorization: "Basic YWRtaW46YWRtaW4=" };
      await refuses(route.path, { method: route.method, url: route.path, headers: basic, payload: "{" }, [401]);
    });
  }

  describe("signed requests", () => {
    const path = "/fapi/v1/positionSide/dual";
    let key: { api_key: string; api_secret: string };
    before(async () => {
      key = await platform.makeApiKey(testWallet(2));
      lastPrint = undefined;
    });
    const send = (text: string, contentType = "application/x-www-form-urlencoded") => ({
      method: "POST" as const,
      url: path,
      headers: { host: "127.0.0.1:8080", "x-mbx-apikey": key.api_key, "content-type": contentType },
      payload: text,
    });
    const signed = (text: string) => `${text}&signature=${hmac(key.api_secret, text)}`;
    const stamp = () => `timestamp=${platform.clock.now()}`;

    it("SEC-5: one changed byte gives -1022", async () => {
      const good = signed(`dualSidePosition=false&${stamp()}`);
      assert.equal((await call(send(good))).statusCode, 200);
      for (const bad of [
        good.replace("false", "fblse"),
        good.replace("&signature", "&x=1&signature"),
        `${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`,
      ]) {
        const reply = await refuses(path, send(bad), [400]);
        assert.equal(reply.json().code, -1022);
      }
    });

    it("SEC-5: an old timestamp gives -1021 with the drift in the message", async () => {
      const text = `dualSidePosition=false&timestamp=${platform.clock.now() - 6_000}`;
      const reply = await refuses(path, send(signed(text)), [400]);
      assert.equal(reply.json().code, -1021);
      assert.match(reply.json().msg, /^Timestamp for this request is outside of the recvWindow\..*6000/);
    });

    it("FUT-16: key before timestamp before signature before parameters", async () => {
      const codes = async (options: CallOptions) => (await call(options)).json().code;
      const noKey = {
        ...send(""),
        headers: { host: "127.0.0.1:8080", "content-type": "application/x-www-form-urlencoded" },
      };
      assert.equal(await codes(noKey), -2014);
      const oldStamp = `timestamp=${platform.clock.now() - 60_001}`;
      assert.equal(await codes(send(`${oldStamp}&signature=00`)), -1021);
      assert.equal(await codes(send(`${stamp()}&signature=${"0".repeat(64)}`)), -1022);
      assert.equal(await codes(send(signed(stamp()))), -1102);
      assert.equal(await codes(send(signed(`dualSidePosition=maybe&${stamp()}`))), -1102);
      assert.equal(await codes(send(signed(`dualSidePosition=true&${stamp()}`))), -4059);
    });

    it("T1: hedge mode is refused with -4059 and says why; one-way mode is a success, also repeated", async () => {
      const choose = (mode: string) => call(send(signed(`dualSidePosition=${mode}&${stamp()}`)));
      const refused = await choose("true");
      assert.equal(refused.statusCode, 400);
      assert.equal(refused.json().code, -4059);
      assert.match(refused.json().msg, /Hedge mode is not available/);
      for (const mode of ["false", "FALSE"]) {
        const reply = await choose(mode);
        assert.equal(reply.statusCode, 200);
        assert.deepEqual(reply.json(), { code: 200, msg: "success" });
      }
    });

    it("T8: raw and URL-encoded forms both verify, in query or body, and the query wins", async () => {
      const ok = async (options: CallOptions) => assert.equal((await call(options)).statusCode, 200);
      const raw = `dualSidePosition=false&note=[{"a":"b c"}]&${stamp()}`;
      const encoded = `dualSidePosition=false&note=${encodeURIComponent('[{"a":"b c"}]')}&${stamp()}`;
      await ok(send(`${raw}&signature=${hmac(key.api_secret, raw)}`));
      await ok(send(`${encoded}&signature=${hmac(key.api_secret, encoded)}`));
      await ok(send(`${encoded}&signature=${hmac(key.api_secret, raw)}`));
      await ok(send(`${raw}&signature=${hmac(key.api_secret, encoded)}`));
      const query = `dualSidePosition=false&${stamp()}`;
      await ok({ ...send(""), url: `${path}?${query}&signature=${hmac(key.api_secret, query)}` });
      const body = "dualSidePosition=true";
      await ok({ ...send(body), url: `${path}?${query}&signature=${hmac(key.api_secret, query + body)}` });
      await ok({ ...send("", "application/json"), url: `${path}?${query}&signature=${hmac(key.api_secret, query)}` });
    });

    it("SEC-9: a signed body that is no form is refused", async () => {
      const query = `dualSidePosition=false&${stamp()}`;
      const body = "{}";
      const url = `${path}?${query}&signature=${hmac(key.api_secret, query + body)}`;
      await refuses(path, { ...send(body, "application/json"), url }, [415]);
      await refuses(path, send(`a=${"x".repeat(257 * 1024)}`), [413]);
    });

    it("SEC-5: a wallet's token opens the same endpoint, staff's does not", async () => {
      const withToken = (token: string) => ({
        method: "POST" as const,
        url: `${path}?dualSidePosition=false`,
        headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
      });
      assert.equal((await call(withToken(walletToken))).statusCode, 200);
      await refuses(path, withToken(adminToken), [403]);
    });
  });

  it("unknown paths answer 404 in their area's body", async () => {
    await refuses("/api/v1/nothing", { method: "GET", url: "/api/v1/nothing" }, [404]);
    await refuses("/fapi/v1/nothing", { method: "GET", url: "/fapi/v1/nothing" }, [404]);
    await refuses("/api/v1/broker/sub-kol-stats", { method: "GET", url: "/api/v1/broker/sub-kol-stats" }, [404]);
  });

  it("SEC-9: a path that cannot be decoded is refused in its area's body", async () => {
    await refuses("/api/v1/%zz", { method: "GET", url: "/api/v1/%zz" }, [400, 404]);
    await refuses("/fapi/v1/%zz", { method: "GET", url: "/fapi/v1/%zz" }, [400, 404]);
    const key = `/api/v1/account/api-keys/${"k".repeat(300)}`;
    await refuses(key, { method: "DELETE", url: key }, [401, 404, 414]);
  });

  it("SEC-9: strange content types are judged after the caller", async () => {
    const headers = { host: "127.0.0.1:8080", "content-type": "\u00ff;;;=" };
    await refuses(
      "/api/v1/account/api-keys",
      { method: "POST", url: "/api/v1/account/api-keys", headers, payload: "{}" },
      [401],
    );
    await refuses("/api/v1/auth/nonce", { method: "POST", url: "/api/v1/auth/nonce", headers, payload: "{}" }, [415]);
  });

  it("SEC-10: path traversal and foreign hosts get 403", async () => {
    await refuses("/app/../x", { method: "GET", url: "/app/..%2f..%2fpackage.json" }, [403]);
    await refuses("/x", { method: "GET", url: "/healthz", headers: { host: "rebind.example" } }, [403]);
  });
});
