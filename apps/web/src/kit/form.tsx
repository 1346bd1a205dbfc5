import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

interface FormProps {
  readonly onSubmit: () => unknown;
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form whose submission stays on the page. The browser's own validation is off: fields state their errors. */
export function Form({ onSubmit, label, className, children }: FormProps) {
  return (
    <form
      noValidate
      aria-label={label}
      className={cx(className ?? "flex flex-col gap-3")}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
