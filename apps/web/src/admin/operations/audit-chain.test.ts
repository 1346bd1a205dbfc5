import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditEntry } from "@bourse/api/client";
import { canonicalJson, checkChain, hashOfEntry } from "./audit-chain.ts";

async function entry(seq: number, prev_hash: string, after: unknown): Promise<AuditEntry> {
  const fields = {
    seq,
    at: "2026-06-01T00:00:00.000Z",
    actor: "admin",
    role: "admin",
    ip: null,
    action: "switch.withdrawals",
    target: "withdrawals",
    before: null,
    after,
    reason: "a drill",
    request_id: null,
    prev_hash,
    hash: "",
  };
  return { ...fields, hash: await hashOfEntry(fields) };
}

async function chain(): Promise<AuditEntry[]> {
  const first = await entry(1, "0".repeat(64), { paused: true });
  const second = await entry(2, first.hash, { paused: false });
  const third = await entry(3, second.hash, { paused: true, list: [{ b: 1, a: "ä" }] });
  return [third, second, first];
}

describe("SEC-8: the audit log's chain, checked in the browser", () => {
  it("one value has one text", () => {
    assert.equal(canonicalJson({ b: [1, { d: null, c: "x" }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}');
    assert.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
  });

  it("the text of an entry that the server has hashed gives its hash", async () => {
    // As the server's tests write it: every field but the hash, the number as text, keys sorted.
    const text =
      '{"action":"switch.withdrawals","actor":"admin","after":{"paused":true},"at":"2026-06-01T00:00:00.000Z",' +
      `"before":null,"ip":null,"prev_hash":"${"0".repeat(64)}","reason":"a drill","request_id":null,"role":"admin",` +
      '"seq":"1","target":"withdrawals"}';
    const { createHash } = await import("node:crypto");
    const expected = createHash("sha256").update(text).digest("hex");
    assert.equal((await entry(1, "0".repeat(64), { paused: true })).hash, expected);
  });

  it("a whole chain passes", async () => {
    assert.deepEqual(await checkChain(await chain()), { checked: 3, links: 2, problem: undefined });
  });

  it("a changed entry is found, and one whose predecessor was exchanged", async () => {
    const [third, second, first] = (await chain()) as [AuditEntry, AuditEntry, AuditEntry];
    const changed = await checkChain([third, { ...second, reason: "another" }, first]);
    assert.deepEqual(changed.problem, { seq: 2, words: "its content does not match its hash" });
    const forged = await entry(1, "0".repeat(64), { paused: "never" });
    const exchanged = await checkChain([third, second, forged]);
    assert.deepEqual(exchanged.problem, { seq: 2, words: "it does not link to the previous entry" });
  });

  it("where a filter leaves gaps, contents are checked and links are not", async () => {
    const [third, , first] = (await chain()) as [AuditEntry, AuditEntry, AuditEntry];
    assert.deepEqual(await checkChain([third, first]), { checked: 2, links: 0, problem: undefined });
  });
});
