import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressSet } from "../../settings/kinds.ts";
import { ApiError } from "../errors.ts";
import { createGuard, plainAddress } from "./guards.ts";

const base = {
  environment: "development" as const,
  devExposed: false,
  publicUrl: "http://desk.example:8080",
  denyCidrs: addressSet(["198.51.100.0/24"]),
};
const refuses = (guard: ReturnType<typeof createGuard>, ...args: Parameters<typeof guard>) =>
  assert.throws(
    () => guard(...args),
    (error) => error instanceof ApiError && error.status === 403,
  );

describe("guards", () => {
  const guard = createGuard(base);

  it("RUN-4: development answers to local names and its public one only", () => {
    for (const host of [
      "localhost",
      "localhost:8080",
      "127.0.0.1:8080",
      "127.9.8.7:1",
      "[::1]:8080",
      "desk.example:8080",
    ]) {
      guard("127.0.0.1", host, "/healthz");
    }
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080", "", "10.0.0.1:8080"]) {
      refuses(guard, "127.0.0.1", host, "/healthz");
    }
    createGuard({ ...base, devExposed: true })("127.0.0.1", "any.example", "/healthz");
    createGuard({ ...base, environment: "production" })("127.0.0.1", "any.example", "/healthz");
  });

  it("SEC-10: denied networks get 403", () => {
    refuses(guard, "198.51.100.77", "localhost", "/healthz");
    guard("198.51.101.77", "localhost", "/healthz");
  });

  it("SEC-10: path traversal gets 403, dots elsewhere do not", () => {
    for (const url of ["/app/../etc", "/app/%2e%2e/x", "/app/..%2fx", "/..", "/a/.%2E/b", "/app\\..\\x", "/a%00b"]) {
      refuses(guard, "127.0.0.1", "localhost", url);
    }
    for (const url of ["/app/a..b", "/app/x.css", "/fapi/v1/ping?x=../..", "/a/.well-known/x", "/a/..."]) {
      guard("127.0.0.1", "localhost", url);
    }
  });

  it("sees an IPv4 address in its IPv6 coat", () => {
    assert.equal(plainAddress("::ffff:127.0.0.1"), "127.0.0.1");
    assert.equal(plainAddress("::1"), "::1");
    assert.equal(plainAddress("::ffff:zz"), "::ffff:zz");
  });
});
