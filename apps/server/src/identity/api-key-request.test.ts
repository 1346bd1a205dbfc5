import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../kernel/errors.ts";
import { type ApiKeyRequest, checkApiKeyRequest } from "./api-key-request.ts";

const NOW_MS = Date.parse("2026-06-01T12:00:00Z");
const GOOD: ApiKeyRequest = { label: "bot", permissions: ["READ"] };

function ruleBroken(changes: Partial<ApiKeyRequest>): string | undefined {
  try {
    checkApiKeyRequest({ ...GOOD, ...changes }, NOW_MS);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code], [400, "BAD_REQUEST"]);
    return error.details?.rule;
  }
}

test("SEC-4: a good request gives its terms", () => {
  assert.deepEqual(checkApiKeyRequest(GOOD, NOW_MS), {
    label: "bot",
    permissions: ["READ"],
    ip_whitelist: [],
    expires_at: null,
    public_key: null,
  });
  const request = {
    label: "Grüße 机器人 🤖",
    permissions: ["WITHDRAW", "READ", "TRADE"],
    ip_whitelist: ["10.0.0.1", "2001:db8::/32"],
    expires_at: "2026-06-01T14:00:00.001+02:00",
    public_key: "MCowBQYDK2VwAyEAfvbZFhaEt3cCdvDFI6cdi6ikRxFANfPmAr1s7fz1Z4o=",
  };
  assert.deepEqual(checkApiKeyRequest(request, NOW_MS), { ...request, expires_at: new Date(NOW_MS + 1) });
});

test("SEC-4: absent, null and empty say the same", () => {
  for (const ip_whitelist of [undefined, null, []]) {
    assert.deepEqual(checkApiKeyRequest({ ...GOOD, ip_whitelist }, NOW_MS).ip_whitelist, []);
  }
  assert.equal(checkApiKeyRequest({ ...GOOD, expires_at: null }, NOW_MS).expires_at, null);
});

test("SEC-4: labels of 1 to 64 characters without control characters", () => {
  for (const label of ["x", "x".repeat(64), "🤖".repeat(64)]) assert.equal(ruleBroken({ label }), undefined, label);
  const wrong = ["", "   ", "x".repeat(65), "a\nb", "a\0b", "a\u007fb", "a\u2028b", "a\u202eb", "\ud800"];
  for (const label of wrong) assert.equal(ruleBroken({ label }), "label", JSON.stringify(label));
});

test("SEC-4: permissions are known, at least one, each once", () => {
  for (const permissions of [[], ["READ", "READ"], ["read"], ["READ", "ADMIN"], [""]]) {
    assert.equal(ruleBroken({ permissions }), "permissions", permissions.join());
  }
});

test("SEC-4: a whitelist has at most 20 entries, all addresses or networks", () => {
  const entries = Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`);
  assert.equal(ruleBroken({ ip_whitelist: entries.slice(1) }), undefined);
  assert.equal(ruleBroken({ ip_whitelist: entries }), "ip_whitelist");
  assert.equal(ruleBroken({ ip_whitelist: ["10.0.0.1", "example.com"] }), "ip_whitelist");
});

test("SEC-4: the end of a key is a time in the future", () => {
  assert.equal(ruleBroken({ expires_at: "2026-06-01T12:00:00.001Z" }), undefined);
  for (const expires_at of ["2026-06-01T12:00:00Z", "2026-05-01T12:00:00Z", "tomorrow", "", "1780315200000"]) {
    assert.equal(ruleBroken({ expires_at }), "expires_at", expires_at);
  }
});

test("WSA-2: a public key is an Ed25519 key", () => {
  assert.equal(checkApiKeyRequest({ ...GOOD, public_key: null }, NOW_MS).public_key, null);
  for (const public_key of ["", "key", "A".repeat(44), "A".repeat(401)]) {
    assert.equal(ruleBroken({ public_key }), "public_key", public_key);
  }
});
