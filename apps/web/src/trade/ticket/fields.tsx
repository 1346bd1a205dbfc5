import { type ReactNode, useId } from "react";

interface Ids {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

interface FieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly children: (ids: Ids) => ReactNode;
}

function Mistake({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <span id={id} className="text-xs text-bad">
      {text}
    </span>
  );
}

/** A setting on one line, where the form must stay short: its name at the left, its control at the right. */
export function InlineField({ label, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[auto_minmax(0,11.5rem)] items-center justify-between gap-2">
        <label htmlFor={id} className="text-xs text-muted">
          {label}
        </label>
        {children({
          id,
          "aria-describedby": error === undefined ? undefined : noteId,
          "aria-invalid": error !== undefined,
        })}
      </div>
      <Mistake id={noteId} text={error} />
    </div>
  );
}

interface NotedFieldProps extends FieldProps {
  /** What the input comes to, beside its name: its place is always there, so that nothing moves while one types. */
  readonly note: ReactNode;
}

export function NotedField({ label, note, error, children }: NotedFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const mistakeId = `${id}-mistake`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2 text-xs">
        <label htmlFor={id} className="text-muted">
          {label}
        </label>
        <span id={noteId} className="num truncate text-faint">
          {note}
        </span>
      </div>
      {children({
        id,
        "aria-describedby": error === undefined ? noteId : `${mistakeId} ${noteId}`,
        "aria-invalid": error !== undefined,
      })}
      <Mistake id={mistakeId} text={error} />
    </div>
  );
}
