import type { BonusBatch, BonusCampaign, GenerateCodesReply } from "@bourse/api/client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction, Dialog } from "../../kit/dialog.tsx";
import { Checkbox, DecimalInput, Field, TextInput } from "../../kit/field.tsx";
import { CopyButton } from "../../kit/hash.tsx";
import { Fact, Facts, Notice } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { saveFile } from "../../lib/download.ts";
import { once, sayReplayed } from "../../lib/once.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import {
  type CodesDraft,
  type CodesForecast,
  type CodesWish,
  codesCsv,
  codesLabel,
  forecastCodes,
  problemsOfCodes,
  wishOfCodes,
} from "./codes-draft.ts";
import { sayUsdt } from "./grant-draft.ts";
import { OperatorField, useOperator } from "./operator.tsx";
import { useReport } from "./queries.ts";

interface BatchDialogProps {
  readonly batch: BonusBatch;
  readonly onClose: () => void;
}

interface ShownCodesProps {
  readonly batch: BonusBatch;
  readonly wish: CodesWish;
  readonly reply: GenerateCodesReply;
  readonly onClose: () => void;
}

/** The only moment at which the codes can be read: it does not close by accident. */
function ShownCodes({ batch, wish, reply, onClose }: ShownCodesProps) {
  const [isKept, setKept] = useState(false);
  const { codes, expires_at, replayed } = reply;
  return (
    <Dialog
      title={`${counted(codes.length, "code")} of ${batch.batch_name}`}
      description="They are shown now and never again: only their digests are kept."
      isOpen
      onOpenChange={(isOpen) => !isOpen && isKept && onClose()}
    >
      {replayed && <Notice tone="accent">These had been made before: nothing was made twice.</Notice>}
      <Facts>
        <Fact name="Each">{sayUsdt(wish.amount)}</Fact>
        <Fact name="Good until">
          <Time at={expires_at} />
        </Fact>
      </Facts>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          onClick={() =>
            saveFile(`codes-${batch.grant_batch_id.slice(0, 8)}.csv`, codesCsv(codes, wish.amount, expires_at))
          }
        >
          <Download size={15} aria-hidden="true" /> Download all
        </Button>
        <span className="inline-flex items-center gap-1 text-sm text-muted">
          Copy all <CopyButton text={codes.join("\n")} label="Copy all codes" />
        </span>
      </div>
      <ol
        aria-label="Codes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard
        tabIndex={0}
        className="max-h-64 overflow-y-auto rounded-md bg-raised p-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Checkbox label="I have kept them" isChecked={isKept} onChange={setKept} />
      <div className="flex justify-end">
        <Button look="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

interface CodesFieldsProps {
  readonly draft: CodesDraft;
  readonly most: string | null;
  readonly forecast: CodesForecast | undefined;
  readonly onChange: (draft: CodesDraft) => void;
}

function CodesFields({ draft, most, forecast, onChange }: CodesFieldsProps) {
  const problems = problemsOfCodes(draft, most);
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Number of codes" error={draft.count === "" ? undefined : problems.count}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              className="num"
              value={draft.count}
              onChange={(event) => onChange({ ...draft, count: event.target.value })}
            />
          )}
        </Field>
        <Field label="Good for" error={draft.days === "" ? undefined : problems.days}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              className="num"
              end="days"
              value={draft.days}
              onChange={(event) => onChange({ ...draft, days: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Amount of each code" error={draft.amount === "" ? undefined : problems.amount}>
        {(ids) => (
          <DecimalInput
            {...ids}
            end="USDT"
            value={draft.amount}
            onChange={(event) => onChange({ ...draft, amount: event.target.value })}
          />
        )}
      </Field>
      <Facts className="rounded-md bg-raised p-3">
        <Fact name="If all are redeemed">{forecast === undefined ? "–" : sayUsdt(forecast.total)}</Fact>
        <Fact name="Left in the pool now">{forecast === undefined ? "–" : sayUsdt(forecast.before)}</Fact>
        <Fact name="Left in the pool then">{forecast === undefined ? "–" : sayUsdt(forecast.after)}</Fact>
      </Facts>
      {forecast?.isWithinCap === false && (
        <Notice>The pool does not reach for all of them: the order would be refused. Lower number or amount.</Notice>
      )}
      <OperatorField />
    </>
  );
}

interface MakeCodesProps extends BatchDialogProps {
  readonly campaign: BonusCampaign;
}

export function MakeCodesDialog({ batch, campaign, onClose }: MakeCodesProps) {
  const write = useWrite();
  const operator_addr = useOperator();
  const report = useReport().data;
  const amount = Decimal.parse(batch.per_address_amount).toString();
  const [draft, setDraft] = useState<CodesDraft>({ count: "", amount, days: "30" });
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<{ readonly wish: CodesWish; readonly reply: GenerateCodesReply }>();
  const wish = wishOfCodes(draft, campaign.max_amount);
  const forecast = wish && report && forecastCodes(wish, report);
  if (made !== undefined) return <ShownCodes batch={batch} {...made} onClose={onClose} />;
  const make = async (wanted: CodesWish) => {
    const request = { grant_batch_id: batch.grant_batch_id, ...wanted, operator_addr };
    const reply = await write(
      () =>
        once("generate codes", request, (request_id) => staffApi.bonusAdmin.generateCodes({ ...request, request_id })),
      ({ codes, replayed }) => sayReplayed(replayed, `${counted(codes.length, "code")} are made.`),
    );
    setMade({ wish: wanted, reply });
  };
  if (isAsking && wish !== undefined && forecast !== undefined) {
    return (
      <ConfirmAction
        title={`Make codes of ${batch.batch_name}`}
        changes={[
          { what: "Codes", after: String(wish.count) },
          { what: "Each", after: sayUsdt(wish.amount) },
          { what: "Good for", after: counted(wish.ttl_days, "day") },
          { what: "Tier and leverage", after: `${batch.grant_tier}, at most ${batch.max_leverage} ×` },
          {
            what: "Left in the pool if all are redeemed",
            before: sayUsdt(forecast.before),
            after: sayUsdt(forecast.after),
          },
        ]}
        warning="A code is worth its amount to whoever redeems it first. The codes are shown once."
        actionLabel={codesLabel(wish)}
        isOpen
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={() => make(wish)}
      />
    );
  }
  return (
    <FormDialog
      title={`Make codes of ${batch.batch_name}`}
      description="A code is redeemed by a wallet of its own choice. Unused codes reserve nothing of the pool."
      submitLabel="Review"
      isReady={wish !== undefined && forecast?.isWithinCap === true}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <CodesFields draft={draft} most={campaign.max_amount} forecast={forecast} onChange={setDraft} />
    </FormDialog>
  );
}

const ENDINGS = {
  expire: { verb: "Expire", after: "expired", meaning: "as if their time had run out" },
  void: { verb: "Void", after: "void", meaning: "taken back, as if they had never been given" },
} as const;

interface EndCodesProps extends BatchDialogProps {
  readonly ending: keyof typeof ENDINGS;
}

export function EndCodesDialog({ batch, ending, onClose }: EndCodesProps) {
  const write = useWrite();
  const operator_addr = useOperator();
  const [reason, setReason] = useState("");
  const { verb, after, meaning } = ENDINGS[ending];
  const unused = counted(batch.codes.unused, "unused code");
  const end = async () => {
    const request = { grant_batch_id: batch.grant_batch_id, operator_addr, ...reasonOf(reason) };
    await write(
      () =>
        once(`${ending} codes`, request, async (request_id) => {
          const body = { ...request, request_id };
          if (ending === "void") {
            const { voided, replayed } = await staffApi.bonusAdmin.voidCodes(body);
            return { ended: voided, replayed };
          }
          const { expired, replayed } = await staffApi.bonusAdmin.expireCodes(body);
          return { ended: expired, replayed };
        }),
      ({ ended, replayed }) => sayReplayed(replayed, `${counted(ended, "code")} ended.`),
    );
  };
  return (
    <ConfirmAction
      title={`${verb} the unused codes of ${batch.batch_name}`}
      changes={[
        { what: "Unused codes", before: String(batch.codes.unused), after: "0" },
        {
          what: `Codes that are ${after}`,
          before: String(batch.codes[after]),
          after: String(batch.codes[after] + batch.codes.unused),
        },
        { what: "Redeemed codes", after: `${batch.codes.redeemed}, untouched` },
      ]}
      warning={`Nobody can redeem them any more: they count ${meaning}. It cannot be taken back.`}
      actionLabel={`${verb} ${unused}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={end}
    >
      <ReasonField value={reason} onChange={setReason} />
      <OperatorField />
    </ConfirmAction>
  );
}
