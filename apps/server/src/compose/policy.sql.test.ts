import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import type { Role } from "@bourse/api";
import { pino } from "pino";
import { accessAsMarkdown } from "../../../../scripts/docs/access-page.ts";
import { clientText } from "../../../../scripts/docs/client-text.ts";
import { open } from "../kernel/http/access.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { policyOf } from "../kernel/http/routes.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { createTestPlatform, testWallet } from "../testing/test-platform.ts";

const platform = await createTestPlatform();
const rows = Object.entries(policyOf(platform.app)).map(([name, access]) => {
  const [method = "", path = ""] = name.split(" ");
  return { name, method: method as "GET", path, access };
});
const routes = rows.filter(({ path }) => !path.includes("*"));
const fill = (path: string) => path.replace(/:\w+/g, "unknown");

describe("who may call what", () => {
  after(() => platform.close());

  const signIn: Readonly<Record<Role, () => Promise<string>>> = {
    wallet: async () => (await platform.signIn(testWallet(1))).access_token,
    admin: async () => (await platform.adminSignIn()).access_token,
    bd: () => platform.bdToken(),
  };
  const tokens = new Map<Role, string>();
  async function tokenOf(role: Role): Promise<string> {
    const token = tokens.get(role) ?? (await signIn[role]());
    tokens.set(role, token);
    return token;
  }

  it("the page of it and the typed client are those that `npm run docs` writes", () => {
    const { routes } = platform.app;
    const written = {
      "docs/access.md": accessAsMarkdown(routes),
      "packages/api/src/client/generated.ts": clientText(routes),
    };
    for (const [path, text] of Object.entries(written)) {
      assert.equal(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8"), text, path);
    }
  });

  it("SEC-6: a route that does not say who may call it cannot be registered", async () => {
    const { settings } = platform;
    const noOne = () => {
      throw new Error("nobody calls");
    };
    const app = createHttpServer({
      settings,
      random: seededRandom("policy"),
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      limits: createLimits(settings),
      authenticator: { isSigned: noOne, bearer: noOne, signed: noOne },
    });
    assert.throws(() => app.get("/api/v1/forgotten", () => ({})), /does not say who may call it/);
    app.get("/healthz", { config: { access: open } }, () => ({}));
    await app.close();
  });

  for (const { name, method, path, access } of routes) {
    for (const role of ["none", "wallet", "bd", "admin"] as const) {
      const mayCall = access.allow === "anyone" || (role !== "none" && access.allow.includes(role));
      const expected = mayCall ? "passes" : role === "none" ? "gets 401" : "gets 403";
      it(`SEC-6: ${role} at ${name} ${expected}`, async () => {
        const token = role === "none" ? undefined : await tokenOf(role);
        const headers = {
          host: "127.0.0.1:8080",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        };
        const reply = await platform.call({ method, url: fill(path), headers });
        // An accepted request may have signed out.
        if (role !== "none" && mayCall && method !== "GET") tokens.delete(role);
        if (!mayCall) assert.equal(reply.statusCode, role === "none" ? 401 : 403);
        else assert.ok(![401, 403].includes(reply.statusCode), `${reply.statusCode} ${reply.body}`);
        assert.ok(reply.statusCode < 500);
      });
    }
  }

  it("SEC-6: an API key does what it is permitted and no more", async () => {
    const reader = await platform.makeApiKey(testWallet(3), ["READ"]);
    const trader = await platform.makeApiKey(testWallet(3), ["TRADE"]);
    const call = (method: "GET" | "POST", key: typeof reader) =>
      platform.signedCall(method, "/fapi/v1/positionSide/dual", key, "dualSidePosition=false");
    assert.equal((await call("GET", reader)).statusCode, 200);
    assert.equal((await call("POST", trader)).statusCode, 200);
    for (const [method, key] of [
      ["POST", reader],
      ["GET", trader],
    ] as const) {
      const reply = await call(method, key);
      assert.equal(reply.statusCode, 401);
      assert.equal(reply.json().code, -2015);
    }
  });

  it("SEC-3: a session that signed out is refused at once, on both interfaces", async () => {
    const { access_token } = await platform.signIn(testWallet(4));
    assert.equal((await platform.get("/api/v1/account/api-keys", access_token)).statusCode, 200);
    assert.equal((await platform.post("/api/v1/auth/logout", undefined, access_token)).statusCode, 200);
    assert.equal((await platform.get("/api/v1/account/api-keys", access_token)).statusCode, 401);
    assert.equal((await platform.get("/fapi/v1/positionSide/dual", access_token)).statusCode, 401);
  });

  it("SEC-4: a revoked key is refused at once, and another wallet cannot revoke it", async () => {
    const key = await platform.makeApiKey(testWallet(5));
    const call = () => platform.signedCall("GET", "/fapi/v1/positionSide/dual", key);
    assert.equal((await call()).statusCode, 200);
    const revoke = async (token: string) =>
      platform.call({
        method: "DELETE",
        url: `/api/v1/account/api-keys/${key.api_key}`,
        headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
      });
    const stranger = (await platform.signIn(testWallet(6))).access_token;
    assert.equal((await revoke(stranger)).statusCode, 404);
    assert.equal((await call()).statusCode, 200);
    const owner = (await platform.signIn(testWallet(5))).access_token;
    assert.equal((await revoke(owner)).statusCode, 200);
    assert.equal((await call()).json().code, -2015);
  });
});
