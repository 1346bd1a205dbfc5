import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

interface PanelProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Without room around the content, for tables and charts. */
  readonly isFlush?: boolean;
}

/** A titled surface. */
export function Panel({ title, actions, children, className, isFlush = false }: PanelProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : titleId}
      className={cx("flex min-w-0 flex-col rounded-lg bg-panel", className)}
    >
      {(title !== undefined || actions !== undefined) && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 pt-2 pb-1">
          <h2 id={titleId} className="text-sm font-semibold">
            {title}
          </h2>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={cx("min-h-0 min-w-0 flex-1", !isFlush && "px-4 pt-1 pb-4")}>{children}</div>
    </section>
  );
}

interface StatProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** A line below: what it is made of, how it changed. */
  readonly note?: ReactNode;
  readonly className?: string;
}

/** One headline figure. */
export function Stat({ label, value, note, className }: StatProps) {
  return (
    <div className={cx("flex min-w-0 flex-col gap-0.5 rounded-lg bg-panel px-4 py-3", className)}>
      <span className="text-xs text-muted">{label}</span>
      <span className="num truncate text-xl font-semibold">{value}</span>
      {note !== undefined && <span className="text-xs text-faint">{note}</span>}
    </div>
  );
}

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, what it is for, and its content. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-5">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead !== undefined && <p className="text-sm text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** Names and values, one below the other. */
export function Facts({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <dl className={cx("flex flex-col gap-1 text-sm", className)}>{children}</dl>;
}

export function Fact({ name, value }: { readonly name: ReactNode; readonly value: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="num min-w-0 truncate text-right">{value}</dd>
    </div>
  );
}

const TONES = {
  neutral: "bg-raised text-muted",
  accent: "bg-accent-soft text-accent",
  up: "bg-up-soft text-up",
  down: "bg-down-soft text-down",
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
  warn: "bg-warn-soft text-warn",
};
export type Tone = keyof typeof TONES;

export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex h-5 shrink-0 items-center rounded-sm px-1.5 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** An important sentence. Amber is for warnings only. */
export function Notice({ tone = "warn", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <div className={cx("rounded-md px-3 py-2 text-sm", TONES[tone])}>{children}</div>;
}
