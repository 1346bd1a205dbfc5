import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export type ButtonLook = "primary" | "plain" | "quiet" | "danger" | "buy" | "sell";

const LOOKS: Record<ButtonLook, string> = {
  primary: "bg-accent-solid text-on-accent hover:brightness-110",
  plain: "bg-raised text-text hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-text",
  danger: "bg-bad-solid text-on-solid hover:brightness-110",
  buy: "bg-up-solid text-on-solid hover:brightness-110",
  sell: "bg-down-solid text-on-solid hover:brightness-110",
};

const SIZES = {
  small: "h-6 px-2 text-xs",
  normal: "h-8 px-3 text-sm",
  large: "h-10 px-4 text-base",
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: ButtonLook;
  readonly size?: keyof typeof SIZES;
  /** A request is under way: the button is disabled, and screen readers are told. */
  readonly isBusy?: boolean;
}

export function Button({ look = "plain", size = "normal", isBusy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy}
      disabled={rest.disabled || isBusy}
      className={cx(
        "inline-flex items-center justify-center gap-1.5 rounded-md font-medium select-none whitespace-nowrap transition-[filter,background-color] disabled:opacity-55",
        LOOKS[look],
        SIZES[size],
        className,
      )}
    >
      {children}
      {isBusy && <span aria-hidden="true">…</span>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children"> {
  /** The name for screen readers. */
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <Button look="quiet" {...rest} aria-label={label} title={label} className={cx("px-0 aspect-square", className)}>
      {icon}
    </Button>
  );
}
