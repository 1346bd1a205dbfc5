import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AdminKol, Downline } from "@bourse/api/client";
import { readPercent, splitOf } from "./code-ratios.ts";
import { formulaSteps } from "./explain-words.ts";
import { filterDownlines, filterKols, filterRecords } from "./filters.ts";
import { inviteLink } from "./invite-link.ts";
import { owedOf } from "./owed.ts";
import { runningCounts } from "./running-counts.ts";
import { tierStanding } from "./tier-standing.ts";
import { ratioOfTenths, tenthsOf, whatIfLines } from "./what-if-figures.ts";

describe("BRK-10: what a code gives, as docs/rules/rebates.md works it out", () => {
  const split = (rate: string, customerRatio: string, shareRatio: string, fee = "100") =>
    Object.values(splitOf({ fee, rate, customerRatio, shareRatio }));

  it("the table of cases", () => {
    assert.deepEqual(split("0.40", "0.10", "0"), ["40", "10", "0", "30"]);
    assert.deepEqual(split("0.30", "0.10", "0.20"), ["30", "10", "4", "16"]);
    assert.deepEqual(split("0.25", "0.10", "0.20"), ["25", "10", "3", "12"]);
    assert.deepEqual(split("0.40", "0.40", "0"), ["40", "40", "0", "0"]);
    assert.deepEqual(split("0.40", "0.30", "0"), ["40", "30", "0", "10"]);
  });

  it("every part is rounded down to a micro, the customer's is capped by the rate", () => {
    assert.deepEqual(split("0.333333", "0.1", "0.333333", "0.000015"), ["0.000004", "0.000001", "0", "0.000003"]);
    assert.deepEqual(split("0.2", "0.5", "0"), ["20", "20", "0", "0"]);
  });

  it("per cent as typed become ratios of at most six decimals", () => {
    assert.deepEqual(readPercent("12.5", "0.4", "your own rate"), { isRight: true, ratio: "0.125" });
    assert.deepEqual(readPercent(" 40 ", "0.4", "your own rate"), { isRight: true, ratio: "0.4" });
    assert.deepEqual(readPercent("0", "0.4", "your own rate"), { isRight: true, ratio: "0" });
    const mistake = (text: string) => {
      const read = readPercent(text, "0.4", "your own rate");
      return read.isRight ? undefined : read.mistake;
    };
    assert.match(mistake("40.01") ?? "", /At most 40 %, your own rate/);
    assert.match(mistake("1.23456") ?? "", /four decimals/);
    for (const text of ["", "ten", "-1", "1e1"]) assert.match(mistake(text) ?? "", /Type a number/);
  });
});

describe("BRK-5: where a partner stands among the tiers", () => {
  const tiers = [
    { level: 1, label: "Bronze", rebate_rate: "0.2", min_fee_30d: "0.00" },
    { level: 2, label: "Silver", rebate_rate: "0.25", min_fee_30d: "2000.00" },
    { level: 3, label: "Gold", rebate_rate: "0.3", min_fee_30d: "10000.00" },
  ];

  it("what is missing to the next", () => {
    const { current, next, missing, fraction } = tierStanding({ level: 2, tiers, fee_30d: "2500.000001" });
    assert.equal(current?.label, "Silver");
    assert.equal(next?.label, "Gold");
    assert.equal(missing, "7499.999999");
    assert.equal(fraction, 0.25);
  });

  it("reached but not given yet, at the top, and without tiers", () => {
    assert.deepEqual(
      [tierStanding({ level: 1, tiers, fee_30d: "2000.00" })].map(({ missing, fraction }) => [missing, fraction]),
      [[undefined, 1]],
    );
    assert.equal(tierStanding({ level: 3, tiers, fee_30d: "1" }).next, undefined);
    assert.deepEqual(tierStanding({ level: null, tiers: [], fee_30d: "1" }), {
      current: undefined,
      next: undefined,
      missing: undefined,
      fraction: 1,
    });
  });
});

describe("BRK-11: what is still owed", () => {
  it("all there is to get less what was paid; what is put together is not paid", () => {
    const owed = owedOf({
      overview: { total_rebate: "100.50", share_income: "2.25" },
      ownRebates: [{ customer_rebate: "10.00" }, { customer_rebate: "-0.50" }],
      affiliateRecords: [{ reward: "1.000001" }],
      payouts: [
        { amount: "50.00", paid_at: "2026-06-01T00:00:00Z" },
        { amount: "20.00", paid_at: null },
      ],
    });
    assert.equal(owed.own, "9.5");
    assert.equal(owed.paid, "50");
    assert.equal(owed.unpaid, "63.250001");
    assert.equal(owed.isWhole, true);
  });

  it("a full list says so", () => {
    const ownRebates = Array.from({ length: 100 }, () => ({ customer_rebate: "1.00" }));
    const owed = owedOf({ ownRebates, affiliateRecords: [], payouts: [] });
    assert.deepEqual([owed.unpaid, owed.isWhole], ["100", false]);
  });
});

describe("BRK-17: what if", () => {
  const actual = { fee: "100.00", nominal: "40.00", customer_rebate: "15.00", share: "0.00", kol_net: "25.00" };
  const hypothetical = { ...actual, customer_rebate: "10.000001", kol_net: "29.999999" };

  it("differences are exact, and a parent's part shows only where there is one", () => {
    const lines = whatIfLines({ actual, hypothetical });
    assert.deepEqual(
      lines.map(({ name, difference }) => [name, difference]),
      [
        ["Fees of your customers", "0"],
        ["Shared out of them", "0"],
        ["Back to your customers", "-4.999999"],
        ["You keep", "4.999999"],
      ],
    );
    assert.equal(whatIfLines({ actual: { ...actual, share: "1.00" }, hypothetical }).length, 5);
  });

  it("the slider's tenths of a per cent are exact ratios, never above the own rate", () => {
    assert.equal(ratioOfTenths(155), "0.155");
    assert.equal(ratioOfTenths(0), "0");
    assert.equal(tenthsOf("0.4"), 400);
    assert.equal(tenthsOf("0.333333"), 333);
  });
});

describe("lists of the portal", () => {
  const downline = (wallet_address: string, code_type: Downline["code_type"]) =>
    ({ wallet_address, code_type }) as Downline;

  it("are searched by any part of a wallet or name, in any case", () => {
    const all = [downline("0xabc1", "direct"), downline("0xdef2", "sub_kol")];
    assert.deepEqual(filterDownlines(all, "sub_kol", ""), [all[1]]);
    assert.deepEqual(filterDownlines(all, "all", " ABC "), [all[0]]);
    const records = [{ payment_status: "paid", downline_wallet: "0xabc1" } as const];
    assert.deepEqual(filterRecords(records, "pending", ""), []);
    const kols = [
      { wallet_address: "0x1", nickname: "Moon Li" },
      { wallet_address: "0x2", nickname: null },
    ];
    assert.equal(filterKols(kols as AdminKol[], "moon").length, 1);
    assert.equal(filterKols(kols as AdminKol[], "0x").length, 2);
  });

  it("counts run up to what there is now", () => {
    assert.deepEqual(runningCounts(8, [1, 0, 2]), [6, 6, 8]);
    assert.deepEqual(runningCounts(8, []), []);
  });

  it("a formula is read step by step, a link leads to the front door", () => {
    assert.deepEqual(formulaSteps("nominal = 1; customer = 2; "), ["nominal = 1", "customer = 2"]);
    assert.equal(inviteLink("7K3M9QXA", "https://bourse.example"), "https://bourse.example/app/?ref=7K3M9QXA");
  });
});
