import type { BrokerOverview, InviteCode } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
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
        <p className="text-sm text-muted">Whoever comes by your link and signs in is your downline from then on.</p>
        {make}
      </div>
      <Async
        query={codes}
        skeleton={<Skeleton rows={6} rowHeight={64} />}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState title="You have no codes yet" action={make}>
            A code decides what your customers get back of their fees, and brings them to you by its link.
          </EmptyState>
        }
      >
        {(all) => <CodeList codes={all} />}
      </Async>
      {overview && <NewCode overview={overview} isOpen={isMaking} onOpenChange={setMaking} />}
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

interface NewCodeProps {
  readonly overview: BrokerOverview;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

function NewCode({ overview, isOpen, onOpenChange }: NewCodeProps) {
  return (
    <Dialog
      title="New invite code"
      description="What it gives is fixed once it is made; switch it off and make another to change it."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <CodeForm
        rate={overview.rebate_rate}
        isSubKol={overview.parent_broker !== null}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}
