import { Slider as RadixSlider, Switch as RadixSwitch } from "radix-ui";
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from "react";
import { cx } from "../lib/cx.ts";

const CONTROL =
  "h-8 w-full min-w-0 rounded-md bg-raised px-2.5 text-sm text-text placeholder:text-faint aria-[invalid=true]:outline aria-[invalid=true]:outline-1 aria-[invalid=true]:outline-bad disabled:opacity-55";

interface LabelProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong and what would be right. */
  readonly error?: string | undefined;
  readonly className?: string | undefined;
}

interface FieldProps extends LabelProps {
  readonly children: (ids: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": boolean;
  }) => ReactNode;
}

/** A labelled control with its hint or its error below. TextField and SelectField cover the usual controls. */
export function Field({ label, hint, error, children, className }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={cx("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": note === undefined ? undefined : noteId,
        "aria-invalid": error !== undefined,
      })}
      {note !== undefined && (
        <span id={noteId} className={cx("text-xs", error === undefined ? "text-faint" : "text-bad")}>
          {note}
        </span>
      )}
    </div>
  );
}

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** At the right end of the control: a unit, a small button. */
  readonly end?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextInput({ end, className, ...rest }: InputProps) {
  if (end === undefined) return <input type="text" {...rest} className={cx(CONTROL, className)} />;
  return (
    <span className="relative flex items-center">
      <input type="text" {...rest} className={cx(CONTROL, "pr-16", className)} />
      <span className="absolute right-2 text-xs text-faint">{end}</span>
    </span>
  );
}

/** For amounts and prices: text that holds a decimal number, never a browser's floating-point field. */
export function DecimalInput(props: InputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      {...props}
      className={cx("num", props.className)}
    />
  );
}

const INPUT_KINDS = {
  text: {},
  /** Amounts and prices. */
  decimal: { inputMode: "decimal", autoComplete: "off", spellCheck: false, className: "num" },
  /** Whole numbers. */
  whole: { inputMode: "numeric", autoComplete: "off", className: "num" },
  /** Addresses, hashes and codes. */
  code: { autoComplete: "off", spellCheck: false, className: "font-mono" },
  date: { type: "date", className: "num" },
} as const satisfies Record<string, InputProps>;

interface TextFieldProps extends LabelProps, Omit<InputProps, "onChange" | "className"> {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly kind?: keyof typeof INPUT_KINDS;
  readonly inputClass?: string;
}

/** A labelled text input. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, className, kind = "text", inputClass, onChange, ...rest } = props;
  const preset: InputProps = INPUT_KINDS[kind];
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => (
        <TextInput
          {...preset}
          {...rest}
          {...ids}
          className={cx(preset.className, inputClass)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface CellFieldProps extends Omit<InputProps, "onChange" | "className"> {
  /** For screen readers: the column's title is what others see. */
  readonly label: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
  readonly kind?: keyof typeof INPUT_KINDS;
  readonly inputClass?: string;
}

/** A text input inside a table, with its error below. */
export function CellField({ label, error, onChange, kind = "text", inputClass, ...rest }: CellFieldProps) {
  const noteId = useId();
  const preset: InputProps = INPUT_KINDS[kind];
  return (
    <span className="block py-1.5">
      <TextInput
        {...preset}
        {...rest}
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : noteId}
        className={cx(preset.className, inputClass)}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <span id={noteId} className="block text-xs whitespace-normal text-bad">
          {error}
        </span>
      )}
    </span>
  );
}

export interface SelectOption<T extends string = string> {
  readonly value: T;
  readonly label: string;
}

interface SelectFieldProps<T extends string> extends LabelProps {
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
}

/** A labelled list of choices. */
export function SelectField<T extends string>({ options, value, onChange, ...label }: SelectFieldProps<T>) {
  return (
    <Field {...label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value as T)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export function Select({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...rest} className={cx(CONTROL, "pr-7", className)}>
      {children}
    </select>
  );
}

interface CheckboxProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Checkbox({ label, isChecked, onChange, isDisabled = false }: CheckboxProps) {
  return (
    <label className={cx("inline-flex items-center gap-2 text-sm select-none", isDisabled && "opacity-55")}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent-solid"
      />
      {label}
    </label>
  );
}

export function Switch({ label, isChecked, onChange, isDisabled = false }: CheckboxProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2 text-sm">
      <RadixSwitch.Root
        id={id}
        checked={isChecked}
        disabled={isDisabled}
        onCheckedChange={onChange}
        className="h-5 w-9 rounded-full bg-hover p-0.5 data-[state=checked]:bg-accent-solid disabled:opacity-55"
      >
        <RadixSwitch.Thumb className="block size-4 rounded-full bg-on-solid transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly onChange: (value: number) => void;
  readonly onCommit?: (value: number) => void;
  readonly valueText?: string;
}

export function Slider({ label, value, min, max, step = 1, onChange, onCommit, valueText }: SliderProps) {
  return (
    <RadixSlider.Root
      value={[value]}
      min={min}
      max={max}
      step={step}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      onValueCommit={([next]) => next !== undefined && onCommit?.(next)}
      className="relative flex h-6 w-full touch-none items-center"
    >
      <RadixSlider.Track className="relative h-1 w-full grow rounded-full bg-hover">
        <RadixSlider.Range className="absolute h-full rounded-full bg-accent-solid" />
      </RadixSlider.Track>
      <RadixSlider.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        className="block size-4 rounded-full bg-accent shadow-float"
      />
    </RadixSlider.Root>
  );
}

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly className?: string;
}

/** One of a few options, all visible. */
export function Segmented<T extends string>({ label, options, value, onChange, className }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={cx("inline-flex min-w-0 gap-0.5 rounded-md bg-raised p-0.5", className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex h-7 flex-1 cursor-pointer items-center justify-center rounded-sm px-2.5 text-sm whitespace-nowrap text-muted select-none has-checked:bg-hover has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
