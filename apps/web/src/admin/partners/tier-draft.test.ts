import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tier } from "@bourse/api/client";
import {
  changesOfTiers,
  draftOfTier,
  nextDraft,
  problemsOfTiers,
  requestOfTiers,
  type TierDraft,
} from "./tier-draft.ts";

const TIERS: readonly Tier[] = [
  { level: 1, label: "Bronze", rebate_rate: "0.2", min_fee_30d: "0.00" },
  { level: 2, label: "Silver", rebate_rate: "0.25", min_fee_30d: "2000.00" },
  { level: 3, label: "Gold", rebate_rate: "0.3", min_fee_30d: "10000.00" },
];
const drafts = () => TIERS.map(draftOfTier);
const withRow = (at: number, change: Partial<TierDraft>): TierDraft[] =>
  drafts().map((row, place) => (place === at ? { ...row, ...change } : row));

describe("tiers before they are sent", () => {
  it("as they are have no problem and change nothing", () => {
    assert.equal(problemsOfTiers(drafts()).size, 0);
    assert.deepEqual(changesOfTiers(TIERS, requestOfTiers(drafts())), []);
  });

  it("BRK-6: rates and fees must not fall from one level to the next, whatever the order of the rows", () => {
    const lower = withRow(2, { rate: "24" });
    assert.deepEqual(problemsOfTiers(lower).get(2), { rate: "Not below level 2's 25 %." });
    assert.deepEqual(problemsOfTiers(lower.toReversed()).get(2), { rate: "Not below level 2's 25 %." });
    assert.deepEqual(problemsOfTiers(withRow(1, { minFee: "20,000" })).get(2), {
      minFee: "Not below level 2's 20,000.",
    });
  });

  it("every level is there once", () => {
    assert.deepEqual(problemsOfTiers(withRow(2, { level: "2" })).get(2), { level: "Level 2 is there twice." });
  });

  it("each field says what would be right", () => {
    const wrong = { level: "0", label: " ", rate: "101", minFee: "1.1234567" };
    assert.deepEqual(problemsOfTiers(withRow(0, wrong)).get(0), {
      level: "A whole number from 1 to 1000.",
      label: "1 to 40 characters.",
      rate: "0 to 100 % with at most 4 decimals.",
      minFee: "An amount with at most 6 decimals.",
    });
  });

  it("are sent by level, rates as fractions, amounts without group marks", () => {
    const sent = requestOfTiers(withRow(2, { rate: "32.5", minFee: "12,500.50" }).toReversed());
    assert.deepEqual(
      sent.map(({ level }) => level),
      [1, 2, 3],
    );
    assert.deepEqual(sent[2], { level: 3, label: "Gold", rebate_rate: "0.325", min_fee_30d: "12500.5" });
  });

  it("a change names what was and what becomes; new and removed levels too", () => {
    const rows = withRow(1, { rate: "26" }).filter(({ level }) => level !== "3");
    rows.push({ key: 9, level: "4", label: "Platinum", rate: "35", minFee: "50000" });
    assert.deepEqual(changesOfTiers(TIERS, requestOfTiers(rows)), [
      { what: "Level 2", before: "Silver, 25 % from 2,000 USDT", after: "Silver, 26 % from 2,000 USDT" },
      { what: "Level 3", before: "Gold, 30 % from 10,000 USDT", after: "removed" },
      { what: "Level 4", after: "Platinum, 35 % from 50,000 USDT" },
    ]);
  });

  it("a new row stands above the others and fits in once it has a name", () => {
    const row = nextDraft(drafts(), 7);
    assert.deepEqual(row, { key: 7, level: "4", label: "", rate: "30", minFee: "10000" });
    assert.equal(problemsOfTiers([...drafts(), { ...row, label: "Platinum" }]).size, 0);
    assert.equal(nextDraft([], 1).level, "1");
  });
});
