import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestRefused, ServerUnreachable } from "@bourse/api/client";
import { OutcomeUnknown, once, sayReplayed } from "./once.ts";

const refused = (status: number) => new RequestRefused(status, { error: "no", code: "NO" }, new Headers());

/** Sends the same content again and again, each time with another outcome, and notes the names. */
async function namesOf(outcomes: readonly (Error | "done")[], content: object): Promise<readonly string[]> {
  const names: string[] = [];
  for (const outcome of outcomes) {
    const sent = once("fund", content, async (name) => {
      names.push(name);
      if (outcome !== "done") throw outcome;
    });
    await sent.catch(() => undefined);
  }
  return names;
}

describe("once", () => {
  it("keeps the name while nobody knows what came of it", async () => {
    const silence = new ServerUnreachable(undefined, new TypeError("failed"));
    const names = await namesOf([silence, refused(503), refused(429), refused(408), "done"], { amount: "1" });
    assert.equal(new Set(names).size, 1);
    assert.match(names[0] ?? "", /^console-[0-9a-f]{32}$/);
  });

  it("takes another name once it was answered, by a refusal too", async () => {
    assert.equal(new Set(await namesOf(["done", "done"], { amount: "2" })).size, 2);
    assert.equal(new Set(await namesOf([refused(409), "done"], { amount: "3" })).size, 2);
  });

  it("names other content otherwise", async () => {
    const silence = new ServerUnreachable(undefined, new TypeError("failed"));
    const [one] = await namesOf([silence], { amount: "4" });
    const [other] = await namesOf([silence], { amount: "5" });
    assert.notEqual(one, other);
  });

  it("says that silence leaves the outcome open", async () => {
    const silence = new ServerUnreachable(undefined, new TypeError("failed"));
    await assert.rejects(
      once("fund", { amount: "6" }, () => Promise.reject(silence)),
      (error) => error instanceof OutcomeUnknown && /at most once/.test(error.message),
    );
  });

  it("says when a reply is the one of an earlier request", () => {
    assert.equal(sayReplayed(false, "Done."), "Done.");
    assert.match(sayReplayed(true, "Done."), /^Done\. An earlier request/);
  });
});
