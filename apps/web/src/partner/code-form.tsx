import type { InviteCodeDraft } from "@bourse/api/client";
import { type ReactNode, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Segmented, TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Money } from "../kit/number.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { RefusalLine, useTask } from "../kit/task.tsx";
import { toast } from "../kit/toast.tsx";
import { percentOf } from "../lib/format.ts";
import { api } from "../session/session.ts";
import { readPercent, splitOf, type TypedRatio } from "./code-ratios.ts";
import { usePartnerRenewal } from "./queries.ts";

type Kind = "direct" | "sub_kol";

const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: "direct", label: "For customers" },
  { value: "sub_kol", label: "For a sub-KOL" },
];
const MAX_NOTE = 200;
const EXAMPLE_FEE = "100";

interface CodeFormProps {
  /** The partner's own rate, which bounds what can be given. */
  readonly rate: string;
  /** Sub-KOLs have customers only. */
  readonly isSubKol: boolean;
  readonly onDone: () => void;
}

const mistakeOf = (typed: TypedRatio): string | undefined => (typed.isRight ? undefined : typed.mistake);

function draftOf(kind: Kind, first: TypedRatio, share: TypedRatio, note: string): InviteCodeDraft | undefined {
  if (!first.isRight || !share.isRight) return undefined;
  const common = { share_ratio: share.ratio, note: note.trim() === "" ? undefined : note.trim() };
  return kind === "direct"
    ? { ...common, code_type: "direct", customer_rebate_ratio: first.ratio }
    : { ...common, code_type: "sub_kol", sub_kol_rebate_rate: first.ratio };
}

/** Ratios are typed in per cent. An example for a fee of 100 USDT is shown below them. */
export function CodeForm({ rate, isSubKol, onDone }: CodeFormProps) {
  const [kind, setKind] = useState<Kind>("direct");
  const [firstText, setFirst] = useState("10");
  const [shareText, setShare] = useState(isSubKol ? "0" : "10");
  const [note, setNote] = useState("");
  const { isBusy, refusal, run } = useTask();
  const renew = usePartnerRenewal();
  const first = readPercent(firstText, rate, "your own rate");
  // A KOL has no inviter to share with.
  const hasShare = kind === "sub_kol" || isSubKol;
  const share = hasShare ? readPercent(shareText, "1", "the whole") : ({ isRight: true, ratio: "0" } as const);
  const draft = draftOf(kind, first, share, note);
  const make = async () => {
    if (draft === undefined) return;
    const { code } = await api.broker.createInviteCode(draft);
    await renew();
    toast("accent", `Code ${code} is ready`, "Its link and QR code are on the page.");
    onDone();
  };
  return (
    <Form onSubmit={() => run(make)}>
      {!isSubKol && <Segmented label="Kind of code" options={KINDS} value={kind} onChange={setKind} />}
      <TextField
        label={kind === "direct" ? "Customers get back" : "The sub-KOL's rate"}
        hint={`Of every fee; at most your own ${percentOf(rate)} %.`}
        error={mistakeOf(first)}
        kind="decimal"
        end="%"
        value={firstText}
        onChange={setFirst}
      />
      {hasShare && (
        <TextField
          label={kind === "direct" ? "Your inviter's share" : "Your share"}
          hint={
            kind === "direct"
              ? "Of what is left after the customer's part. If the code you joined by says more, that applies."
              : "Of what the sub-KOL has left after the customer's part."
          }
          error={mistakeOf(share)}
          kind="decimal"
          end="%"
          value={shareText}
          onChange={setShare}
        />
      )}
      <TextField
        label="Note, for yourself"
        hint="For example where you will share it."
        maxLength={MAX_NOTE}
        value={note}
        onChange={setNote}
      />
      {first.isRight && share.isRight && (
        <Example kind={kind} rate={rate} first={first.ratio} share={share.ratio} isSubKol={isSubKol} />
      )}
      <RefusalLine error={refusal} />
      <Button look="primary" type="submit" isBusy={isBusy} disabled={draft === undefined}>
        {kind === "direct" ? "Make a code for customers" : "Make a code for one sub-KOL"}
      </Button>
    </Form>
  );
}

interface ExampleProps {
  readonly kind: Kind;
  readonly rate: string;
  readonly first: string;
  readonly share: string;
  readonly isSubKol: boolean;
}

/** BRK-10 with a fee of 100 USDT. */
function Example({ kind, rate, first, share, isSubKol }: ExampleProps) {
  if (kind === "direct") {
    const parts = splitOf({ fee: EXAMPLE_FEE, rate, customerRatio: first, shareRatio: isSubKol ? share : "0" });
    return (
      <ExampleBox title="When a customer pays 100 USDT of fees">
        <Fact name="The customer gets back" value={<Money value={parts.customer} />} />
        {isSubKol && <Fact name="Your inviter gets, at least" value={<Money value={parts.share} />} />}
        <Fact
          name={isSubKol ? "You keep, at most" : "You keep"}
          value={<Money value={parts.net} className="font-semibold" />}
        />
      </ExampleBox>
    );
  }
  const ofCustomer = splitOf({ fee: EXAMPLE_FEE, rate: first, customerRatio: "0", shareRatio: share });
  const ofItself = splitOf({ fee: EXAMPLE_FEE, rate, customerRatio: first, shareRatio: "0" });
  return (
    <>
      <ExampleBox title="When a customer of the sub-KOL pays 100 USDT of fees">
        <Fact name="The sub-KOL and its customer get" value={<Money value={ofCustomer.net} />} />
        <Fact name="You get, at most" value={<Money value={ofCustomer.share} className="font-semibold" />} />
      </ExampleBox>
      <ExampleBox title="When the sub-KOL itself pays 100 USDT of fees">
        <Fact name="It gets back" value={<Money value={ofItself.customer} />} />
        <Fact name="You keep" value={<Money value={ofItself.net} className="font-semibold" />} />
      </ExampleBox>
      <p className="text-xs text-faint">
        The code works once, within 7 days. The sub-KOL decides what its customers get back.
      </p>
    </>
  );
}

function ExampleBox({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="rounded-md bg-raised px-3 py-2">
      <p className="pb-1 text-xs text-muted">{title}</p>
      <Facts>{children}</Facts>
    </div>
  );
}
