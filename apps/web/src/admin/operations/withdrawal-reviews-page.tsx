import type { ReviewedWithdrawal } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Money } from "../../kit/number.tsx";
import { Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { reasonGiven } from "../bonus/control-dialog.tsx";
import { WalletLink } from "../bonus/wallet-link.tsx";
import { ReasonField } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { useWithdrawalReviews } from "./queries.ts";
import { DECISIONS, type Decision, wordsOfReview } from "./review-words.ts";

export type ReviewTask = { readonly decision: Decision; readonly withdrawal: ReviewedWithdrawal };

export const reviewColumns = (onTask: (task: ReviewTask) => void): readonly Column<ReviewedWithdrawal>[] => [
  ["Wallet", ({ address }) => <WalletLink address={address} />],
  ["Amount", ({ amount }) => <Money value={amount} />, "number"],
  ["To", ({ to, address }) => (to === address ? "the same wallet" : <Hash value={to} of="address" />), "secondary"],
  ["Why it waits", ({ reason }) => wordsOfReview(reason)],
  ["Asked", ({ created_time }) => <Time at={created_time} />, "secondary"],
  ["Goes by itself", ({ review_until }) => <Time at={review_until} />],
  [
    "Actions",
    (withdrawal) => (
      <span className="inline-flex gap-2">
        <Button onClick={() => onTask({ decision: "release", withdrawal })}>Release</Button>
        <Button look="danger" onClick={() => onTask({ decision: "refuse", withdrawal })}>
          Refuse
        </Button>
      </span>
    ),
    "number",
    "untitled",
  ],
];

function DecisionDialog({ decision, withdrawal, onClose }: ReviewTask & { readonly onClose: () => void }) {
  const write = useWrite();
  const [reason, setReason] = useState("");
  const { title, outcome, say, send } = DECISIONS[decision];
  return (
    <ConfirmAction
      title={title}
      changes={[
        { what: "Wallet", after: <span className="font-mono text-xs break-all">{withdrawal.address}</span> },
        { what: "To", after: <span className="font-mono text-xs break-all">{withdrawal.to}</span> },
        { what: `${withdrawal.amount} USDT`, before: "wait", after: outcome },
      ]}
      actionLabel={`${title} of ${withdrawal.amount} USDT by ${shortHash(withdrawal.address)}`}
      onClose={onClose}
      onConfirm={() =>
        write(
          () => send(staffApi, withdrawal.id, reasonGiven(reason)),
          () => say,
        )
      }
    >
      <ReasonField isRequired value={reason} onChange={setReason} />
    </ConfirmAction>
  );
}

/** BON-12, VLT-4: withdrawals that touch a hold. */
export function WithdrawalReviewsPage() {
  const reviews = useWithdrawalReviews();
  const [task, setTask] = useState<ReviewTask>();
  return (
    <Page
      title="Withdrawals in review"
      lead="They touch money that is held: of wallets linked with a bonus, or won from an account that went bankrupt when the fund reached its cap. Without a decision each goes by itself."
    >
      <Panel isFlush>
        <PagedTable
          query={reviews}
          label="Withdrawals in review"
          keyOf={({ id }) => id}
          columns={reviewColumns(setTask)}
          loadingRows={4}
          empty={<EmptyState title="Nothing waits">No withdrawal touches money that is held.</EmptyState>}
        />
      </Panel>
      {task !== undefined && <DecisionDialog {...task} onClose={() => setTask(undefined)} />}
    </Page>
  );
}
