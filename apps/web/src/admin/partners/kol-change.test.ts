import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AdminKol } from "@bourse/api/client";
import { changeOfKol, draftOfKol, findKols, problemOfNickname, problemOfRate } from "./kol-change.ts";

const KOL: AdminKol = {
  broker_id: "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44",
  wallet_address: "0x52908400098527886e0f7030069857d2e4169ee7",
  nickname: "Moon Li",
  bd_owner_id: null,
  level: 3,
  rebate_rate: "0.3",
  parent_broker: null,
  invitee_count: 12,
  status: "active",
};

describe("changes of a KOL", () => {
  it("send only what is another than before", () => {
    const draft = draftOfKol(KOL);
    assert.deepEqual(changeOfKol(KOL, draft), {});
    assert.deepEqual(changeOfKol(KOL, { ...draft, rate: "30.00" }), {});
    assert.deepEqual(changeOfKol(KOL, { ...draft, rate: "32.5" }), { rebate_rate: "0.325" });
    assert.deepEqual(changeOfKol(KOL, { ...draft, level: "4", nickname: " " }), { level: 4, nickname: null });
  });

  it("BRK-2: leave level and rate of a sub-KOL alone", () => {
    const sub = { ...KOL, level: null, parent_broker: KOL.wallet_address };
    const change = changeOfKol(sub, { nickname: "Wick Watch", level: "5", rate: "50" });
    assert.deepEqual(change, { nickname: "Wick Watch" });
  });

  it("say what is wrong before they are sent", () => {
    assert.equal(problemOfRate("32.5"), undefined);
    assert.match(problemOfRate("132") ?? "", /0 to 100 %/);
    assert.equal(problemOfNickname("x".repeat(40)), undefined);
    assert.match(problemOfNickname("x".repeat(41)) ?? "", /at most 40/);
  });
});

describe("looking for a KOL", () => {
  const other = { ...KOL, broker_id: "other", nickname: null, wallet_address: "0xabc", parent_broker: "0xdef" };
  it("finds it by name, wallet, id or parent, in any case", () => {
    const all = [KOL, other];
    assert.deepEqual(findKols(all, "moon"), [KOL]);
    assert.deepEqual(findKols(all, "0xABC"), [other]);
    assert.deepEqual(findKols(all, "0xdef"), [other]);
    assert.deepEqual(findKols(all, "3F0C"), [KOL]);
    assert.deepEqual(findKols(all, "  "), all);
    assert.deepEqual(findKols(all, "nobody"), []);
  });
});
