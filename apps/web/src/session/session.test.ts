import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { RequestRefused } from "@bourse/api/client";
import { api, freshToken, sessions } from "./session.ts";

const OLD = { access_token: "a1", refresh_token: "r1", role: "wallet", name: "0xabc" } as const;

/** A server that takes one access token, and renews what it is asked to. */
class FakeServer {
  goodToken = "a2";
  refreshStatus = 200;
  refreshes: string[] = [];
  seen: (string | null)[] = [];

  answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (String(input) === "/api/v1/auth/refresh") {
      this.refreshes.push(JSON.parse(String(init?.body)).refresh_token);
      if (this.refreshStatus !== 200) return Response.json({ error: "no" }, { status: this.refreshStatus });
      const renewed = { access_token: this.goodToken, refresh_token: "r2", token_type: "Bearer", role: "wallet" };
      return Response.json({ ...renewed, expires_in: 3600 });
    }
    const token = new Headers(init?.headers).get("authorization");
    this.seen.push(token);
    const isGood = token === `Bearer ${this.goodToken}`;
    return isGood ? Response.json([]) : Response.json({ error: "expired", code: "UNAUTHORIZED" }, { status: 401 });
  };
}

describe("sessions", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = new FakeServer();
    mock.method(globalThis, "fetch", server.answer);
    sessions.wallet.set(OLD);
  });
  afterEach(() => {
    mock.restoreAll();
    sessions.wallet.set(undefined);
  });

  it("SEC-3: many calls that meet a token that has run out renew it once, and all are answered", async () => {
    await Promise.all(Array.from({ length: 5 }, () => api.account.apiKeys()));
    assert.deepEqual(server.refreshes, ["r1"]);
    assert.equal(server.seen.filter((token) => token === "Bearer a2").length, 5);
    assert.deepEqual(sessions.wallet.get(), { ...OLD, access_token: "a2", refresh_token: "r2" });
  });

  it("SEC-3: a refresh that is refused signs out, and the call is refused as it was", async () => {
    server.refreshStatus = 401;
    await assert.rejects(api.account.apiKeys(), (error) => error instanceof RequestRefused && error.status === 401);
    assert.equal(sessions.wallet.get(), undefined);
  });

  it("a server in trouble or too busy is no reason to forget who one is", async () => {
    for (const status of [429, 500, 503]) {
      server.refreshStatus = status;
      await assert.rejects(api.account.apiKeys());
      assert.deepEqual(sessions.wallet.get(), OLD, String(status));
    }
  });

  it("the stream renews only the token that was refused to it", async () => {
    assert.equal(await freshToken("wallet"), "a1");
    assert.equal(await freshToken("wallet", "another"), "a1");
    assert.deepEqual(server.refreshes, []);
    assert.equal(await freshToken("wallet", "a1"), "a2");
  });
});
