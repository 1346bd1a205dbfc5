import type { InviteCode } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { api } from "../session/session.ts";
import { CodeCard } from "./code-card.tsx";
import { CodeForm } from "./code-form.tsx";
import { useInviteCodes, useOverview, usePartnerRenewal } from "./queries.ts";

/** The partner's codes, each with its link, and the form for a new one. */
export function Codes() {
  const codes = useInviteCodes();
  const { data: overview } = useOverview();
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button look="primary" disabled={!overview} onClick={() => setMaking(true)}>
      New code
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">A wallet that signs in by your link becomes your downline.</p>
        {make}
      </div>
      <Async
        query={codes}
        rows={6}
        rowHeight={64}
        empty={
          <EmptyState title="You have no codes yet" action={make}>
            A code sets what your customers get back of their fees. Its link brings them to you.
          </EmptyState>
        }
      >
        {(all) => <CodeList codes={all} />}
      </Async>
      {overview && isMaking && (
        <Dialog
          title="New invite code"
          description="Its ratios cannot be changed later: switch it off and make another code instead."
          onClose={() => setMaking(false)}
        >
          <CodeForm
            rate={overview.rebate_rate}
            isSubKol={overview.parent_broker !== null}
            onDone={() => setMaking(false)}
          />
        </Dialog>
      )}
    </>
  );
}

function CodeList({ codes }: { readonly codes: readonly InviteCode[] }) {
  const renew = usePartnerRenewal();
  const setStatus = async (code: InviteCode, status: "active" | "disabled") => {
    await api.broker.changeInviteCode(code.id, { status });
    await renew();
  };
  return (
    <ul aria-label="Your codes" className="grid gap-4 lg:grid-cols-2">
      {codes.map((code) => (
        <li key={code.id}>
          <CodeCard code={code} onStatus={(status) => setStatus(code, status)} />
        </li>
      ))}
    </ul>
  );
}
