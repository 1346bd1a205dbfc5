import type { AuditEntry } from "@bourse/api/client";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Notice, Panel } from "../../kit/panel.tsx";
import { useTask } from "../../kit/task.tsx";
import { toastError } from "../../kit/toast.tsx";
import { counted } from "../frame/words.ts";
import { type ChainCheck, checkChain } from "./audit-chain.ts";

function Verdict({ check: { checked, links, problem } }: { readonly check: ChainCheck }) {
  if (problem !== undefined) {
    return (
      <Notice tone="bad">
        Entry {problem.seq} does not fit: {problem.words}. Find out who changed the database before you go on.
      </Notice>
    );
  }
  return (
    <Notice tone="good">
      {counted(checked, "entry", "entries")} match their hashes, and {counted(links, "entry", "entries")} link to the
      previous one.
    </Notice>
  );
}

/** Computes the hash chain again in this browser, from the loaded entries. */
export function ChainCheckPanel({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [check, setCheck] = useState<ChainCheck>();
  const { isBusy, run } = useTask(toastError);
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-3 pt-3">
        <p className="max-w-2xl text-sm text-muted">
          Each entry carries the SHA-256 of its content and of the previous entry. A changed or missing entry breaks the
          chain. The job audit-verify checks the whole log daily; this checks the loaded entries in your browser.
        </p>
        <Button
          isBusy={isBusy}
          disabled={entries.length === 0}
          onClick={() => void run(async () => setCheck(await checkChain(entries)))}
        >
          <ShieldCheck size={15} aria-hidden="true" /> Check the chain
        </Button>
      </div>
      <div role="status" className="mt-3 empty:mt-0">
        {check !== undefined && <Verdict check={check} />}
      </div>
    </Panel>
  );
}
