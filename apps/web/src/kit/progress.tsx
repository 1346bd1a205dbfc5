import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

interface ProgressProps {
  readonly label: string;
  /** From 0 to 1, for drawing. */
  readonly fraction: number;
  /** The figure that the bar draws. */
  readonly figure: ReactNode;
  readonly tone?: "accent" | "up" | "warn";
}

const TONES = { accent: "bg-accent-solid", up: "bg-up-solid", warn: "bg-warn" };

export function Progress({ label, fraction, figure, tone = "accent" }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 1000) / 10;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2 text-xs">
        <span className="text-muted">{label}</span>
        <span className="num">{figure}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className={cx("h-full rounded-full", TONES[tone])} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
