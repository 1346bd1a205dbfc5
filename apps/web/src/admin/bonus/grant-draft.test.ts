import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GrantForecast } from "@bourse/api/client";
import { parseAddresses } from "./addresses.ts";
import {
  EMPTY_GRANT,
  type GrantDraft,
  grantLabel,
  grantLines,
  inputOfGrant,
  obstacleOf,
  problemsOfGrant,
  sayShort,
  sayUsdt,
  timesOf,
  withLines,
} from "./grant-draft.ts";

const ONE = "0x52908400098527886e0f7030069857d2e4169ee7";
const OTHER = "0xde709f2102306220921060314715629080e2fb77";
const GOOD: GrantDraft = {
  ...EMPTY_GRANT,
  name: " Quiz ",
  amount: "1,250.5",
  recipients: `${ONE}\nnobody\n${OTHER}\n${ONE}`,
};
const forecast: GrantForecast = {
  dry_run: true,
  would_create: 25,
  would_fail: [{ address: OTHER, reason: "already_has_bonus" }],
  pool_cap_usdt: "50000.00",
  net_outflow: "2000.00",
  headroom_before: "48000.00",
  headroom_after: "35500.00",
  within_cap: true,
  worst_case_cost: "12500.00",
  grants_stopped: false,
};

describe("a batch of grants", () => {
  it("is sent with the wallets of the list, each once, and an exact amount", () => {
    assert.deepEqual(inputOfGrant(GOOD, "admin", null), {
      batch_name: "Quiz",
      grant_tier: "COMMUNITY",
      per_address_amount: "1250.5",
      max_leverage: 10,
      recipients: [ONE, OTHER],
      operator_addr: "admin",
      notes: null,
    });
  });

  it("names what the exchange would refuse as a whole", () => {
    const problems = (change: Partial<GrantDraft>, most: string | null = null) => {
      const draft = { ...GOOD, ...change };
      return Object.keys(problemsOfGrant(draft, parseAddresses(draft.recipients), most));
    };
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ name: "" }), ["name"]);
    assert.deepEqual(problems({ tier: "x".repeat(33) }), ["tier"]);
    assert.deepEqual(problems({ amount: "1.0000001" }), ["amount"]);
    assert.deepEqual(problems({}, "1250"), ["amount"]);
    assert.deepEqual(problems({}, "1250.50"), []);
    assert.deepEqual(problems({ leverage: "126" }), ["leverage"]);
    assert.deepEqual(problems({ recipients: "nobody" }), ["recipients"]);
    const many = Array.from({ length: 501 }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "0")}`).join("\n");
    assert.deepEqual(problems({ recipients: many }), ["recipients"]);
    assert.equal(inputOfGrant({ ...GOOD, amount: "" }, "admin", null), undefined);
  });

  it("is confirmed by its amount and its number of wallets", () => {
    const input = inputOfGrant({ ...GOOD, amount: "500" }, "admin", null);
    assert.ok(input);
    assert.equal(grantLabel(input, forecast), "Grant 12,500 USDT to 25 wallets");
    const lines = new Map(grantLines(input, forecast).map(({ what, after }) => [what, after]));
    assert.equal(lines.get("Together"), "12,500.00 USDT");
    assert.equal(lines.get("Wallets that fail"), "1");
  });

  it("is held up where it cannot be granted", () => {
    assert.equal(obstacleOf(forecast), undefined);
    assert.match(obstacleOf({ ...forecast, grants_stopped: true }) ?? "", /reconciliation agrees/);
    assert.match(obstacleOf({ ...forecast, within_cap: false }) ?? "", /cannot cover/);
    assert.match(obstacleOf({ ...forecast, would_create: 0 }) ?? "", /No wallet/);
  });

  it("names who failed with the line", () => {
    const { lineOf } = parseAddresses(GOOD.recipients);
    assert.deepEqual(withLines(forecast.would_fail, lineOf), [
      { address: OTHER, reason: "already_has_bonus", line: 3 },
    ]);
  });

  it("never loses a digit of an amount", () => {
    assert.equal(timesOf("0.000001", 500), "0.0005");
    assert.equal(sayUsdt("1250.5"), "1,250.50 USDT");
    assert.equal(sayUsdt("0.000001"), "0.000001 USDT");
    assert.equal(sayShort("12500.00"), "12,500 USDT");
  });
});
