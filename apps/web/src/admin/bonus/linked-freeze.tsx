import type { LinkedFreezeReply } from "@bourse/api/client";
import { useRef, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction, Dialog } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Notice } from "../../kit/panel.tsx";
import { Table } from "../../kit/table.tsx";
import { sum } from "../../lib/decimal.ts";
import { once, sayReplayed } from "../../lib/once.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { reasonGiven, WhyField } from "./control-dialog.tsx";
import { sayUsdt } from "./grant-draft.ts";
import { OperatorField, useOperator } from "./operator.tsx";
import { type LinkedFigures, linkedLabel, type RiskCluster } from "./risk-words.ts";
import { STATUS_WORDS } from "./words.ts";

interface LinkedFreezeProps {
  readonly cluster: RiskCluster;
  readonly figures: LinkedFigures;
  /** The score from which on wallets belong together, as it is shown. */
  readonly minScore: number;
  readonly onClose: () => void;
}

/** Wallet by wallet what became of it. */
function LinkedResult({ reply, onClose }: { readonly reply: LinkedFreezeReply; readonly onClose: () => void }) {
  const recalled = sum(reply.wallets.map(({ recalled_amount }) => recalled_amount)).toString();
  return (
    <Dialog
      title={`${counted(reply.wallets.length, "linked wallet")}: ${sayUsdt(recalled)} are back in the pool`}
      isOpen
      isWide
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {reply.replayed && <Notice tone="accent">This had been done before: nothing was done twice.</Notice>}
      <Table
        label="What became of the linked wallets"
        rows={reply.wallets}
        keyOf={({ address }) => address}
        columns={[
          { key: "address", title: "Wallet", cell: ({ address }) => <Hash value={address} /> },
          {
            key: "status",
            title: "Status",
            cell: ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>,
          },
          {
            key: "recalled",
            title: "Back in the pool, USDT",
            isNumber: true,
            cell: ({ recalled_amount }) => <Num value={recalled_amount} decimals={6} />,
          },
          {
            key: "locked",
            title: "Still in margin, USDT",
            isNumber: true,
            cell: ({ still_locked_amount }) => <Num value={still_locked_amount} decimals={6} />,
          },
        ]}
      />
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

/** Freezes every wallet of the cluster that is in sight, and takes back what is not in margin. */
export function LinkedFreeze({ cluster, figures, minScore, onClose }: LinkedFreezeProps) {
  const write = useWrite();
  const operator_addr = useOperator();
  const [reason, setReason] = useState("");
  const [reply, setReply] = useState<LinkedFreezeReply>();
  const isDone = useRef(false);
  if (reply !== undefined) return <LinkedResult reply={reply} onClose={onClose} />;
  const act = async () => {
    const request = {
      target_address: cluster.id,
      min_score: minScore,
      reason: reasonGiven(reason),
      operator_addr,
    };
    const answer = await write(
      () =>
        once("freeze linked", request, (request_id) => staffApi.bonusAdmin.freezeLinked({ ...request, request_id })),
      ({ wallets, replayed }) => sayReplayed(replayed, `${counted(wallets.length, "wallet")} frozen.`),
    );
    isDone.current = true;
    setReply(answer);
  };
  return (
    <ConfirmAction
      title="Freeze and recall linked wallets"
      changes={[
        { what: "Wallets of the cluster", after: String(cluster.wallets.length) },
        { what: "With a running bonus", after: `${figures.running.length}, all are frozen` },
        { what: "Back to the pool at once", after: sayUsdt(figures.recallable) },
        { what: "Frozen until positions are closed", after: sayUsdt(figures.staying) },
        { what: "Belong together from a score of", after: String(minScore) },
      ]}
      warning="Who belongs to the cluster is judged anew when you press. Orders that do not reduce are cancelled, which may free more."
      actionLabel={linkedLabel(figures)}
      isOpen
      // The result takes the place of the question.
      onOpenChange={(isOpen) => !isOpen && !isDone.current && onClose()}
      onConfirm={act}
    >
      <WhyField value={reason} onChange={setReason} />
      <OperatorField />
    </ConfirmAction>
  );
}
