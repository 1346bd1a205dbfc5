import { useCallback, useState } from "react";
import { Dialog } from "../kit/dialog.tsx";
import { ProofView } from "../kit/proof-view.tsx";
import { Async } from "../kit/states.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { shortHash } from "../lib/format.ts";
import { Explained } from "./explain.tsx";
import { useExplain, useProof } from "./queries.ts";
import { checkRebateProof } from "./rebate-proof.ts";

type View = "explain" | "proof";

/** One record: how it was calculated, and the proof that the day's root covers it. */
export function RecordDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [view, setView] = useState<View>("explain");
  const explained = useExplain(id);
  const record = explained.data?.record;
  return (
    <Dialog
      title={record === undefined ? "Record" : `${record.period}, ${shortHash(record.downline_wallet)}`}
      onClose={onClose}
      isWide
    >
      <Tabs
        label="Views of the record"
        value={view}
        onChange={setView}
        items={[
          {
            value: "explain",
            label: "How it was calculated",
            content: (
              <Async query={explained} rows={12}>
                {(whole) => <Explained explained={whole} />}
              </Async>
            ),
          },
          { value: "proof", label: "Check the proof", content: <Proof id={id} isOpen={view === "proof"} /> },
        ]}
      />
    </Dialog>
  );
}

function Proof({ id, isOpen }: { readonly id: string; readonly isOpen: boolean }) {
  const proof = useProof(id, isOpen);
  const { data } = proof;
  const check = useCallback(() => {
    if (data === undefined) throw new Error("the proof is not there yet");
    return checkRebateProof(data.proof, data.published);
  }, [data]);
  return (
    <div className="pt-3">
      <Async query={proof} rows={12}>
        {({ proof: { status } }) => (
          <>
            {status === "provisional" && (
              <p className="pb-3 text-sm text-muted">The day is not over: its root changes with every settlement.</p>
            )}
            <ProofView
              check={check}
              elsewhere="Check it yourself: node scripts/verify-rebate.mjs proof.json --root 0x…"
            />
          </>
        )}
      </Async>
    </div>
  );
}
