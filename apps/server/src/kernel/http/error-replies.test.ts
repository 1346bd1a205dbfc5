import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DatabaseUnavailable } from "../database/unavailable.ts";
import { fapiErrorReply, jsonErrorReply } from "./error-replies.ts";

describe("error replies", () => {
  it("a database that is away is 503 with a moment to wait, and its address stays inside", () => {
    const away = new DatabaseUnavailable("ECONNREFUSED", new Error("connect ECONNREFUSED 10.0.0.7:5432"));
    assert.deepEqual(jsonErrorReply(away), {
      status: 503,
      body: { error: "the service cannot reach its database; please try again", code: "SERVICE_UNAVAILABLE" },
      retryAfter_s: 1,
      isUnforeseen: false,
    });
  });

  it("what nobody foresaw is 500 without a word of what it was, in the body of its area", () => {
    const surprise = new TypeError("secret is not iterable");
    assert.deepEqual(jsonErrorReply(surprise), {
      status: 500,
      body: { error: "something went wrong on our side", code: "INTERNAL" },
      retryAfter_s: undefined,
      isUnforeseen: true,
    });
    assert.deepEqual(fapiErrorReply(surprise), {
      status: 500,
      body: { code: -1000, msg: "Request occur unknown error." },
      retryAfter_s: undefined,
      isUnforeseen: true,
    });
  });
});
