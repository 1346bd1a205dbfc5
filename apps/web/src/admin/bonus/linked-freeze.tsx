import type { LinkedFreezeReply } from "@bourse/api/client";
import { useRef, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction, Dialog } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Notice } from "../../kit/panel.tsx";
import { Table } from "../../kit/table.tsx";
import { sum } from "../../lib/decimal.ts";
import { staffApi } from "../../session/session.ts";
import { ReasonField } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWriteOnce } from "../frame/write.ts";
import { reasonGiven } from "./control-dialog.tsx";
import { sayUsdt } from "./grant-draft.ts";
import { OperatorField, useOperator } from "./operator.tsx";
import { type LinkedFigures, linkedLabel, type RiskCluster } from "./risk-words.ts";
import { STATUS_WORDS } from "./words.ts";

interface LinkedFreezeProps {
  readonly cluster: RiskCluster;
  readonly figures: LinkedFigures;
  /** The score from which wallets count as linked, as shown. */
  readonly minScore: number;
  readonly onClose: () => void;
}

/** The outcome for each wallet. */
function LinkedResult({ reply, onClose }: { readonly reply: LinkedFreezeReply; readonly onClose: () => void }) {
  const recalled = sum(reply.wallets.map(({ recalled_amount }) => recalled_amount)).toString();
  return (
    <Dialog
      title={`${counted(reply.wallets.length, "linked wallet")}: ${sayUsdt(recalled)} are back in the pool`}
      isWide
      onClose={onClose}
    >
      {reply.replayed && <Notice tone="accent">This was done by an earlier request. Nothing was done twice.</Notice>}
      <Table
        label="Outcome for the linked wallets"
        rows={reply.wallets}
        keyOf={({ address }) => address}
        columns={[
          ["Wallet", ({ address }) => <Hash value={address} />],
          ["Status", ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>],
          ["Back in the pool, USDT", ({ recalled_amount }) => <Num value={recalled_amount} decimals={6} />, "number"],
          [
            "Still in margin, USDT",
            ({ still_locked_amount }) => <Num value={still_locked_amount} decimals={6} />,
            "number",
          ],
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

/** Freezes every wallet of the cluster and recalls what is not in margin. */
export function LinkedFreeze({ cluster, figures, minScore, onClose }: LinkedFreezeProps) {
  const writeOnce = useWriteOnce();
  const operator_addr = useOperator();
  const [reason, setReason] = useState("");
  const [reply, setReply] = useState<LinkedFreezeReply>();
  const isDone = useRef(false);
  if (reply !== undefined) return <LinkedResult reply={reply} onClose={onClose} />;
  const act = async () => {
    const answer = await writeOnce(
      "freeze linked",
      { target_address: cluster.id, min_score: minScore, reason: reasonGiven(reason), operator_addr },
      (body) => staffApi.bonusAdmin.freezeLinked(body),
      ({ wallets }) => `${counted(wallets.length, "wallet")} frozen.`,
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
        { what: "Linked from a score of", after: String(minScore) },
      ]}
      warning="The cluster is computed again when you press. Orders that do not reduce are cancelled, which may free more."
      actionLabel={linkedLabel(figures)}
      // The result replaces the question.
      onClose={() => !isDone.current && onClose()}
      onConfirm={act}
    >
      <ReasonField isRequired value={reason} onChange={setReason} />
      <OperatorField />
    </ConfirmAction>
  );
}
