import type { InviteCode } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { ConfirmAction, Dialog } from "../kit/dialog.tsx";
import { CopyButton, Hash } from "../kit/hash.tsx";
import { Money, Num, Percent } from "../kit/number.tsx";
import { Badge, Fact, Facts, type Tone } from "../kit/panel.tsx";
import { QrCode } from "../kit/qr.tsx";
import { useTask } from "../kit/task.tsx";
import { Countdown, Time } from "../kit/time.tsx";
import { toastError } from "../kit/toast.tsx";
import { inviteLink } from "./invite-link.ts";

const KINDS: Readonly<Record<InviteCode["code_type"], string>> = {
  direct: "for customers",
  sub_kol: "for one sub-KOL",
  bd: "for one KOL",
};
const TONES: Readonly<Record<InviteCode["status"], Tone>> = {
  active: "accent",
  used: "neutral",
  expired: "neutral",
  disabled: "neutral",
};
const STATES: Readonly<Record<InviteCode["status"], string>> = {
  active: "open",
  used: "used",
  expired: "expired",
  disabled: "switched off",
};

interface CodeCardProps {
  readonly code: InviteCode;
  readonly onStatus: (status: "active" | "disabled") => Promise<void>;
}

/** A code with its link, what it gives, and its switch. */
export function CodeCard({ code, onStatus }: CodeCardProps) {
  const link = inviteLink(code.code);
  return (
    <article aria-label={`Code ${code.code}`} className="flex h-full flex-col gap-3 rounded-lg bg-panel p-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex items-center gap-2">
          <span className="font-mono text-lg font-semibold">{code.code}</span>
          <Badge tone={TONES[code.status]}>{STATES[code.status]}</Badge>
        </h3>
        <span className="text-xs text-muted">{KINDS[code.code_type]}</span>
      </header>
      <CodeFacts code={code} />
      {code.status === "active" && (
        <p className="flex min-w-0 items-center gap-1 rounded-md bg-raised py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-xs" title={link}>
            {link}
          </code>
          <CopyButton text={link} label={`Copy link of ${code.code}`} />
        </p>
      )}
      <footer className="mt-auto flex flex-wrap items-center gap-2">
        {code.status === "active" && <QrButton code={code.code} link={link} />}
        {(code.status === "active" || code.status === "disabled") && <StatusSwitch code={code} onStatus={onStatus} />}
        {code.note !== null && <span className="min-w-0 truncate text-xs text-muted">{code.note}</span>}
      </footer>
    </article>
  );
}

function CodeFacts({ code }: { readonly code: InviteCode }) {
  const { code_type, rebate_rate, share_ratio, level, cached_used_count, expire_at, bound_broker, status } = code;
  return (
    <Facts>
      {level !== null && <Fact name="Makes a KOL of tier" value={level} />}
      <Fact
        name={
          code_type === "direct"
            ? "Customers get back"
            : code_type === "sub_kol"
              ? "The sub-KOL's rate"
              : "The KOL's rate"
        }
        value={<Percent fraction={rebate_rate} />}
      />
      {code_type === "sub_kol" && <Fact name="Your share" value={<Percent fraction={share_ratio} />} />}
      {code_type === "direct" && (
        <Fact
          name="Used"
          value={
            <>
              <Num value={cached_used_count} /> times
            </>
          }
        />
      )}
      {expire_at !== null && status !== "used" && (
        <Fact
          name={status === "active" ? "Expires in" : "Expired"}
          value={status === "active" ? <Countdown until={expire_at} done="expired" /> : <Time at={expire_at} />}
        />
      )}
      {bound_broker !== null && (
        <>
          <Fact name="Used by" value={bound_broker.nickname ?? <Hash value={bound_broker.wallet_address} />} />
          <Fact name="Since" value={<Time at={bound_broker.bind_time} precision="day" />} />
          <Fact name="Its fees and those of its customers" value={<Money value={bound_broker.total_fee} />} />
        </>
      )}
    </Facts>
  );
}

function QrButton({ code, link }: { readonly code: string; readonly link: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`QR code of ${code}`}>
        QR code
      </Button>
      <Dialog
        title={`Join by ${code}`}
        description="A phone's camera opens the link."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <div className="flex flex-col items-center gap-3">
          <div className="overflow-hidden rounded-lg">
            <QrCode text={link} label={`QR code of the link of ${code}`} size={240} />
          </div>
          <p className="flex max-w-full items-center gap-1">
            <code className="min-w-0 truncate font-mono text-xs">{link}</code>
            <CopyButton text={link} label="Copy link" />
          </p>
        </div>
      </Dialog>
    </>
  );
}

function StatusSwitch({ code, onStatus }: CodeCardProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, run } = useTask(toastError);
  if (code.status === "disabled") {
    return (
      <Button isBusy={isBusy} onClick={() => void run(() => onStatus("active"))} aria-label={`Switch on ${code.code}`}>
        Switch on
      </Button>
    );
  }
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)} aria-label={`Switch off ${code.code}`}>
        Switch off
      </Button>
      <ConfirmAction
        title={`Switch off ${code.code}?`}
        changes={[
          { what: "Its link", before: "accepts new wallets", after: "accepts no new wallets" },
          { what: "Wallets that used it", after: "unchanged" },
        ]}
        actionLabel={`Switch off ${code.code}`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => onStatus("disabled")}
      />
    </>
  );
}
