import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problemOfBdName, problemOfPassword, problemOfUsername } from "./bd-input.ts";

describe("a new BD", () => {
  it("has a username without spaces", () => {
    assert.equal(problemOfUsername("asia-desk"), undefined);
    assert.match(problemOfUsername("asia desk") ?? "", /without spaces/);
    assert.match(problemOfUsername("") ?? "", /1 to 64/);
    assert.match(problemOfUsername("x".repeat(65)) ?? "", /1 to 64/);
  });

  it("has a name of its own and a password that is long enough", () => {
    assert.equal(problemOfBdName("Asia desk"), undefined);
    assert.match(problemOfBdName("   ") ?? "", /1 to 64/);
    assert.equal(problemOfPassword("long and secret"), undefined);
    assert.match(problemOfPassword("short") ?? "", /at least 8/);
    assert.match(problemOfPassword("x".repeat(257)) ?? "", /at most 256/);
  });
});
