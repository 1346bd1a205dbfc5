import { sayUnits } from "../../chain/tokens.ts";
import type { DraftState } from "../../kit/draft.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { formatLocal, formatUtc } from "../../lib/time.ts";
import { type Parameters, type ProductDraft, previewOf, TERM_OPTIONS } from "./product-draft.ts";

interface FieldsProps {
  readonly form: DraftState<ProductDraft>;
}

/** What can be changed at any time. */
export const NameFields = ({ form: { field } }: FieldsProps) => (
  <>
    <TextField label="Name" hint="As savers see it." {...field("name")} />
    <TextField label="Description" hint="Optional." {...field("description")} />
  </>
);

/** What is final once the subscription window opens. */
export function ProductFields({ form }: FieldsProps) {
  const { field } = form;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <NameFields form={form} />
      <TextField label="Rate" kind="decimal" end="% a year" {...field("rate")} />
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Term" kind="whole" {...field("term")} />
        <SelectField label="Unit" options={TERM_OPTIONS} {...field("termUnit")} />
      </div>
      <TextField label="Quota" kind="decimal" end="USDT" {...field("quota")} />
      <TextField label="Maximum for one saver" kind="decimal" end="USDT" {...field("max")} />
      <TextField label="Minimum for one subscription" kind="decimal" end="USDT" {...field("min")} />
      <span className="max-sm:hidden" />
      <TimeField label="Opens" {...field("opens")} />
      <TimeField label="Closes; interest begins" {...field("closes")} />
    </div>
  );
}

/** What the parameters result in. Keeps its height while something is missing. */
export function ProductPreview({ parameters }: { readonly parameters: Parameters | undefined }) {
  const preview = parameters && previewOf(parameters);
  const figure = (text: string | undefined) => text ?? "–";
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact
        name="Interest owed at full quota"
        value={<strong>{figure(preview && sayUnits(preview.fullInterest))}</strong>}
      />
      <Fact name="Interest of 1,000 USDT" value={figure(preview && sayUnits(preview.interestOfThousand))} />
      <Fact
        name="Matures"
        value={
          preview === undefined
            ? "–"
            : `${formatLocal(preview.matures_ms, "minute")} (${formatUtc(preview.matures_ms)})`
        }
      />
    </Facts>
  );
}
