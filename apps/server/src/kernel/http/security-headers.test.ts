import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { securityHeaders } from "./security-headers.ts";

const local = { environment: "development", publicUrl: "http://127.0.0.1:8080", chainRpcUrl: undefined } as const;
const live = {
  environment: "production",
  publicUrl: "https://exchange.example",
  chainRpcUrl: "https://key:secret@rpc.example:8545/v1/abc",
} as const;

/** The directives of a policy by name. */
function policyOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const directives = (headers["content-security-policy"] ?? "").split(";").map((directive) => directive.split(" "));
  return Object.fromEntries(directives.map(([name = "", ...sources]) => [name, sources.join(" ")]));
}

describe("security headers", () => {
  it("SEC-9: the web app runs its own files only, and no script but from a file", () => {
    assert.deepEqual(policyOf(securityHeaders(local).app), {
      "default-src": "'self'",
      "script-src": "'self'",
      "style-src": "'self' 'unsafe-inline'",
      "img-src": "'self' data:",
      "font-src": "'self'",
      "connect-src": "'self' ws://127.0.0.1:8080 http://127.0.0.1:8080",
      "frame-ancestors": "'none'",
      "base-uri": "'self'",
      "object-src": "'none'",
      "form-action": "'self'",
    });
  });

  it("SEC-9: the web app reaches this server, its streams and the chain, whose credentials are not told", () => {
    const policy = policyOf(securityHeaders(live).app);
    assert.equal(policy["connect-src"], "'self' wss://exchange.example https://rpc.example:8545");
  });

  it("SEC-9: TLS is insisted on only where the public address has it", () => {
    const header = "strict-transport-security";
    for (const kind of ["json", "fapi", "app", "docs"] as const) {
      assert.match(securityHeaders(live)[kind][header] ?? "", /^max-age=\d{8,}/, kind);
      assert.equal(securityHeaders(local)[kind][header], undefined, kind);
      assert.equal(securityHeaders({ ...live, publicUrl: "http://10.0.0.5" })[kind][header], undefined, kind);
      assert.doesNotMatch(securityHeaders(local)[kind]["content-security-policy"] ?? "", /upgrade-insecure-requests/);
    }
  });

  it("SEC-9: nothing may be framed, and replies of the interface load nothing", () => {
    const { json, app, docs } = securityHeaders(local);
    for (const headers of [json, app, docs]) {
      assert.equal(policyOf(headers)["frame-ancestors"], "'none'");
      assert.equal(headers["x-frame-options"], "DENY");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["referrer-policy"], "no-referrer");
    }
    assert.equal(policyOf(json)["default-src"], "'none'");
    assert.doesNotMatch(app["content-security-policy"] ?? "", /unsafe-eval|\*/);
  });
});
