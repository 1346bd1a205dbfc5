import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestRefused, ServerUnreachable } from "@bourse/api/client";
import { wordsOf } from "./words.ts";

describe("failures in words", () => {
  it("a refusal says what happened and what to do, with its codes beside", () => {
    const body = { error: "margin is insufficient", code: "MARGIN_INSUFFICIENT", exchange_code: -2019 };
    assert.deepEqual(wordsOf(new RequestRefused(400, body)), {
      title: "Margin is insufficient.",
      advice: "Lower the size, raise the leverage, or deposit.",
      code: "-2019 MARGIN_INSUFFICIENT",
    });
  });

  it("a refusal of the bots' interface reads the same", () => {
    const { title, code } = wordsOf(new RequestRefused(400, { code: -1121, msg: "Invalid symbol." }));
    assert.equal(title, "Invalid symbol.");
    assert.equal(code, "-1121");
  });

  it("a limit tells how long to wait", () => {
    const headers = new Headers({ "retry-after": "7" });
    const { advice } = wordsOf(new RequestRefused(429, { error: "too many", code: "RATE_LIMITED" }, headers));
    assert.equal(advice, "Try again in 7 s.");
  });

  it("no answer at all is told apart from a refusal", () => {
    assert.match(wordsOf(new ServerUnreachable(undefined, new Error("refused"))).title, /does not answer/);
  });

  it("anything else is at least a sentence", () => {
    assert.equal(wordsOf(new Error("user rejected the request")).title, "User rejected the request.");
    assert.equal(wordsOf("odd").title, "Odd.");
  });
});
