import "../../../testing/dom.ts";

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ReviewedWithdrawal } from "@bourse/api/client";
import { fireEvent, render, screen } from "@testing-library/react";
import { Table } from "../../kit/table.tsx";
import type { staffApi } from "../../session/session.ts";
import { DECISIONS, wordsOfReview } from "./review-words.ts";
import { reviewColumns } from "./withdrawal-reviews-page.tsx";

const WALLET = `0x${"ab".repeat(20)}`;
const withdrawal: ReviewedWithdrawal = {
  id: "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44",
  withdrawal_id: "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44",
  status: "in_review",
  amount: "250.00",
  to: WALLET,
  address: WALLET,
  reason: "linked_bonus",
  review_until: 1_780_272_000_000,
  tx_hash: null,
  request_id: null,
  created_time: 1_780_012_800_000,
  updated_time: 1_780_012_800_000,
};

describe("withdrawals in review on the console", () => {
  it("BON-12, VLT-4: each says why it waits, and is released or refused from its row", () => {
    const tasks: { decision: string; withdrawal: ReviewedWithdrawal }[] = [];
    // Without the first column: a wallet's link needs the router.
    render(
      <Table
        label="Withdrawals in review"
        rows={[withdrawal]}
        keyOf={({ id }) => id}
        columns={reviewColumns((task) => tasks.push(task)).slice(1)}
      />,
    );
    assert.ok(screen.getByText("linked with a bonus account"));
    assert.ok(screen.getByText("the same wallet"));
    for (const name of ["Release", "Refuse"]) fireEvent.click(screen.getByRole("button", { name }));
    assert.deepEqual(
      tasks.map(({ decision, withdrawal: { id } }) => [decision, id]),
      [
        ["release", withdrawal.id],
        ["refuse", withdrawal.id],
      ],
    );
  });

  it("each decision goes to its own route, with the reason", async () => {
    const sent: unknown[] = [];
    const told = (what: string) => async (id: string, body: object) => void sent.push([what, id, body]);
    const exchangeAdmin = { releaseWithdrawal: told("release"), refuseWithdrawal: told("refuse") };
    const api = { exchangeAdmin } as unknown as typeof staffApi;
    await DECISIONS.release.send(api, "1", "checked by phone");
    await DECISIONS.refuse.send(api, "2", "one person with two wallets");
    assert.deepEqual(sent, [
      ["release", "1", { reason: "checked by phone" }],
      ["refuse", "2", { reason: "one person with two wallets" }],
    ]);
  });

  it("a reason of a later release is shown as it came", () => {
    assert.deepEqual(
      [wordsOfReview("fund_capped"), wordsOfReview("made_up"), wordsOfReview(null)],
      ["won from a bankrupt account", "made_up", "–"],
    );
  });
});
