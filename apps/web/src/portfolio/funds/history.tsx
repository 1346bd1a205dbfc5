import type { Deposit, Withdrawal } from "@bourse/api/client";
import { useEffect, useRef } from "react";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Panel, type Tone } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { refreshPortfolio, useMovements } from "../queries.ts";
import { WhatAndWhen } from "../what-and-when.tsx";
import { isOpen, type Movement, movementsOf } from "./movements.ts";

interface Said {
  readonly label: string;
  readonly tone: Tone;
  readonly more: string;
}

const WITHDRAWALS: Readonly<Record<Withdrawal["status"], Said>> = {
  requested: { label: "Held", tone: "neutral", more: "Taken from your balance, about to be sent" },
  in_review: {
    label: "In review",
    tone: "warn",
    more: "Taken from your balance; it goes by itself when its time is over",
  },
  sent: { label: "On its way", tone: "accent", more: "The chain has not confirmed it yet" },
  confirmed: { label: "Paid", tone: "accent", more: "The Vault has paid it" },
  rejected: { label: "Rejected", tone: "warn", more: "Not paid; the amount is in your balance" },
};
const DEPOSITS: Readonly<Record<Deposit["status"], Said>> = {
  requested: { label: "Seen", tone: "neutral", more: "The chain has it; it is being credited" },
  credited: { label: "Credited", tone: "accent", more: "In your account" },
  refused: { label: "Refused", tone: "warn", more: "The Vault has the tokens: ask support" },
};

const REASONS: Readonly<Record<string, string>> = {
  not_withdrawable: "more than could be withdrawn",
  balance_limit: "the account would be above its limit",
  linked_bonus: "gains from a bonus account are reviewed",
  fund_capped: "gains from an account that went bankrupt are reviewed",
  review_refused: "refused after a review",
  InvalidRecipient: "the Vault does not pay to that address",
};

function Status({ movement }: { readonly movement: Movement }) {
  const { label, tone, more } =
    movement.kind === "deposit" ? DEPOSITS[movement.deposit.status] : WITHDRAWALS[movement.withdrawal.status];
  const { reason } = movement.kind === "deposit" ? movement.deposit : movement.withdrawal;
  const until = movement.kind === "deposit" ? null : movement.withdrawal.review_until;
  return (
    <span title={more}>
      <Badge tone={tone}>{label}</Badge>
      {reason !== null && <span className="ml-2 text-xs text-muted">{REASONS[reason] ?? reason}</span>}
      {until !== null && (
        <span className="ml-2 text-xs text-muted">
          until <Time at={until} />
        </span>
      )}
    </span>
  );
}

const COLUMNS: readonly Column<Movement>[] = [
  ["Time", ({ time }) => <Time at={time} />, "secondary"],
  ["Kind", ({ kind, time }) => <WhatAndWhen what={kind === "deposit" ? "Deposit" : "Withdrawal"} at={time} />],
  [
    "Amount, USDT",
    (movement) =>
      movement.kind === "deposit" ? (
        <Num value={movement.deposit.amount} decimals={2} signed />
      ) : (
        <Num value={`-${movement.withdrawal.amount}`} decimals={2} />
      ),
    "number",
  ],
  ["Status", (movement) => <Status movement={movement} />],
  [
    "To",
    (movement) => (movement.kind === "deposit" ? "Your account" : <Hash value={movement.withdrawal.to} />),
    "secondary",
  ],
  [
    "Transaction",
    (movement) => (
      <Hash
        value={movement.kind === "deposit" ? movement.deposit.tx_hash : movement.withdrawal.tx_hash}
        of="transaction hash"
      />
    ),
    "secondary",
  ],
];

/** Deposits and withdrawals with their status. */
export function FundsHistory() {
  const query = useMovements();
  const ended = query.data?.withdrawals.filter((each) => !isOpen(each)).length;
  const endedBefore = useRef(ended);
  useEffect(() => {
    // A withdrawal that has ended has changed the wallet or the account.
    if (endedBefore.current !== undefined && ended !== endedBefore.current) void refreshPortfolio();
    endedBefore.current = ended;
  }, [ended]);
  return (
    <Panel title="Deposits and withdrawals" isFlush>
      <QueryTable
        query={query}
        rowsOf={({ deposits, withdrawals }) => movementsOf(deposits, withdrawals)}
        label="Deposits and withdrawals"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={<EmptyState title="Nothing yet">Your first deposit is listed here.</EmptyState>}
        loadingRows={4}
      />
    </Panel>
  );
}
