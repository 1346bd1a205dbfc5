import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { registerWebApp } from "./web.ts";

const INDEX = "<!doctype html><title>the app</title>";
const SCRIPT = "export const answer = 42;\n".repeat(50);
const BUILT = {
  "index.html": INDEX,
  "icon.svg": "<svg/>",
  ".build.json": "{}",
  "assets/index-Ab12Cd34.js": SCRIPT,
  "assets/index-Ab12Cd34.js.gz": gzipSync(SCRIPT),
};

/** The server without the product's routes, with a build of the given files. */
async function serving(t: TestContext, files: Readonly<Record<string, string | Buffer>>) {
  const { path, remove } = makeTestFolder();
  const built = join(path, "dist");
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(built, name)), { recursive: true });
    writeFileSync(join(built, name), contents);
  }
  const random = seededRandom("web");
  const settings = readSettings({ DATA_DIR: path }, developmentSecretsFrom(random));
  const nobody = () => {
    throw new Error("nobody signs in");
  };
  const app = createHttpServer({
    settings,
    random,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    limits: createLimits(settings),
    authenticator: { isSigned: nobody, bearer: nobody, signed: nobody },
  });
  await registerWebApp(app, built);
  t.after(async () => {
    await app.close();
    remove();
  });
  const get = (url: string, headers: Record<string, string> = {}, method: InjectOptions["method"] = "GET") =>
    app.inject({ method: method ?? "GET", url, headers: { host: "127.0.0.1", ...headers } });
  return { get, built };
}

describe("the web app's files", () => {
  it("RUN-2: / and /app lead to the app with what was asked", async (t) => {
    const { get } = await serving(t, BUILT);
    for (const [from, to] of [
      ["/", "/app/"],
      ["/app", "/app/"],
      ["/?ref=CODE", "/app/?ref=CODE"],
      ["/app?ref=A%20B&x=//evil.example", "/app/?ref=A%20B&x=//evil.example"],
    ] as const) {
      const reply = await get(from);
      assert.equal(reply.statusCode, 302);
      assert.equal(reply.headers.location, to);
    }
  });

  it("RUN-2: every page's address gives the app, which is asked for anew each time", async (t) => {
    const { get } = await serving(t, BUILT);
    for (const url of ["/app/", "/app/index.html", "/app/points", "/app/trade/BTCUSDT", "/app/partners/?tab=codes"]) {
      const reply = await get(url);
      assert.equal(reply.statusCode, 200, url);
      assert.equal(reply.body, INDEX);
      assert.equal(reply.headers["content-type"], "text/html; charset=utf-8");
      assert.equal(reply.headers["cache-control"], "no-cache");
      const etag = String(reply.headers["etag"]);
      assert.equal((await get(url, { "if-none-match": etag })).statusCode, 304);
    }
    const head = await get("/app/points", {}, "HEAD");
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, "");
  });

  it("SEC-9: the app's pages and files carry its policy", async (t) => {
    const { get } = await serving(t, BUILT);
    for (const url of ["/app/", "/app/points", "/app/assets/index-Ab12Cd34.js", "/app/nothing.js"]) {
      assert.match(String((await get(url)).headers["content-security-policy"]), /script-src 'self';/, url);
    }
  });

  it("RUN-2: files named after their contents are kept for good, others are asked for anew", async (t) => {
    const { get } = await serving(t, BUILT);
    const script = await get("/app/assets/index-Ab12Cd34.js");
    assert.equal(script.statusCode, 200);
    assert.match(String(script.headers["content-type"]), /^application\/javascript/);
    assert.equal(script.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.ok(script.headers["etag"]);
    assert.equal((await get("/app/icon.svg")).headers["cache-control"], "no-cache");
  });

  it("RUN-2: texts go out compressed to those who read it", async (t) => {
    const { get } = await serving(t, BUILT);
    const plain = await get("/app/assets/index-Ab12Cd34.js", { "accept-encoding": "identity" });
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.equal(plain.body, SCRIPT);
    // There is no .br of it here: .gz is the next choice.
    const packed = await get("/app/assets/index-Ab12Cd34.js", { "accept-encoding": "gzip, deflate, br, zstd" });
    assert.equal(packed.headers["content-encoding"], "gzip");
    assert.match(String(packed.headers["content-type"]), /^application\/javascript/);
    assert.match(String(packed.headers["vary"]), /accept-encoding/i);
    assert.equal(packed.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(gunzipSync(packed.rawPayload).toString(), SCRIPT);
  });

  it("RUN-2: a file that is not there is 404 in JSON, never the app, and is not kept", async (t) => {
    const { get } = await serving(t, BUILT);
    for (const url of [
      "/app/assets/index-Old00000.js",
      "/app/assets/nothing",
      "/app/assets/",
      "/app/missing.css",
      "/app/.build.json",
    ]) {
      const reply = await get(url, { "accept-encoding": "gzip, br" });
      assert.equal(reply.statusCode, 404, url);
      assert.equal(reply.json().code, "NOT_FOUND");
      assert.equal(reply.headers["cache-control"], "no-store", url);
    }
  });

  it("SEC-10: nothing outside the build is served, however it is spelt", async (t) => {
    const { get } = await serving(t, BUILT);
    for (const url of [
      "/app/../development-secrets.json",
      "/app/..%2fdevelopment-secrets.json",
      "/app/assets/..%2f..%2fdevelopment-secrets.json",
      "/app/%252e%252e/development-secrets.json",
      "/app/assets/..\\..\\development-secrets.json",
      "/app//etc/hosts.txt",
      "/app/assets/%00.js",
    ]) {
      const { statusCode, body } = await get(url);
      assert.ok([403, 404].includes(statusCode), `${url}: ${statusCode}`);
      assert.doesNotMatch(body, /SECRET|localhost/);
    }
  });

  it("RUN-2: without a build the pages say how to make one, and take it up once it is there", async (t) => {
    const { get, built } = await serving(t, {});
    const missing = await get("/app/trade");
    assert.equal(missing.statusCode, 503);
    assert.match(missing.body, /npm run build/);
    assert.equal(missing.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(missing.headers["cache-control"], "no-store");
    assert.equal((await get("/app/assets/x.js")).statusCode, 404);
    mkdirSync(built);
    writeFileSync(join(built, "index.html"), INDEX);
    assert.equal((await get("/app/trade")).body, INDEX);
  });
});
