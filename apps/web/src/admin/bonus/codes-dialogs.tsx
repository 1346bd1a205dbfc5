import type { BonusBatch, BonusCampaign, GenerateCodesReply } from "@bourse/api/client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { useDraft } from "../../kit/draft.ts";
import { Checkbox, TextField } from "../../kit/field.tsx";
import { CopyButton } from "../../kit/hash.tsx";
import { Fact, Facts, Notice } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { saveFile } from "../../lib/download.ts";
import { staffApi } from "../../session/session.ts";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { type Review, ReviewDialog } from "../frame/review-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWriteOnce } from "../frame/write.ts";
import {
  type CodesDraft,
  type CodesForecast,
  type CodesInput,
  codesCsv,
  codesLabel,
  forecastCodes,
  inputOfCodes,
  problemsOfCodes,
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
  readonly input: CodesInput;
  readonly reply: GenerateCodesReply;
  readonly onClose: () => void;
}

/** The codes can be read only here, so the dialog does not close by accident. */
function ShownCodes({ batch, input, reply, onClose }: ShownCodesProps) {
  const [isKept, setKept] = useState(false);
  const { codes, expires_at, replayed } = reply;
  return (
    <Dialog
      title={`${counted(codes.length, "code")} of ${batch.batch_name}`}
      description="They are shown only now: the exchange keeps their digests, not the codes."
      onClose={() => isKept && onClose()}
    >
      {replayed && <Notice tone="accent">These codes were made by an earlier request. Nothing was made twice.</Notice>}
      <Facts>
        <Fact name="Each" value={sayUsdt(input.amount)} />
        <Fact name="Valid until" value={<Time at={expires_at} />} />
      </Facts>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          onClick={() =>
            saveFile(`codes-${batch.grant_batch_id.slice(0, 8)}.csv`, codesCsv(codes, input.amount, expires_at))
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
      <Checkbox label="I have saved them" isChecked={isKept} onChange={setKept} />
      <div className="flex justify-end">
        <Button look="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

const PoolForecast = ({ forecast }: { readonly forecast: CodesForecast | undefined }) => (
  <>
    <Facts className="rounded-md bg-raised p-3">
      <Fact name="If all are redeemed" value={forecast === undefined ? "–" : sayUsdt(forecast.total)} />
      <Fact name="Left in the pool now" value={forecast === undefined ? "–" : sayUsdt(forecast.before)} />
      <Fact name="Left in the pool then" value={forecast === undefined ? "–" : sayUsdt(forecast.after)} />
    </Facts>
    {forecast?.isWithinCap === false && (
      <Notice>The pool cannot cover all of them, so the codes would be refused. Lower the number or the amount.</Notice>
    )}
  </>
);

const reviewOf = (batch: BonusBatch, input: CodesInput, forecast: CodesForecast): Review => ({
  changes: [
    { what: "Codes", after: String(input.count) },
    { what: "Each", after: sayUsdt(input.amount) },
    { what: "Valid for", after: counted(input.ttl_days, "day") },
    { what: "Tier and leverage", after: `${batch.grant_tier}, at most ${batch.max_leverage} ×` },
    {
      what: "Left in the pool if all are redeemed",
      before: sayUsdt(forecast.before),
      after: sayUsdt(forecast.after),
    },
  ],
  warning: "The first wallet that redeems a code gets its amount. The codes are shown only once.",
  actionLabel: codesLabel(input),
});

interface MakeCodesProps extends BatchDialogProps {
  readonly campaign: BonusCampaign;
}

export function MakeCodesDialog({ batch, campaign, onClose }: MakeCodesProps) {
  const writeOnce = useWriteOnce();
  const operator_addr = useOperator();
  const report = useReport().data;
  const amount = Decimal.parse(batch.per_address_amount).toString();
  const { draft, field } = useDraft<CodesDraft>({ count: "", amount, days: "30" }, (typed) =>
    problemsOfCodes(typed, campaign.max_amount),
  );
  const [made, setMade] = useState<{ readonly input: CodesInput; readonly reply: GenerateCodesReply }>();
  const input = inputOfCodes(draft, campaign.max_amount);
  const forecast = input && report && forecastCodes(input, report);
  if (made !== undefined) return <ShownCodes batch={batch} {...made} onClose={onClose} />;
  return (
    <ReviewDialog
      title={`Make codes of ${batch.batch_name}`}
      description="Any wallet can redeem a code once. Unused codes reserve nothing of the pool."
      review={input && forecast?.isWithinCap ? reviewOf(batch, input, forecast) : undefined}
      onConfirm={async () => {
        if (input === undefined) return;
        const reply = await writeOnce(
          "generate codes",
          { grant_batch_id: batch.grant_batch_id, ...input, operator_addr },
          (body) => staffApi.bonusAdmin.generateCodes(body),
          ({ codes }) => `${counted(codes.length, "code")} are made.`,
        );
        setMade({ input, reply });
      }}
      onClose={onClose}
      onDone={() => undefined}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Number of codes" kind="whole" {...field("count")} />
        <TextField label="Valid for" kind="whole" end="days" {...field("days")} />
      </div>
      <TextField label="Amount of each code" kind="decimal" end="USDT" {...field("amount")} />
      <PoolForecast forecast={forecast} />
      <OperatorField />
    </ReviewDialog>
  );
}

const ENDINGS = {
  expire: { verb: "Expire", after: "expired", meaning: "They count as expired." },
  void: { verb: "Void", after: "void", meaning: "They count as never given out." },
} as const;

interface EndCodesProps extends BatchDialogProps {
  readonly ending: keyof typeof ENDINGS;
}

export function EndCodesDialog({ batch, ending, onClose }: EndCodesProps) {
  const writeOnce = useWriteOnce();
  const operator_addr = useOperator();
  const { verb, after, meaning } = ENDINGS[ending];
  const { codes, grant_batch_id } = batch;
  return (
    <ConfirmWithReason
      title={`${verb} the unused codes of ${batch.batch_name}`}
      changes={[
        { what: "Unused codes", before: String(codes.unused), after: "0" },
        { what: `Codes that are ${after}`, before: String(codes[after]), after: String(codes[after] + codes.unused) },
        { what: "Redeemed codes", after: `${codes.redeemed}, unchanged` },
      ]}
      warning={`The codes can no longer be redeemed. ${meaning} This cannot be undone.`}
      actionLabel={`${verb} ${counted(codes.unused, "unused code")}`}
      onClose={onClose}
      onConfirm={(reason) =>
        writeOnce(
          `${ending} codes`,
          { grant_batch_id, operator_addr, ...reason },
          async (body) => {
            if (ending === "void") return { ended: (await staffApi.bonusAdmin.voidCodes(body)).voided };
            return { ended: (await staffApi.bonusAdmin.expireCodes(body)).expired };
          },
          ({ ended }) => `${counted(ended, "code")} ended.`,
        )
      }
    >
      <OperatorField />
    </ConfirmWithReason>
  );
}
