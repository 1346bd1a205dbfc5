import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { getAddress } from "viem/utils";
import { judgeRecipients, readRecipients, walletsOf } from "./recipients.ts";

const A = "0x52908400098527886e0f7030069857d2e4169ee7";
const B = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";
const NOBODY = `0x${"0".repeat(40)}`;
const judge = (texts: readonly string[], withBonus: readonly string[] = [], inDebt: readonly string[] = []) =>
  judgeRecipients(readRecipients(texts), { withBonus: new Set(withBonus), inDebt: new Set(inDebt) });

describe("recipients", () => {
  it("BON-5: none and more than 500 are refused, 500 are not", () => {
    assert.throws(() => readRecipients([]), { code: "recipients_empty" });
    assert.throws(() => readRecipients(Array(501).fill(A)), {
      code: "too_many_recipients",
      details: { rule: "recipients", limit: 500, actual: 501 },
    });
    assert.equal(readRecipients(Array(500).fill(A)).length, 500);
  });

  it("BON-5: what is no wallet fails with invalid_address, and the others are accepted", () => {
    const checksummed = getAddress(A.toLowerCase());
    const other = getAddress(B);
    const wrongChecksum = `${other.slice(0, -1)}${other.endsWith("D") ? "d" : "D"}`;
    const bad = [
      "",
      "0x",
      A.slice(0, -1),
      `${A}0`,
      ` ${A}`,
      A.replace("0x", "0X"),
      `0x${"g".repeat(40)}`,
      NOBODY,
      wrongChecksum,
    ];
    const { accepted, failed } = judge([...bad, checksummed]);
    assert.deepEqual(accepted, [A]);
    assert.deepEqual(
      failed,
      bad.map((address) => ({ address, reason: "invalid_address" })),
    );
  });

  it("BON-2: a wallet is accepted once, whatever its case, and not where it has a bonus", () => {
    const { accepted, failed } = judge([B, A, A.toUpperCase().replace("0X", "0x"), getAddress(A), B], [B]);
    assert.deepEqual(accepted, [A]);
    assert.deepEqual(failed, [
      { address: B, reason: "already_has_bonus" },
      { address: A.toUpperCase().replace("0X", "0x"), reason: "already_has_bonus" },
      { address: getAddress(A), reason: "already_has_bonus" },
      { address: B, reason: "already_has_bonus" },
    ]);
    assert.deepEqual(walletsOf(readRecipients([A, "x", getAddress(A), B])), [A, B]);
  });

  it("BON-5: what is shown of a recipient can be stored", () => {
    const [nul, half, long] = judge(["a\u0000b", "\ud800", "x".repeat(1_000)]).failed;
    assert.equal(nul?.address, "a\uFFFDb");
    assert.equal(half?.address, "\uFFFD");
    assert.equal(long?.address.length, 100);
  });

  it("BON-15: a wallet in debt fails with account_in_debt, and with already_has_bonus where it has had one", () => {
    assert.deepEqual(judge([A, B], [], [A]), { accepted: [B], failed: [{ address: A, reason: "account_in_debt" }] });
    assert.deepEqual(judge([A], [A], [A]).failed, [{ address: A, reason: "already_has_bonus" }]);
  });
});
