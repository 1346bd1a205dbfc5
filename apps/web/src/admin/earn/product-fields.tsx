import { sayUnits } from "../../chain/tokens.ts";
import { DecimalInput, Field, Select, TextInput } from "../../kit/field.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { formatLocal, formatUtc } from "../../lib/time.ts";
import {
  type ProductDraft,
  type ProductField,
  type ProductProblems,
  previewOf,
  TERM_UNITS,
  type Terms,
  type TermUnit,
} from "./product-draft.ts";

interface FieldsProps {
  readonly draft: ProductDraft;
  readonly problems: ProductProblems;
  readonly onChange: (draft: ProductDraft) => void;
}

/** A field that nobody has touched is not wrong yet. */
const shownProblem = ({ draft, problems }: FieldsProps, field: ProductField): string | undefined =>
  draft[field] === "" ? undefined : problems[field];

/** What can be changed as long as the product lives. */
export function NameFields(props: FieldsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <Field label="Name" hint="As savers see it." error={shownProblem(props, "name")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="Optional." error={shownProblem(props, "description")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.description}
            onChange={(event) => onChange({ ...draft, description: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

interface AmountFieldProps extends FieldsProps {
  readonly field: "quota" | "min" | "max" | "rate";
  readonly label: string;
  readonly unit?: string;
}

function AmountField({ field, label, unit = "USDT", ...props }: AmountFieldProps) {
  return (
    <Field label={label} error={shownProblem(props, field)}>
      {(ids) => (
        <DecimalInput
          {...ids}
          end={unit}
          value={props.draft[field]}
          onChange={(event) => props.onChange({ ...props.draft, [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

function TermFields(props: FieldsProps) {
  const { draft, onChange } = props;
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Term" error={shownProblem(props, "term")}>
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            className="num"
            value={draft.term}
            onChange={(event) => onChange({ ...draft, term: event.target.value })}
          />
        )}
      </Field>
      <Field label="Counted in">
        {(ids) => (
          <Select
            {...ids}
            value={draft.termUnit}
            onChange={(event) => onChange({ ...draft, termUnit: event.target.value as TermUnit })}
          >
            {Object.keys(TERM_UNITS).map((unit) => (
              <option key={unit} value={unit}>
                {unit}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** What is final once the subscription starts. */
export function ProductFields(props: FieldsProps) {
  const { draft, onChange } = props;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <NameFields {...props} />
      <AmountField {...props} field="rate" label="Rate" unit="% a year" />
      <TermFields {...props} />
      <AmountField {...props} field="quota" label="Quota" />
      <AmountField {...props} field="max" label="Most for one saver" />
      <AmountField {...props} field="min" label="Least for one subscription" />
      <span className="max-sm:hidden" />
      <TimeField
        label="Opens"
        value={draft.opens}
        error={shownProblem(props, "opens")}
        onChange={(opens) => onChange({ ...draft, opens })}
      />
      <TimeField
        label="Closes; interest begins"
        value={draft.closes}
        error={shownProblem(props, "closes")}
        onChange={(closes) => onChange({ ...draft, closes })}
      />
    </div>
  );
}

/** What the terms come to, before anybody signs anything. Keeps its height while something is still missing. */
export function TermsPreview({ terms }: { readonly terms: Terms | undefined }) {
  const preview = terms && previewOf(terms);
  const figure = (text: string | undefined) => text ?? "–";
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact name="Interest owed if all of the quota is taken">
        <strong>{figure(preview && sayUnits(preview.fullInterest))}</strong>
      </Fact>
      <Fact name="Interest of 1,000 USDT">{figure(preview && sayUnits(preview.interestOfThousand))}</Fact>
      <Fact name="Matures">
        {preview === undefined
          ? "–"
          : `${formatLocal(preview.matures_ms, "minute")} (${formatUtc(preview.matures_ms)})`}
      </Fact>
    </Facts>
  );
}
