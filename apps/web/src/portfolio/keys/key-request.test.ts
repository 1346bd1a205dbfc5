import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EMPTY_FORM, type KeyForm, problemsOf, requestOf } from "./key-request.ts";

const NOW = Date.UTC(2026, 5, 1);
const form = (more: Partial<KeyForm>): KeyForm => ({ ...EMPTY_FORM, label: "bot", ...more });

describe("SEC-4: a new API key", () => {
  it("asks for what the form says, in the interface's words", () => {
    const whole = form({
      label: " bot ",
      permissions: new Set(["TRADE", "READ"]),
      places: "203.0.113.7, 2001:db8::/48\n",
    });
    assert.deepEqual(requestOf(whole, NOW), {
      label: "bot",
      permissions: ["READ", "TRADE"],
      ip_whitelist: ["203.0.113.7", "2001:db8::/48"],
      expires_at: "2026-08-30T00:00:00.000Z",
    });
    assert.deepEqual(requestOf(form({ lifetime: "never" }), NOW), { label: "bot", permissions: ["READ"] });
  });

  it("WSA-2: takes a public key in place of a secret", () => {
    const text = "MCowBQYDK2VwAyEAfvbZFhaEt3cCdvDFI6cdi6ikRxFANfPmAr1s7fz1Z4o=";
    for (const publicKey of [text, `-----BEGIN PUBLIC KEY-----${text}-----END PUBLIC KEY-----`]) {
      assert.deepEqual(problemsOf(form({ publicKey })), {});
      assert.equal(requestOf(form({ publicKey: ` ${publicKey}\n` }), NOW).public_key, publicKey);
    }
    assert.deepEqual(Object.keys(problemsOf(form({ publicKey: "ssh-ed25519 AAAA" }))), ["publicKey"]);
  });

  it("says what is wrong before it is asked", () => {
    assert.deepEqual(problemsOf(form({})), {});
    assert.deepEqual(Object.keys(problemsOf(form({ label: " ", permissions: new Set(), places: "home" }))), [
      "label",
      "permissions",
      "places",
    ]);
    assert.ok(problemsOf(form({ places: Array(21).fill("10.0.0.1").join(" ") })).places);
    for (const places of ["10.0.0.0/8", "::1", "2001:db8::1", ""]) assert.deepEqual(problemsOf(form({ places })), {});
  });
});
