import type { AuditEntry } from "@bourse/api/client";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Notice, Panel } from "../../kit/panel.tsx";
import { toastError } from "../../kit/toast.tsx";
import { counted } from "../frame/words.ts";
import { type ChainCheck, checkChain } from "./audit-chain.ts";

function Verdict({ check: { checked, links, problem } }: { readonly check: ChainCheck }) {
  if (problem !== undefined) {
    return (
      <Notice tone="bad">
        Entry {problem.seq} does not fit: {problem.words}. Stop and find out who has touched the database.
      </Notice>
    );
  }
  return (
    <Notice tone="good">
      {counted(checked, "entry", "entries")} match their hashes, and {counted(links, "entry", "entries")} follow from
      the one before.
    </Notice>
  );
}

/** The chain is worked out once more in this browser, from the entries as they came. */
export function ChainCheckPanel({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [check, setCheck] = useState<ChainCheck>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      setCheck(await checkChain(entries));
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-3 pt-3">
        <p className="max-w-2xl text-sm text-muted">
          Each entry carries the SHA-256 of its content and of the entry before. A changed or missing one breaks the
          chain. The job audit-verify checks all of it daily; this checks what is loaded, here in the browser.
        </p>
        <Button isBusy={isBusy} disabled={entries.length === 0} onClick={() => void run()}>
          <ShieldCheck size={15} aria-hidden="true" /> Check the chain
        </Button>
      </div>
      <div role="status" className="mt-3 empty:mt-0">
        {check !== undefined && <Verdict check={check} />}
      </div>
    </Panel>
  );
}
