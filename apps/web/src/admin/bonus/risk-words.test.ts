import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BonusAccount, RiskPair } from "@bourse/api/client";
import { figuresOf, linkedLabel, pairsOf, sayReason } from "./risk-words.ts";

const [A, B, C] = ["0xa", "0xb", "0xc"];
const account = (address: string, bonus_free: string, bonus_locked: string) =>
  ({ address, bonus_free, bonus_locked }) as BonusAccount;

describe("reasons in words", () => {
  it("tell who paid whom", () => {
    const funding = { kind: "funding", points: 40, sources: [`0x${"1".repeat(40)}`], wallets_funded: 2 } as const;
    assert.equal(
      sayReason({ ...funding, sources: [...funding.sources], is_direct: false }),
      "Both were paid by 0x1111…1111 on chain, who has paid 2 bonus wallets.",
    );
    assert.match(sayReason({ ...funding, sources: [...funding.sources], is_direct: true }), /has paid the other/);
  });

  it("tell what was alike", () => {
    const mirrored = { kind: "mirrored", points: 30, matched: 4, of: [5, 6] } as const;
    assert.match(
      sayReason({ ...mirrored, of: [5, 6], relation: "mirrored", basis: "orders" }),
      /^4 of 5 and 6 orders match, most of them on opposite sides/,
    );
    assert.match(
      sayReason({ ...mirrored, of: [5, 6], relation: "copied", basis: "positions" }),
      /positions match, most of them on the same side/,
    );
    assert.equal(
      sayReason({ kind: "pnl", points: 20, pnl: ["100.00", "-99.50"] }),
      "One has gained what the other has lost: +100.00 USDT and −99.50 USDT.",
    );
    assert.equal(sayReason({ kind: "ip", points: 10, ips: ["203.0.113.7"] }), "Both have signed in from 203.0.113.7.");
  });
});

describe("a cluster", () => {
  it("is held together by the pairs among its wallets", () => {
    const pairs = [{ wallets: [A, B] }, { wallets: [B, C] }] as unknown as RiskPair[];
    assert.deepEqual(pairsOf({ wallets: [A, B] as string[] }, pairs), [pairs[0]]);
  });

  it("is frozen with what runs; what is in margin stays", () => {
    const bonuses = new Map([
      [A, account("0xa", "100.00", "0.00")],
      [B, account("0xb", "142.665448", "57.049305")],
    ] as [string, BonusAccount][]);
    const figures = figuresOf(["0xa", "0xb", "0xc"], bonuses);
    assert.deepEqual([figures.held, figures.recallable, figures.staying], ["299.714753", "100", "199.714753"]);
    assert.equal(linkedLabel(figures), "Freeze and recall 2 linked wallets (299.714753 USDT)");
  });
});
