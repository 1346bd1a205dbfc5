import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { pino } from "pino";
import { admin, bonusAdmin } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { createAuthenticator } from "./authenticator.ts";
import { openTestIdentity, TEST_SETTINGS, type TestIdentity } from "./testing.ts";

describe("routes of the bonus administration", () => {
  const folder = makeTestFolder();
  let identity: TestIdentity;
  let app: App;

  before(async () => {
    identity = await openTestIdentity();
    const random = seededRandom("authenticator");
    const settings = readSettings({ DATA_DIR: folder.path }, developmentSecretsFrom(random));
    app = createHttpServer({
      settings,
      random,
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      limits: createLimits(settings),
      authenticator: createAuthenticator({ identity: identity.identity, clock: identity.clock }),
    });
    app.post("/bonus", { config: { access: bonusAdmin } }, ({ principal }) => ({ kind: principal?.kind }));
    app.post("/admin", { config: { access: admin } }, ({ principal }) => ({ kind: principal?.kind }));
  });
  after(async () => {
    await app.close();
    await identity.close();
    folder.remove();
  });

  const call = (url: string, headers: Record<string, string>) =>
    app.inject({ method: "POST", url, headers: { host: "127.0.0.1", ...headers } });
  const tokenOf = async (role: "admin" | "bd") => {
    const ids = { subject: "5b0f6f2e-6f0c-4b6e-9d6b-5d0d0d0d0d0d", sessionId: "6c0f6f2e-6f0c-4b6e-9d6b-5d0d0d0d0d0d" };
    return (await identity.identity.tokens.issue({ ...ids, role })).access_token;
  };

  it("SEC-7: the bonus key opens them, one character off does not", async () => {
    const key = TEST_SETTINGS.bonusAdminApiKey;
    const good = await call("/bonus", { "x-bonus-admin-key": key });
    assert.equal(good.statusCode, 200);
    assert.deepEqual(good.json(), { kind: "bonus-admin" });
    for (const wrong of [`${key.slice(0, -1)}x`, key.slice(0, -1), `${key}x`, ""]) {
      const reply = await call("/bonus", { "x-bonus-admin-key": wrong });
      assert.equal(reply.statusCode, 401, wrong);
      assert.equal(reply.json().code, "UNAUTHORIZED");
    }
    assert.equal((await call("/bonus", {})).statusCode, 401);
  });

  it("BON-10: an admin's token opens them as well, a BD's does not", async () => {
    assert.equal((await call("/bonus", { authorization: `Bearer ${await tokenOf("admin")}` })).statusCode, 200);
    assert.equal((await call("/bonus", { authorization: `Bearer ${await tokenOf("bd")}` })).statusCode, 403);
  });

  it("SEC-6: the bonus key opens nothing else", async () => {
    const reply = await call("/admin", { "x-bonus-admin-key": TEST_SETTINGS.bonusAdminApiKey });
    assert.equal(reply.statusCode, 401);
  });
});
