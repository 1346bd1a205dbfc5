import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NewApiKey, Permission } from "@bourse/api";
import { policyOf } from "../../apps/server/src/kernel/http/routes.ts";
import { createTestPlatform, hmac, testWallet } from "../../apps/server/src/testing/test-platform.ts";
import { HOST, type Method } from "./support/people.ts";

const SYMBOL = "BTCUSDT";
const ORDER = `symbol=${SYMBOL}&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.010&price=59000`;
const FORM = "application/x-www-form-urlencoded";
const PERMISSIONS: readonly Permission[] = ["READ", "TRADE", "WITHDRAW"];

interface Sent {
  readonly method?: Method;
  readonly path?: string;
  readonly query: string;
  readonly body?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

const platform = await createTestPlatform();
const policy = policyOf(platform.app);

describe("SEC-4, SEC-5: API keys and signatures", () => {
  let token: string;
  let key: NewApiKey;
  const address = testWallet(1).address.toLowerCase();

  before(async () => {
    token = (await platform.signIn(testWallet(1))).access_token;
    await platform.post("/api/v1/dev/price", { symbol: SYMBOL, price: "60000" });
    const given = await platform.post("/api/v1/dev/faucet", { address, amount: "10000" });
    assert.equal(given.statusCode, 200, given.body);
    key = await platform.makeApiKey(testWallet(1), ["READ", "TRADE", "WITHDRAW"]);
  });
  after(() => platform.close());

  async function send({
    method = "GET",
    path = "/fapi/v2/account",
    query,
    body,
    apiKey,
    headers,
    remoteAddress,
  }: Sent) {
    const reply = await platform.call({
      method,
      url: query === "" ? path : `${path}?${query}`,
      headers: {
        host: HOST,
        "x-mbx-apikey": apiKey ?? key.api_key,
        ...(body === undefined ? {} : { "content-type": FORM }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    return { status: reply.statusCode, body: reply.json(), code: reply.json().code as number | undefined };
  }
  const now = () => platform.clock.now();
  const signed = (text: string, secret = key.api_secret) => `${text}&signature=${hmac(secret, text)}`;
  const openOrders = async () => (await platform.get("/orders/open", token)).json().orders.length as number;

  describe("what a key is permitted", () => {
    const rows = Object.entries(policy).filter(([, { apiKey }]) => apiKey !== undefined && apiKey !== "KEY_ONLY");
    const keys = new Map<Permission, NewApiKey>();
    before(async () => {
      for (const permission of PERMISSIONS)
        keys.set(permission, await platform.makeApiKey(testWallet(2), [permission]));
    });

    it("every route that keys open asks for one of the permissions, and all three are asked for", () => {
      assert.deepEqual([...new Set(rows.map(([, { apiKey }]) => apiKey))].sort(), [...PERMISSIONS].sort());
    });

    for (const [name, { apiKey: needed, area }] of rows) {
      it(`SEC-4: ${name} opens to a key with ${needed} and to no other`, async () => {
        const [method = "", path = ""] = name.split(" ");
        for (const permission of PERMISSIONS) {
          const { api_key, api_secret } = keys.get(permission)!;
          const query = signed(`timestamp=${now()}`, api_secret);
          const { status, code } = await send({ method: method as Method, path, query, apiKey: api_key });
          const isRefused = area === "fapi" ? status === 401 && code === -2015 : status === 403;
          assert.equal(isRefused, permission !== needed, `${permission}: ${status} ${code}`);
          // A permitted request may still be refused for its content.
          if (permission === needed) assert.ok(![401, 403].includes(status), `${permission}: ${status} ${code}`);
        }
      });
    }

    it("SEC-4: a key opens no route of the JSON areas but withdrawals", async () => {
      const query = signed(`timestamp=${now()}`);
      const closed = Object.entries(policy).filter(
        ([name, { area, allow, apiKey }]) =>
          area === "json" && allow !== "anyone" && apiKey === undefined && name.startsWith("GET "),
      );
      assert.ok(closed.length > 40);
      for (const [name] of closed) {
        const path = (name.split(" ")[1] ?? "").replace(/:\w+/g, "unknown");
        assert.equal((await send({ path, query })).status, 401, name);
      }
    });
  });

  describe("where and how long a key works", () => {
    const makeKey = async (terms: object): Promise<NewApiKey> => {
      const body = { label: "bound", permissions: ["READ"], ...terms };
      const reply = await platform.post("/api/v1/account/api-keys", body, token);
      assert.equal(reply.statusCode, 200, reply.body);
      return reply.json();
    };

    it("SEC-4: a key bound to addresses works from them only, whatever the request says of where it is from", async () => {
      const bound = await makeKey({ ip_whitelist: ["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"] });
      const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
        send({
          query: signed(`timestamp=${now()}`, bound.api_secret),
          apiKey: bound.api_key,
          remoteAddress,
          headers,
        });
      for (const good of ["203.0.113.7", "::ffff:203.0.113.7", "198.51.100.200", "2001:db8:1::5"]) {
        assert.equal((await from(good)).status, 200, good);
      }
      const claims = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip", "x-client-ip"];
      for (const bad of ["203.0.113.8", "127.0.0.1", "::1", "2001:db9::1", "198.51.101.1"]) {
        assert.equal((await from(bad)).code, -2015, bad);
        for (const name of claims) {
          const value = name === "forwarded" ? "for=203.0.113.7" : "203.0.113.7";
          assert.equal((await from(bad, { [name]: value })).code, -2015, `${bad} with ${name}`);
        }
      }
      const keyOnly = await send({
        method: "POST",
        path: "/fapi/v1/listenKey",
        query: "",
        apiKey: bound.api_key,
        remoteAddress: "203.0.113.8",
      });
      assert.equal(keyOnly.code, -2015, "also where no signature is asked for");
    });

    it("SEC-4: an expired key and a revoked one are refused at once, with and without signature", async () => {
      const short = await makeKey({ expires_at: new Date(now() + 60_000).toISOString() });
      const revoked = await makeKey({});
      const uses = async ({ api_key, api_secret }: NewApiKey) => [
        (await send({ query: signed(`timestamp=${now()}`, api_secret), apiKey: api_key })).status,
        (await send({ path: "/fapi/v1/historicalTrades", query: `symbol=${SYMBOL}`, apiKey: api_key })).status,
      ];
      assert.deepEqual(await uses(short), [200, 200]);
      assert.deepEqual(await uses(revoked), [200, 200]);
      platform.realTime.advance(60_000);
      assert.deepEqual(await uses(short), [401, 401]);
      const headers = { host: HOST, authorization: `Bearer ${token}` };
      await platform.call({ method: "DELETE", url: `/account/api-keys/${revoked.api_key}`, headers });
      assert.deepEqual(await uses(revoked), [401, 401]);
    });
  });

  describe("the time of a request", () => {
    const at = async (offset_ms: number, recvWindow?: number | string) => {
      const window = recvWindow === undefined ? "" : `recvWindow=${recvWindow}&`;
      return await send({ query: signed(`${window}timestamp=${now() + offset_ms}`) });
    };

    it("SEC-5: the borders are exact on both sides", async () => {
      for (const [offset_ms, recvWindow, code] of [
        [999, undefined, undefined],
        [1_000, undefined, -1021],
        [-5_000, undefined, undefined],
        [-5_001, undefined, -1021],
        [-60_000, 60_000, undefined],
        [-60_001, 60_000, -1021],
        [0, 1, undefined],
        [-1, 1, undefined],
        [-2, 1, -1021],
        [0, 0, -1130],
        [0, 60_001, -1130],
        [0, "5000.5", -1130],
        [0, "-1", -1130],
      ] as const) {
        assert.equal((await at(offset_ms, recvWindow)).code, code, `${offset_ms} ms within ${recvWindow}`);
      }
    });

    it("SEC-5: a request may be repeated as long as its window is open, and not a millisecond longer", async () => {
      const query = signed(`timestamp=${now()}`);
      assert.equal((await send({ query })).status, 200);
      platform.realTime.advance(5_000);
      assert.equal((await send({ query })).status, 200);
      platform.realTime.advance(1);
      assert.equal((await send({ query })).code, -1021);
    });
  });

  describe("an order that is sent twice", () => {
    const place = (query: string) => send({ method: "POST", path: "/fapi/v1/order", query });

    it("SEC-5: with a name of its client's it is placed once", async () => {
      const before_ = await openOrders();
      const query = signed(`${ORDER}&newClientOrderId=once&timestamp=${now()}`);
      assert.equal((await place(query)).status, 200);
      assert.equal((await place(query)).code, -4116);
      const together = signed(`${ORDER}&newClientOrderId=together&timestamp=${now()}`);
      const codes = (await Promise.all(Array.from({ length: 8 }, () => place(together)))).map(({ code }) => code);
      assert.equal(codes.filter((code) => code === undefined).length, 1);
      assert.equal(await openOrders(), before_ + 2);
    });

    it("SEC-5: a client's name is taken as long as its order is open, and free again afterwards", async () => {
      // There is no seller: it expires at once.
      const text = `${ORDER.replace("GTC", "IOC")}&newClientOrderId=gone&timestamp=${now()}`;
      const replies = [await place(signed(text)), await place(signed(text))];
      assert.deepEqual(
        replies.map(({ body }) => body.status),
        ["EXPIRED", "EXPIRED"],
      );
      assert.notEqual(replies[0]!.body.orderId, replies[1]!.body.orderId);
    });

    it("SEC-5: without one the repetition is an order of its own, as on other exchanges", async () => {
      const before_ = await openOrders();
      const query = signed(`${ORDER}&timestamp=${now()}`);
      assert.deepEqual([(await place(query)).status, (await place(query)).status], [200, 200]);
      assert.equal(await openOrders(), before_ + 2);
    });

    it("VLT-1: a withdrawal with a request_id is made once, however often its request comes", async () => {
      const body = JSON.stringify({ amount: "7", request_id: "once" });
      const query = `timestamp=${now()}`;
      const url = `/withdraw/request?${query}&signature=${hmac(key.api_secret, query + body)}`;
      const headers = { host: HOST, "x-mbx-apikey": key.api_key, "content-type": "application/json" };
      const ask = () => platform.call({ method: "POST", url, headers, payload: body });
      const replies = await Promise.all([ask(), ask(), ask()]);
      assert.equal(new Set(replies.map((reply) => reply.json().withdrawal_id)).size, 1);
      const { withdrawals } = (await platform.get("/withdraw/list", token)).json();
      assert.equal(withdrawals.filter(({ amount }: { amount: string }) => amount === "7.00").length, 1);
    });
  });

  describe("what is signed is what is done", () => {
    const inWindow = () => `timestamp=${now()}`;

    it("SEC-5: signature in the query or in the body, first or last, in either case of its digits", async () => {
      const text = inWindow();
      const signature = hmac(key.api_secret, text);
      assert.equal((await send({ query: `signature=${signature}&${text}` })).status, 200);
      assert.equal((await send({ query: `${text}&signature=${signature.toUpperCase()}` })).status, 200);
      const leverage = `symbol=${SYMBOL}&leverage=9&${inWindow()}`;
      const post = (query: string, body: string) => send({ method: "POST", path: "/fapi/v1/leverage", query, body });
      assert.equal((await post("", signed(leverage))).status, 200);
      assert.equal((await post(`symbol=${SYMBOL}`, "x=1")).code, -1102);
      const whole = hmac(key.api_secret, `symbol=${SYMBOL}leverage=8&${inWindow()}`);
      assert.equal((await post(`symbol=${SYMBOL}&signature=${whole}`, `leverage=8&${inWindow()}`)).status, 200);
    });

    it("SEC-5: whatever is added, changed, moved or left away after signing is -1022", async () => {
      const text = `symbol=${SYMBOL}&leverage=5&${inWindow()}`;
      const signature = hmac(key.api_secret, text);
      const altered: Readonly<Record<string, string>> = {
        "a parameter after the signature": `${text}&signature=${signature}&newClientOrderId=x`,
        "a parameter before it": `x=1&${text}&signature=${signature}`,
        "another value": `${text.replace("leverage=5", "leverage=50")}&signature=${signature}`,
        "another order": `leverage=5&symbol=${SYMBOL}&${inWindow()}&signature=${signature}`,
        "one parameter less": `symbol=${SYMBOL}&${inWindow()}&signature=${signature}`,
        "an encoded separator": `symbol=${SYMBOL}%26leverage%3D5&${inWindow()}&signature=${signature}`,
        "another timestamp": `${text.replace(/timestamp=\d+/, `timestamp=${now() + 1}`)}&signature=${signature}`,
        "half a signature": `${text}&signature=${signature.slice(0, 32)}`,
        "a longer signature": `${text}&signature=${signature}00`,
        "no hex": `${text}&signature=${"zz".repeat(32)}`,
        "the secret itself": `${text}&signature=${key.api_secret}`,
        "a signature without the secret": `${text}&signature=${hmac("", text)}`,
        "another key's secret": `${text}&signature=${hmac("another secret", text)}`,
      };
      for (const [what, query] of Object.entries(altered)) {
        assert.equal((await send({ method: "POST", path: "/fapi/v1/leverage", query })).code, -1022, what);
      }
      const other = await send({ method: "POST", path: "/fapi/v1/leverage", query: `${text}&signature=${signature}` });
      assert.equal(other.status, 200, "unchanged it is good");
    });

    it("SEC-5: a name that comes twice is refused, and what is signed under an encoded name does not count", async () => {
      const twice = [
        `symbol=${SYMBOL}&leverage=5&leverage=50&${inWindow()}`,
        `symbol=${SYMBOL}&leverage=5&lever%61ge=50&${inWindow()}`,
        `symbol=${SYMBOL}&leverage=5&${inWindow()}&${inWindow()}`,
      ];
      for (const text of twice) {
        assert.equal(
          (await send({ method: "POST", path: "/fapi/v1/leverage", query: signed(text) })).code,
          -1101,
          text,
        );
      }
      const late = now() - 20_000;
      for (const [text, code] of [
        [`timest%61mp=${now()}`, -1102],
        [`timestamp=${late}&recvWindo%77=60000`, -1021],
        [`timestamp=${late}&timest%61mp=${now()}`, -1021],
      ] as const) {
        assert.equal((await send({ query: signed(text) })).code, code, text);
      }
      const text = inWindow();
      const right = hmac(key.api_secret, text);
      assert.equal((await send({ query: `${text}&signature=${right}&signature=${right}` })).code, -1101);
      assert.equal((await send({ query: `${text}&sign%61ture=${right}` })).code, -1102);
    });

    it("T8: of a name in query and body the query counts, for the signature check and for the action", async () => {
      const query = `symbol=${SYMBOL}&leverage=4&timestamp=${now()}`;
      const body = `leverage=40&timestamp=${now() - 999_999}`;
      const signature = hmac(key.api_secret, query + body);
      const reply = await send({
        method: "POST",
        path: "/fapi/v1/leverage",
        query: `${query}&signature=${signature}`,
        body,
      });
      assert.deepEqual([reply.status, reply.body.leverage], [200, 4]);
    });
  });
});
