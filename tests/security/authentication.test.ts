import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { NewApiKey, TokenReply } from "@bourse/api";
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { createTestPlatform, type TestPlatform, testWallet } from "../../apps/server/src/testing/test-platform.ts";
import { HOST } from "./support/people.ts";

const PASSWORD = "a long password of a BD";
const OWN = "/api/v1/account/api-keys";
const ADMINS = "/api/v1/broker/admin/bds";
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("who a request is from", () => {
  let platform: TestPlatform;
  let wallet: TokenReply;
  let key: NewApiKey;
  let listenKey: string;

  before(async () => {
    platform = await createTestPlatform();
    wallet = await platform.signIn(testWallet(1));
    key = await platform.makeApiKey(testWallet(1), ["READ", "TRADE", "WITHDRAW"]);
    const headers = { host: HOST, authorization: `Bearer ${wallet.access_token}` };
    listenKey = (await platform.call({ method: "POST", url: "/fapi/v1/listenKey", headers })).json().listenKey;
  });
  after(() => platform.close());

  const status = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await platform.call({ method: "GET", url: path, headers: { host: HOST, ...headers } })).statusCode;
  const withToken = (path: string, token: string) => status(path, { authorization: `Bearer ${token}` });

  /** A token with the usual claims, except for the given ones. */
  async function forge(claims: JWTPayload, header: Partial<JWTHeaderParameters>, sign: Parameters<SignJWT["sign"]>[0]) {
    const now_s = Math.floor(platform.clock.now() / 1000);
    const ours = { role: "wallet", sid: randomUUID(), sub: testWallet(1).address.toLowerCase(), jti: randomUUID() };
    const times = { iss: "bourse", aud: "bourse-api", iat: now_s, exp: now_s + 600 };
    const all = { alg: "HS256", typ: "at+jwt", ...header };
    return await new SignJWT({ ...ours, ...times, ...claims }).setProtectedHeader(all).sign(sign);
  }
  const secret = () => new TextEncoder().encode(platform.settings.jwtSecret);

  it("the forged tokens below differ from a good one in what their names say, and in nothing else", async () => {
    assert.equal(await withToken(OWN, await forge({}, {}, secret())), 200);
    const admin = await forge({ role: "admin", sub: randomUUID() }, {}, secret());
    assert.equal(await withToken(ADMINS, admin), 200);
  });

  it("SEC-6: no algorithm, another one, or a key of another kind is 401", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const publicPem = publicKey.export({ type: "spki", format: "pem" });
    const good = await forge({}, {}, secret());
    const [, payload = ""] = good.split(".");
    const unsigned = (alg: string) => `${encoded({ alg, typ: "at+jwt" })}.${payload}.`;
    const signedAs = (header: object) => {
      const text = `${encoded(header)}.${payload}`;
      return `${text}.${createHmac("sha256", platform.settings.jwtSecret).update(text).digest("base64url")}`;
    };
    const forged: Readonly<Record<string, string>> = {
      none: unsigned("none"),
      "None in another case": unsigned("nOnE"),
      "none with our signature": `${unsigned("none")}${good.split(".")[2]}`,
      RS256: await forge({}, { alg: "RS256" }, privateKey),
      "HS256 with a public key as its secret": await forge({}, {}, new TextEncoder().encode(String(publicPem))),
      HS512: await forge({}, { alg: "HS512" }, Buffer.concat([secret(), secret()])),
      "an empty secret": `${encoded({ alg: "HS256", typ: "at+jwt" })}.${payload}.${createHmac("sha256", "")
        .update(`${encoded({ alg: "HS256", typ: "at+jwt" })}.${payload}`)
        .digest("base64url")}`,
      "RS256 written over our own signature": signedAs({ alg: "RS256", typ: "at+jwt" }),
      "a key of its own in the header": signedAs({ alg: "none", typ: "at+jwt", jwk: { kty: "oct", k: "AA" } }),
      "an unknown critical header": signedAs({ alg: "HS256", typ: "at+jwt", crit: ["b64"], b64: false }),
    };
    for (const [what, token] of Object.entries(forged)) {
      assert.equal(await withToken(OWN, token), 401, what);
      assert.equal(await withToken("/fapi/v2/account", token), 401, `${what} on /fapi`);
    }
  });

  it("SEC-6: tokens of another environment, issuer, audience or kind are 401", async () => {
    const elsewhere = await createElsewhere();
    const forged: Readonly<Record<string, string>> = {
      "another installation": elsewhere,
      "another issuer": await forge({ iss: "bourse-staging" }, {}, secret()),
      "another audience": await forge({ aud: "bourse-web" }, {}, secret()),
      "another kind of token": await forge({}, { typ: "JWT" }, secret()),
      "no kind at all": await forge({}, { typ: "" }, secret()),
    };
    for (const [what, token] of Object.entries(forged)) assert.equal(await withToken(OWN, token), 401, what);
  });

  /** Signed with the secret of another data folder. */
  const createElsewhere = () =>
    forge({}, {}, new TextEncoder().encode("the secret of another installation 0123456789"));

  it("SEC-6: a role that does not fit its subject is 401, whatever the route", async () => {
    const address = testWallet(1).address.toLowerCase();
    const claims: readonly JWTPayload[] = [
      { role: "admin", sub: address },
      { role: "bd", sub: address },
      { role: "wallet", sub: randomUUID() },
      { role: "wallet", sub: testWallet(1).address },
      { role: "root", sub: address },
      { role: ["wallet", "admin"], sub: address },
      { role: { toString: "admin" }, sub: address },
      { role: "__proto__", sub: address },
      { role: "wallet", sub: `${address}\n` },
      { role: "wallet", sub: address, sid: "session" },
    ];
    for (const each of claims) {
      const token = await forge(each, {}, secret());
      for (const path of [OWN, ADMINS]) assert.equal(await withToken(path, token), 401, JSON.stringify(each));
    }
  });

  it("SEC-6: no credential opens what another kind is for", async () => {
    const { bonusAdminApiKey } = platform.settings;
    const bearers = [wallet.refresh_token, key.api_key, key.api_secret, listenKey, bonusAdminApiKey];
    for (const token of bearers) {
      assert.equal(await withToken(OWN, token), 401);
      assert.equal(await withToken(ADMINS, token), 401);
      assert.equal(await withToken("/api/v1/bonus/admin/reconcile-report", token), 401);
    }
    for (const text of [wallet.access_token, key.api_key, key.api_secret, listenKey]) {
      assert.equal(await status("/api/v1/bonus/admin/reconcile-report", { "x-bonus-admin-key": text }), 401);
      const refreshed = await platform.post("/api/v1/auth/refresh", { refresh_token: text });
      assert.ok([400, 401].includes(refreshed.statusCode), refreshed.body);
    }
    for (const text of [key.api_secret, listenKey, wallet.refresh_token]) {
      assert.equal(await status("/fapi/v1/historicalTrades?symbol=BTCUSDT", { "x-mbx-apikey": text }), 401);
    }
  });

  it("SEC-6: a token counts in its header only", async () => {
    const { access_token } = wallet;
    for (const name of ["token", "access_token", "authorization", "jwt"]) {
      assert.equal(await status(`${OWN}?${name}=${access_token}`, {}), 401, name);
    }
    assert.equal(await status(OWN, { cookie: `access_token=${access_token}` }), 401);
    assert.equal(await status(OWN, { "x-access-token": access_token }), 401);
    assert.equal(await status(OWN, { authorization: access_token }), 401);
    assert.equal(await status(OWN, { authorization: `Basic ${access_token}` }), 401);
    assert.equal(await status(OWN, { authorization: `Bearer ${access_token}, Bearer x` }), 401);
  });

  it("SEC-1: of twenty sign-ins with one nonce at once one succeeds", async () => {
    const own = testWallet(11);
    const { message_template: message } = (await platform.post("/api/v1/auth/nonce", { address: own.address })).json();
    const signature = await own.signMessage({ message });
    const login = () => platform.post("/api/v1/auth/login", { message, signature });
    const statuses = (await Promise.all(Array.from({ length: 20 }, login))).map(({ statusCode }) => statusCode);
    assert.deepEqual(statuses.filter((one) => one === 200).length, 1);
    assert.ok(statuses.every((one) => one === 200 || one === 401));
    assert.equal((await login()).statusCode, 401);
  });

  it("SEC-1: a message for another domain, address, chain or time is refused although it is signed", async () => {
    const own = testWallet(12);
    const { message_template } = (await platform.post("/api/v1/auth/nonce", { address: own.address })).json();
    const change = (from: RegExp, to: string) => {
      assert.match(message_template, from);
      return String(message_template).replace(from, to);
    };
    const messages: Readonly<Record<string, string>> = {
      domain: change(/^127\.0\.0\.1:8080/, "evil.example"),
      "a longer domain": change(/^127\.0\.0\.1:8080/, "127.0.0.1.evil.example:8080"),
      "a user before the domain": change(/^127\.0\.0\.1:8080/, "127.0.0.1:8080@evil.example"),
      uri: change(/URI: \S+/, "URI: https://evil.example"),
      "a path after the uri": change(/URI: \S+/, "URI: http://127.0.0.1:8080/evil"),
      chain: change(/Chain ID: \d+/, "Chain ID: 1"),
      "issued too far ahead": change(/Issued At: \S+/, "Issued At: 2026-06-01T12:01:01.000Z"),
      expired: change(/Expiration Time: \S+/, "Expiration Time: 2026-06-01T12:00:00.000Z"),
      nonce: change(/Nonce: \S+/, "Nonce: 0123456789abcdef01234567"),
    };
    for (const [what, message] of Object.entries(messages)) {
      const signature = await own.signMessage({ message });
      const reply = await platform.post("/api/v1/auth/login", { message, signature });
      assert.equal(reply.statusCode, 401, `${what}: ${reply.body}`);
    }
    const signature = await own.signMessage({ message: message_template });
    const good = await platform.post("/api/v1/auth/login", { message: message_template, signature });
    assert.equal(good.statusCode, 200, "refused attempts have not used the nonce up");
  });

  it("SEC-3: of twenty refreshes with one token at once one wins, and the session is over for all", async () => {
    const { refresh_token, access_token } = await platform.signIn(testWallet(13));
    const refresh = () => platform.post("/api/v1/auth/refresh", { refresh_token });
    const replies = await Promise.all(Array.from({ length: 20 }, refresh));
    const won = replies.filter(({ statusCode }) => statusCode === 200);
    assert.equal(won.length, 1);
    assert.equal(await withToken(OWN, access_token), 401);
    const next: TokenReply = won[0]!.json();
    assert.equal(await withToken(OWN, next.access_token), 401, "the winner's token is of the same session");
    const again = await platform.post("/api/v1/auth/refresh", { refresh_token: next.refresh_token });
    assert.equal(again.statusCode, 401);
  });

  it("SEC-2: a BD that is disabled is out at once: its token, its refresh token, its password", async () => {
    const admin = (await platform.adminSignIn()).access_token;
    const made = await platform.post(
      "/api/v1/broker/admin/bd",
      { username: "bd-out", initial_password: PASSWORD },
      admin,
    );
    const login = () => platform.post("/api/v1/broker/auth/login", { username: "bd-out", password: PASSWORD });
    const bd: TokenReply = (await login()).json();
    assert.equal(await withToken("/api/v1/broker/bd/kols", bd.access_token), 200);
    const disabled = await platform.call({
      method: "PUT",
      url: `/api/v1/broker/admin/bd/${made.json().id}`,
      headers: { host: HOST, authorization: `Bearer ${admin}` },
      payload: { status: "disabled" },
    });
    assert.equal(disabled.statusCode, 200, disabled.body);
    assert.equal(await withToken("/api/v1/broker/bd/kols", bd.access_token), 401);
    const refreshed = await platform.post("/api/v1/auth/refresh", { refresh_token: bd.refresh_token });
    assert.ok([401, 403].includes(refreshed.statusCode), refreshed.body);
    assert.equal((await login()).statusCode, 403);
  });

  it("SEC-2: a BD's token opens no admin route, and nothing makes it an admin's", async () => {
    const bd = await platform.bdToken();
    for (const headers of [{}, { "x-role": "admin" }, { "x-http-method-override": "GET" }, { "x-original-url": "/" }]) {
      assert.equal(await status(ADMINS, { ...headers, authorization: `Bearer ${bd}` }), 403);
    }
    assert.equal(await withToken(`${ADMINS}?role=admin`, bd), 403);
  });
});
