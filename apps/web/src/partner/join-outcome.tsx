import type { BindReply } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Button } from "../kit/button.tsx";
import { Fact, Facts, Notice } from "../kit/panel.tsx";
import { Time } from "../kit/time.tsx";
import { shortHash } from "../lib/format.ts";
import type { Refusal } from "./invitation.ts";

const WHAT_NOW: Readonly<Record<BindReply["code_type"], string>> = {
  direct: "From now on a part of every fee you pay comes back to you, at the ratio of this code.",
  sub_kol: "You are a partner now: make your own codes and earn from the fees of those who use them.",
  bd: "You are a partner now: make your own codes and earn from the fees of those who use them.",
};

const LINK = "inline-flex h-10 items-center rounded-md px-4 text-base font-medium";

function NextSteps({ isPartner }: { readonly isPartner: boolean }) {
  const trade = (
    <Link key="trade" to="/trade" className={`${LINK} ${isPartner ? "bg-raised" : "bg-accent-solid text-on-accent"}`}>
      Start trading
    </Link>
  );
  const portal = (
    <Link
      key="portal"
      to="/partner"
      className={`${LINK} ${isPartner ? "bg-accent-solid text-on-accent" : "bg-raised"}`}
    >
      {isPartner ? "Open your portal" : "See your rebates"}
    </Link>
  );
  return <div className="flex flex-wrap gap-3">{isPartner ? [portal, trade] : [trade, portal]}</div>;
}

export function Joined({ bound }: { readonly bound: BindReply }) {
  const { inviter_name, inviter_wallet, code_type, bind_time } = bound;
  const inviter = inviter_name ?? (inviter_wallet === null ? "Bourse" : shortHash(inviter_wallet));
  return (
    <>
      <div role="status">
        <Notice tone="accent">You have joined. {WHAT_NOW[code_type]}</Notice>
      </div>
      <Facts className="max-w-sm">
        <Fact name="Invited by" value={inviter} />
        <Fact name="Since" value={<Time at={bind_time} />} />
      </Facts>
      <NextSteps isPartner={code_type !== "direct"} />
    </>
  );
}

interface RefusedProps {
  readonly refusal: Refusal;
  readonly onRetry: () => void;
  readonly isBusy: boolean;
}

export function Refused({ refusal, onRetry, isBusy }: RefusedProps) {
  return (
    <>
      <div role="alert">
        <Notice>
          <span className="font-medium">{refusal.title}</span> {refusal.advice}{" "}
          {refusal.code !== undefined && <span className="font-mono text-xs">{refusal.code}</span>}
        </Notice>
      </div>
      <p className="text-sm text-muted">You can trade all the same; only the code is not used.</p>
      <div className="flex flex-wrap items-center gap-3">
        <NextSteps isPartner={false} />
        <Button look="quiet" isBusy={isBusy} onClick={onRetry}>
          Try again
        </Button>
      </div>
    </>
  );
}
