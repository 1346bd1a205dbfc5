import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { createTestPlatform, type TestPlatform, testWallet } from "../../apps/server/src/testing/test-platform.ts";
import { HOST } from "./support/people.ts";
import { rawRequest, sendRaw } from "./support/raw-http.ts";

const JSON_TYPE = { "content-type": "application/json" };
const LINE_BREAKS = ["%0d%0aset-cookie:%20x=1", "%0aset-cookie:%20x=1", "%E5%98%8D%E5%98%8Aset-cookie:x"];

describe("SEC-9, SEC-10: requests that no honest client sends", () => {
  let platform: TestPlatform;
  let port: number;
  let token: string;

  before(async () => {
    platform = await createTestPlatform({ TRUST_PROXY: "10.0.0.0/8" });
    await platform.app.listen({ host: "127.0.0.1", port: 0 });
    port = (platform.app.server.address() as AddressInfo).port;
    token = (await platform.signIn(testWallet(1))).access_token;
  });
  after(() => platform.close());

  const get = (path: string, ...headers: string[]) => sendRaw(port, rawRequest(`GET ${path} HTTP/1.1`, ...headers));

  it("SEC-10: no way out of the folders of pages and documentation", async () => {
    const ups = ["..", "%2e%2e", ".%2e", "%2E.", "..%00", "..%c0%af", "....", "..;", "%252e%252e", "\\..", "%5c.."];
    const roots = ["/app/", "/app/assets/", "/docs/", "/docs/js/", "/"];
    const targets = ["package.json", "apps/server/src/compose/platform.ts", "etc/passwd", "development-secrets.json"];
    for (const root of roots) {
      for (const up of ups) {
        for (const slash of ["/", "%2f", "%5c", "//"]) {
          for (const target of targets) {
            const path = `${root}${`${up}${slash}`.repeat(4)}${target}`;
            const { status, body } = await get(path);
            assert.ok([400, 403, 404, 503].includes(status) || /<!doctype html>/i.test(body), `${path}: ${status}`);
            assert.doesNotMatch(body, /"workspaces"|createBroker|root:x:0|OPERATOR_KEY/, path);
          }
        }
      }
    }
  });

  it("SEC-9: redirects lead to the app and nowhere else", async () => {
    const paths = [
      "/",
      "/app",
      "//evil.example",
      "///evil.example/..",
      "/\\evil.example",
      "/app//evil.example",
      "/.evil",
    ];
    for (const path of [...paths, "/?next=//evil.example", "/app?x=https://evil.example", "http://evil.example/"]) {
      for (const host of ["127.0.0.1:8080", "localhost"]) {
        const { head, status } = await sendRaw(
          port,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX-Forwarded-Host: evil.example\r\n\r\n`,
        );
        const location = /^location: (.*)$/im.exec(head)?.[1];
        if (location === undefined) continue;
        assert.equal(status, 302, path);
        assert.match(location, /^\/app\/(?:\?|$)/, path);
      }
    }
  });

  it("SEC-9: nothing that is sent becomes a header of the reply", async () => {
    for (const text of LINE_BREAKS) {
      for (const path of [
        `/${text}`,
        `/?${text}`,
        `/app?x=${text}`,
        `/api/v1/${text}`,
        `/fapi/v1/order?symbol=${text}`,
      ]) {
        const { head } = await get(path, `X-Request-Id: ${text}`, `Origin: http://evil.example${text}`);
        assert.doesNotMatch(head, /^set-cookie/im, path);
        assert.doesNotMatch(head, /evil/i, path);
      }
    }
    const { head } = await get("/api/v1/config", "X-Request-Id: mine", "X-Correlation-Id: mine");
    assert.match(head, /^x-request-id: [A-Za-z0-9]{8}-\w+$/im);
    assert.doesNotMatch(head, /mine/);
  });

  it("SEC-10: bare line ends, control characters and doubled lengths are refused before any route", async () => {
    const broken: Readonly<Record<string, string>> = {
      "a control character in a header": rawRequest("GET /api/v1/config HTTP/1.1", "X-A: a\u0001b"),
      "NUL in a header": rawRequest("GET /api/v1/config HTTP/1.1", "X-A: a\u0000b"),
      "a bare CR in a header": rawRequest("GET /api/v1/config HTTP/1.1", "X-A: a\rSet-Cookie: x=1"),
      "two lengths": rawRequest("POST /api/v1/auth/nonce HTTP/1.1", "Content-Length: 2", "Content-Length: 40"),
      "a length and chunks": rawRequest(
        "POST /api/v1/auth/nonce HTTP/1.1",
        "Content-Length: 4",
        "Transfer-Encoding: chunked",
      ),
      "chunks that are none": rawRequest("POST /api/v1/auth/nonce HTTP/1.1", "Transfer-Encoding: xchunked"),
      "a folded header": rawRequest("GET /api/v1/config HTTP/1.1", "X-A: a", " Set-Cookie: x=1"),
      "a space before the colon": rawRequest("GET /api/v1/config HTTP/1.1", "Content-Length : 5"),
      "no host": "GET /api/v1/config HTTP/1.1\r\nConnection: close\r\n\r\n",
    };
    for (const [what, text] of Object.entries(broken)) {
      const { status, head } = await sendRaw(port, text);
      assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
      assert.doesNotMatch(head, /^set-cookie/im, what);
    }
  });

  it("RUN-4: a development server answers to local names only, so that no foreign page can rebind its own", async () => {
    for (const host of ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", ""]) {
      const reply = await sendRaw(port, `GET /api/v1/config HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      assert.equal(reply.status, 403, host);
    }
  });

  describe("where a request is from", () => {
    /** The IP that was stored with a sign-in. */
    async function seenFrom(remoteAddress: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
      const wallet = testWallet(2);
      const call = (url: string, payload: object) =>
        platform.call({ method: "POST", url, payload, headers: { host: HOST, ...headers }, remoteAddress });
      const { message_template: message } = (await call("/api/v1/auth/nonce", { address: wallet.address })).json();
      const signature = await wallet.signMessage({ message });
      const reply = await call("/api/v1/auth/login", { message, signature });
      assert.equal(reply.statusCode, 200, reply.body);
      const sessions = platform.database.db.$extendTables<{ session: { ip: string | null; created_at: Date } }>();
      const row = sessions.selectFrom("session").select("ip").orderBy("created_at", "desc").orderBy("ip", "desc");
      return (await row.where("ip", "is not", null).execute()).map(({ ip }) => ip);
    }

    it("WIRE-1: only a trusted proxy is believed, and only the last address that it did not vouch for", async () => {
      const cases = [
        ["203.0.113.9", { "x-forwarded-for": "198.51.100.1" }, "203.0.113.9"],
        ["10.0.0.5", { "x-forwarded-for": "198.51.100.2" }, "198.51.100.2"],
        ["10.0.0.5", { "x-forwarded-for": "192.0.2.66, 198.51.100.3" }, "198.51.100.3"],
        ["10.0.0.5", { "x-forwarded-for": "192.0.2.66, 198.51.100.4, 10.1.1.1" }, "198.51.100.4"],
        ["10.0.0.5", { "x-real-ip": "192.0.2.67", "x-forwarded-host": "evil.example" }, "10.0.0.5"],
      ] as const;
      for (const [remote, headers, expected] of cases) {
        const seen = (await seenFrom(remote, headers)) as string[];
        assert.ok(seen.includes(expected), `${remote} ${JSON.stringify(headers)}: ${seen}`);
        assert.ok(!seen.some((ip) => ip.startsWith("192.0.2.")), "what a client says of itself is not believed");
      }
    });

    it("WIRE-1: what a proxy hands on that is no address breaks nothing", async () => {
      for (const forwarded of [
        "unknown",
        "a'b",
        "999.1.1.1",
        ",,,",
        "[::1",
        "x".repeat(4_000),
        "<script>",
        "::ffff:",
      ]) {
        const headers = { host: HOST, "x-forwarded-for": forwarded };
        for (const url of ["/api/v1/config", "/fapi/v1/time", "/app/"]) {
          const reply = await platform.call({ method: "GET", url, headers, remoteAddress: "10.0.0.5" });
          assert.ok(reply.statusCode < 500 || url === "/app/", `${forwarded} at ${url}: ${reply.statusCode}`);
        }
      }
    });
  });

  describe("bodies that are more than they seem", () => {
    const post = (url: string, payload: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
      platform.call({
        method: "POST",
        url,
        payload,
        headers: { host: HOST, authorization: `Bearer ${token}`, ...JSON_TYPE, ...headers },
      });
    const timed = async <Result>(act: () => Promise<Result>, max_ms = 1_500): Promise<Result> => {
      const began = performance.now();
      const result = await act();
      const took_ms = performance.now() - began;
      assert.ok(took_ms < max_ms, `took ${Math.round(took_ms)} ms`);
      return result;
    };

    it("SEC-9: deep, wide and repeating JSON is refused or ignored, quickly", async () => {
      const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
      const bodies: Readonly<Record<string, string>> = {
        "arrays in arrays": `{"label":${deep("[", "]", 100_000)}}`,
        "objects in objects": deep('{"a":', "}", 40_000).replace("{}", "{}").replace('"a":}', '"a":1}'),
        "an unfinished nest": '{"a":'.repeat(50_000),
        "many names": `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
        "one name often": `{${Array.from({ length: 20_000 }, () => '"label":"x"').join(",")}}`,
        "long numbers": `{"label":${"9".repeat(200_000)}}`,
        "many exponents": `{"label":[${Array.from({ length: 20_000 }, () => "1e400").join(",")}]}`,
        "escapes only": `{"label":"${"\\u0000".repeat(40_000)}"}`,
      };
      for (const [what, body] of Object.entries(bodies)) {
        assert.ok(body.length < 256 * 1024, what);
        for (const url of ["/api/v1/account/api-keys", "/api/v1/auth/nonce", "/orders", "/rpc"]) {
          const reply = await timed(() => post(url, body));
          assert.ok(reply.statusCode < 500, `${what} at ${url}: ${reply.statusCode} ${reply.body.slice(0, 200)}`);
        }
        const form = { "content-type": "application/x-www-form-urlencoded" };
        const batch = `batchOrders=${encodeURIComponent(body.slice(0, 60_000))}`;
        const reply = await timed(() => post("/fapi/v1/batchOrders", batch, form));
        assert.ok(reply.statusCode >= 400 && reply.statusCode < 500, `${what} in a batch: ${reply.statusCode}`);
      }
    });

    it("SEC-9: compressed bodies are not unpacked", async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
      assert.ok(bomb.length < 256 * 1024);
      for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
        const before_ = process.memoryUsage().rss;
        const reply = await timed(() => post("/api/v1/account/api-keys", bomb, { "content-encoding": encoding }));
        assert.ok([400, 415].includes(reply.statusCode), `${encoding}: ${reply.statusCode}`);
        assert.ok(process.memoryUsage().rss - before_ < 40_000_000, `${encoding} was unpacked`);
      }
    });

    it("SEC-9: no request changes what all objects inherit", async () => {
      const poisons = [
        '{"__proto__":{"polluted":1}}',
        '{"constructor":{"prototype":{"polluted":1}}}',
        '{"a":{"__proto__":{"polluted":1}}}',
        '{"\\u005f_proto__":{"polluted":1}}',
      ];
      for (const body of poisons) {
        for (const url of ["/orders", "/api/v1/account/api-keys", "/api/v1/auth/login", "/rpc"]) await post(url, body);
      }
      const queries = ["__proto__[polluted]=1", "constructor[prototype][polluted]=1", "__proto__=1", "a[__proto__]=1"];
      for (const query of queries) {
        for (const path of ["/fapi/v1/depth", "/account/orders", "/api/v1/points/seasons", "/fapi/v1/order"]) {
          const reply = await platform.get(`${path}?${query}`, token);
          assert.ok(reply.statusCode < 500, `${path}?${query}: ${reply.statusCode}`);
        }
        const batch = encodeURIComponent(`[{"__proto__":{"polluted":1},"symbol":"BTCUSDT"}]`);
        await post(`/fapi/v1/batchOrders?batchOrders=${batch}`, "");
      }
      assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    });
  });

  it("SEC-9: texts that people give come back as data: JSON, not to be sniffed, and nothing may run beside it", async () => {
    const label = '<img src=x onerror="alert(1)">';
    const reply = await platform.post("/api/v1/account/api-keys", { label, permissions: ["READ"] }, token);
    assert.equal(reply.json().label, label);
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    assert.equal(reply.headers["x-content-type-options"], "nosniff");
    assert.match(String(reply.headers["content-security-policy"]), /default-src 'none'/);
  });
});
