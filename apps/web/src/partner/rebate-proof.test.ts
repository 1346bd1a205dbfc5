import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { RebateProof } from "@bourse/api/client";
import { checkRebateProof, rebateLeafText } from "./rebate-proof.ts";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** As a server answered it; the root stood apart from it in the day's settlement. */
const PROOF: RebateProof = {
  record_id: "fad7eb55-167f-36c4-8f61-2a1d1ba34c9c",
  period: "2026-11-08",
  status: "closed",
  record: {
    version: "bourse-rebate-v1",
    kind: "broker",
    period: "2026-11-08",
    owner: "bf29243a-5806-44b9-90b5-9df7eb060cc0",
    downline_wallet: "0xacd16543f072a95460f54eaf7903000d810770b5",
    revision: 0,
    fee: "492.187006",
    nominal: "196.874802",
    customer: "73.828050",
    share: "0.000000",
    net: "123.046752",
    rate: "0.400000",
    customer_ratio: "0.150000",
    share_ratio: "0.000000",
  },
  leaf_text: "",
  leaf: "0xf26f18948b5814530b2939b18ce731a23c9d6a4f8b99f25b3435bb92da56929f",
  index: 14,
  siblings: [
    { position: "left", hash: "0x874f220444a4a379cbcedcef903a81f2c81954fab0b519535f681690c667debe" },
    { position: "left", hash: "0x7f0c11fa779c9d97c46436eb423634ddc5ca6de3d4f36dfbc3b0553f13f0b6ae" },
    { position: "left", hash: "0xc36fd2e535299447ca4544fdda79bbb6e3dd475a2c3c39824065f43d8582d4af" },
  ],
  root: "0xc32eb47f19fe041a3a966dabe8d6bdb749500f1dac9e16ebec295ca28a2f90f1",
  revision: 1,
};
const PUBLISHED = { period: PROOF.period, root: PROOF.root };

const byScript = (proof: RebateProof): boolean => {
  const script = fromHere("../../../../scripts/verify-rebate.mjs");
  return spawnSync(process.execPath, [script, "--root", PUBLISHED.root], { input: JSON.stringify(proof) }).status === 0;
};

describe("BRK-17: a rebate's proof, checked in the browser", () => {
  it("the example of docs/rules/rebates.md has the leaf it says", async () => {
    const page = readFileSync(fromHere("../../../../docs/rules/rebates.md"), "utf8");
    const example = /Example: the lines ([\s\S]*?) have the leaf `([0-9a-f]{64})`/.exec(page);
    assert.ok(example?.[1] !== undefined && example[2] !== undefined);
    const lines = [...example[1].matchAll(/`([^`]+)`/g)].map(([, line]) => line);
    const names = Object.keys(PROOF.record);
    const record = Object.fromEntries(names.map((name, at) => [name, lines[at]])) as unknown as RebateProof["record"];
    assert.equal(rebateLeafText(record), lines.join("\n"));
    const leaf = `0x${example[2]}`;
    const proof = { ...PROOF, period: record.period, record, leaf, siblings: [], root: leaf };
    assert.equal((await checkRebateProof(proof, { period: record.period, root: leaf })).isValid, true);
  });

  it("a proof of a server is right, here and by scripts/verify-rebate.mjs", async () => {
    const check = await checkRebateProof(PROOF, PUBLISHED);
    assert.equal(check.isValid, true);
    assert.equal(check.leaf, PROOF.leaf);
    assert.equal(check.steps.at(-1)?.node, PROOF.root);
    assert.equal(byScript(PROOF), true);
  });

  it("a micro more, another day, another layout and another published root are wrong", async () => {
    const more = { ...PROOF, record: { ...PROOF.record, net: "123.046753" } };
    assert.equal((await checkRebateProof(more, PUBLISHED)).isValid, false);
    assert.equal(byScript(more), false);
    const otherRoot = { ...PUBLISHED, root: PROOF.leaf };
    assert.equal((await checkRebateProof(PROOF, otherRoot)).isValid, false, "a proof that agrees only with itself");
    assert.equal((await checkRebateProof(PROOF, { ...PUBLISHED, period: "2026-11-09" })).isValid, false);
    const layout = { ...PROOF, record: { ...PROOF.record, version: "bourse-rebate-v2" } };
    assert.equal((await checkRebateProof(layout, PUBLISHED)).isValid, false);
  });
});
