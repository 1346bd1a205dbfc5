import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BonusCampaign } from "@bourse/api/client";
import { localInputOf } from "../../lib/local-time.ts";
import {
  beginCampaign,
  type CampaignDraft,
  changeOfCampaign,
  draftOfCampaign,
  problemsOfCampaign,
} from "./campaign-draft.ts";

const campaign: BonusCampaign = {
  id: 1,
  name: "Launch",
  amount: "500.00",
  max_amount: null,
  validity_days: 7,
  redemption_opens_at: null,
  redemption_closes_at: "2026-06-10T15:59:59.000Z",
  pool_cap_usdt: "50000.00",
  created_at: "2026-06-01T00:00:00.000Z",
};
const draft = draftOfCampaign(campaign);

describe("a campaign's draft", () => {
  it("made from a campaign changes nothing", () => {
    assert.deepEqual(changeOfCampaign(campaign, draft), { lines: [], request: {} });
  });

  it("does not mind fractions of a second that the form cannot hold", () => {
    const precise = { ...campaign, redemption_closes_at: "2026-06-10T15:59:59.966Z" };
    assert.deepEqual(changeOfCampaign(precise, draftOfCampaign(precise)).request, {});
  });

  it("sends and shows only what differs", () => {
    const { lines, request } = changeOfCampaign(campaign, { ...draft, amount: "250.5", max: "1,000", days: "14" });
    assert.deepEqual(request, { amount: "250.5", max_amount: "1000", validity_days: 14 });
    assert.deepEqual(lines, [
      { what: "Usual amount for a wallet", before: "500.00 USDT", after: "250.50 USDT" },
      { what: "Maximum for a wallet", before: "no limit", after: "1,000.00 USDT" },
      { what: "Days until a bonus expires", before: "7", after: "14" },
    ]);
  });

  it("removes the limit by an empty field", () => {
    const bound = { ...campaign, max_amount: "1000.00" };
    assert.deepEqual(changeOfCampaign(bound, { ...draftOfCampaign(bound), max: "" }).request, { max_amount: null });
  });

  it("begins with everything", () => {
    const { request } = beginCampaign({ ...draft, name: "Summer" });
    assert.deepEqual(request, {
      new: true,
      name: "Summer",
      amount: "500",
      max_amount: null,
      validity_days: 7,
      redemption_opens_at: null,
      redemption_closes_at: "2026-06-10T15:59:59.000Z",
    });
  });

  it("names what the exchange would refuse", () => {
    const problems = (change: Partial<CampaignDraft>, isNew = false) =>
      Object.keys(problemsOfCampaign({ ...draft, ...change }, campaign, isNew));
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({}, true), ["name"]);
    assert.deepEqual(problems({ name: " " }), ["name"]);
    assert.deepEqual(problems({ amount: "0" }), ["amount"]);
    assert.deepEqual(problems({ max: "499" }), ["max"]);
    assert.deepEqual(problems({ days: "366" }), ["days"]);
    assert.deepEqual(problems({ closes: "" }), ["closes"]);
    assert.deepEqual(problems({ opens: localInputOf("2026-06-11T00:00:00Z") }), ["closes"]);
  });
});
